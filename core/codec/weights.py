"""The weights of a codec: safetensors, or the Lightning checkpoints that taming's authors published.

A file's tensors are read only after their names and shapes are known to fit the configuration.
"""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialize
from torch import Tensor

from core.errors import CodecError
from core.files import write_atomically

WEIGHTS_BYTES = 4 << 30
"""No weights file is larger; the published ones have about 1 GB, most of it their training's loss."""

_REMEDY = "Get the weights again from where the run's manifest came from."


def save_weights(state: Mapping[str, Tensor], path: Path) -> None:
    """Writes weights as fp16 safetensors, whole or not at all."""
    half = {name: tensor.detach().to(torch.float16).contiguous() for name, tensor in state.items()}
    write_atomically(path, serialize(half))


def read_weights(path: Path, expected: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    """The expected tensors as float32, by name; what else is in the file, such as ``loss.*``, is passed over.

    Raises:
        CodecError: the file is missing, too large, damaged, unsafe, or its tensors are not as expected.
    """
    try:
        size = path.stat().st_size
        if size > WEIGHTS_BYTES:
            raise CodecError(f"{path} has {size} bytes, more than the weights of any codec.", _REMEDY)
        if path.suffix == ".safetensors":
            return _read_safetensors(path, expected)
        if path.suffix == ".ckpt":
            return _read_checkpoint(path, expected)
    except OSError as error:
        raise CodecError(f"{path} cannot be read: {error.strerror or error}.", _REMEDY) from error
    raise CodecError(f"{path} is neither .safetensors nor .ckpt.", "Name the codec's weights file.")


def _read_safetensors(path: Path, expected: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    try:
        with safe_open(path, framework="pt") as file:
            names = set(file.keys())
            shapes = {
                name: torch.Size(file.get_slice(name).get_shape()) for name in expected if name in names
            }
            _check_shapes(path, shapes, expected)
            return {name: _checked(path, name, file.get_tensor(name)) for name in expected}
    except SafetensorError as error:
        raise CodecError(f"{path} is damaged, or no safetensors file.", _REMEDY) from error


def _read_checkpoint(path: Path, expected: Mapping[str, torch.Size]) -> dict[str, Tensor]:
    state = _state_dict(path)
    tensors = {name: state[name] for name in expected if isinstance(state.get(name), Tensor)}
    _check_shapes(path, {name: tensor.shape for name, tensor in tensors.items()}, expected)
    return {name: _checked(path, name, tensor) for name, tensor in tensors.items()}


def _state_dict(path: Path) -> dict[str, Any]:
    """The ``state_dict`` of a checkpoint, its tensors still in the file."""
    try:
        _refuse_compression(path)
        with torch.serialization.safe_globals(_lightning_placeholders(path)):
            checkpoint = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    except (UnpicklingError, RuntimeError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise CodecError(
            f"{path} is damaged, unsafe, or no checkpoint of PyTorch 1.6 or later.", _REMEDY
        ) from error
    state = checkpoint.get("state_dict") if isinstance(checkpoint, dict) else None
    if not isinstance(state, dict):
        raise CodecError(f"{path} has no state_dict.", _REMEDY)
    return state


def _refuse_compression(path: Path) -> None:
    # Tensors are mapped from the file, so that it cannot ask for more memory than it has bytes.
    with zipfile.ZipFile(path) as archive:
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
            raise ValueError("a checkpoint's entries are not compressed")


def _lightning_placeholders(path: Path) -> list[Callable[..., Any] | tuple[Callable[..., Any], str]]:
    """Inert classes under the names of Lightning's that a checkpoint mentions, as published ones do.

    They key the state of callbacks such as ModelCheckpoint. Nothing of Lightning is imported or run.
    """
    names = torch.serialization.get_unsafe_globals_in_checkpoint(path)
    return [(type("Placeholder", (), {}), name) for name in names if name.startswith("pytorch_lightning.")]


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
        raise CodecError(f"{name} in {path} holds no numbers that a network could use.", _REMEDY)
    # A copy: tensors of a checkpoint are the mapped file itself.
    converted = tensor.to(torch.float32, copy=True).contiguous()
    if not bool(torch.isfinite(converted).all()):
        raise CodecError(f"{name} in {path} holds values that are no numbers.", _REMEDY)
    return converted
