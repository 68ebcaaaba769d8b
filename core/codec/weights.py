"""The weights of a codec: safetensors, or the Lightning checkpoints that taming's authors published.

A file's tensors are read only after their names and shapes are known to fit the configuration.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialize
from torch import Tensor

from core.errors import CodecError
from core.storage.files import write_atomically
from core.storage.torch_file import read_torch_file

WEIGHTS_BYTES = 4 << 30
"""Largest size of a weights file; published ones have about 1 GB, most of it the loss of their training."""

_LEAST_BYTES = 2
"""Fewest bytes of a value."""
_REMEDY = "Get the weights again from where the run's manifest came from."


def save_weights(state: Mapping[str, Tensor], path: Path) -> None:
    """Write weights to ``path`` as float16 safetensors, whole or not at all.

    ``state`` has the weights by name, of any shape.
    """
    half = {name: tensor.detach().to(torch.float16).contiguous() for name, tensor in state.items()}
    write_atomically(path, serialize(half))


def read_weights(path: Path, expected: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    """Return the expected tensors by name, in float32; other content, such as ``loss.*``, is passed over.

    Args:
        path: File of the weights, ``.safetensors`` or ``.ckpt``.
        expected: Shape of each tensor by name.

    Raises:
        CodecError: the file is missing, too large, damaged, unsafe, or its tensors are not as expected.
    """
    with _fitting(path, expected) as tensor_of:
        return {name: _checked(path, name, tensor_of(name)) for name in expected}


def check_weights(path: Path, expected: Mapping[str, torch.Size]) -> None:
    """Check the names and the shapes of the expected tensors; their values are not read.

    Args:
        path: File of the weights, ``.safetensors`` or ``.ckpt``.
        expected: Shape of each tensor by name.

    Raises:
        CodecError: the file is missing, too large, damaged, unsafe, or its tensors are not as expected.
    """
    with _fitting(path, expected):
        pass


@contextmanager
def _fitting(path: Path, expected: Mapping[str, torch.Size]) -> Iterator[Callable[[str], Tensor]]:
    """Open a file whose tensors have the expected names and shapes; return a function that reads one of them."""
    try:
        size = path.stat().st_size
        if size > WEIGHTS_BYTES:
            raise CodecError(f"{path} has {size} bytes, more than the weights of any codec.", _REMEDY)
        match path.suffix:
            case ".safetensors":
                with safe_open(path, framework="pt") as file:
                    _check_shapes(path, _shapes_in(file, expected), expected)
                    yield file.get_tensor
            case ".ckpt":
                yield _read_checkpoint(path, expected).__getitem__
            case _:
                raise CodecError(
                    f"{path} is neither .safetensors nor .ckpt.", "Name the codec's weights file."
                )
    except SafetensorError as error:
        raise CodecError(f"{path} is damaged, or no safetensors file.", _REMEDY) from error
    except OSError as error:
        raise CodecError(f"{path} cannot be read: {error.strerror or error}.", _REMEDY) from error


def _shapes_in(file: Any, expected: Mapping[str, torch.Size]) -> dict[str, torch.Size]:
    names = set(file.keys())
    return {name: torch.Size(file.get_slice(name).get_shape()) for name in expected if name in names}


def _read_checkpoint(path: Path, expected: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    """Return the expected tensors, their values still in the file."""
    state = _state_dict(path)
    tensors = {name: state[name] for name in expected if isinstance(state.get(name), Tensor)}
    _check_shapes(path, {name: tensor.shape for name, tensor in tensors.items()}, expected)
    # A pickle can say that the same few bytes are all of its tensors.
    if _LEAST_BYTES * sum(shape.numel() for shape in expected.values()) > path.stat().st_size:
        raise CodecError(f"{path} is so small that it cannot hold the codec of its configuration.", _REMEDY)
    return tensors


def _state_dict(path: Path) -> dict[str, Any]:
    """Return the ``state_dict`` of a checkpoint, its tensors still in the file.

    Published checkpoints name Lightning's classes, such as ModelCheckpoint, by which the state of callbacks
    is keyed.
    """
    try:
        checkpoint = read_torch_file(path, inert="pytorch_lightning.")
    except ValueError as error:
        raise CodecError(f"{path} {error}.", _REMEDY) from error
    state = checkpoint.get("state_dict") if isinstance(checkpoint, dict) else None
    if not isinstance(state, dict):
        raise CodecError(f"{path} has no state_dict.", _REMEDY)
    return state


def _check_shapes(path: Path, shapes: Mapping[str, torch.Size], expected: Mapping[str, torch.Size]) -> None:
    missing = sorted(set(expected) - set(shapes))
    if missing:
        raise CodecError(
            f"{path} lacks {len(missing)} tensors that the configuration asks for, such as {missing[0]}.",
            "Use the configuration and the weights of the same codec.",
        )
    for name, shape in expected.items():
        if shapes[name] != shape:
            raise CodecError(
                f"{name} in {path} has the shape {tuple(shapes[name])}, not {tuple(shape)}.",
                "Use the configuration and the weights of the same codec.",
            )


def _checked(path: Path, name: str, tensor: Tensor) -> Tensor:
    if not tensor.is_floating_point():
        raise CodecError(f"{name} in {path} does not hold floating-point numbers.", _REMEDY)
    # A copy: tensors of a checkpoint are the mapped file itself.
    converted = tensor.to(torch.float32, copy=True).contiguous()
    if not bool(torch.isfinite(converted).all()):
        raise CodecError(f"{name} in {path} holds values that are not finite.", _REMEDY)
    return converted
