"""The state dict that dalle-hivemind publishes as ``model_state.pt``, as our parameters.

It is that of dalle-pytorch's ``DALLE`` in a wrapper: each tied weight stands under every name that it has, layers are
those of the training build or of that for inference, and buffers follow from the configuration.
"""

import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Size, Tensor

from core.errors import CheckpointError
from core.model.config import ModelConfig, preset
from core.model.dalle_pytorch_names import our_name
from core.published.model import parameter_shapes
from core.run.validation import in_words
from core.storage.parameter_file import NUMBERS
from core.storage.torch_archive import LARGEST_FILE
from core.storage.torch_file import read_torch_file

REMEDY = "Get the file again from where it was published."


@dataclass(frozen=True)
class StateFile:
    """Content of the file; its tensors take memory only as far as they are read."""

    path: Path
    size: int
    """Size of the file, in bytes."""
    tensors: dict[str, Tensor]


def read_state_file(path: Path) -> StateFile:
    """Read the tensors at ``path``: a ``.safetensors`` file, or one of PyTorch 1.6 or later.

    Nothing in the file is run.

    Raises:
        CheckpointError: it cannot be read, is damaged, unsafe, too large, or holds something else.
    """
    try:
        size = _size_of(path)
        content = load_file(path) if path.suffix == ".safetensors" else read_torch_file(path)
    except OSError as error:
        raise CheckpointError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except SafetensorError as error:
        raise CheckpointError(f"{path} is damaged, or no safetensors file: {error}.", REMEDY) from error
    except ValueError as error:
        raise CheckpointError(f"{path} {error}.", REMEDY) from error
    if not isinstance(content, dict) or not content:
        raise CheckpointError(f"{path} holds no tensors by name.", "Give the file of a model's state dict.")
    for name, tensor in content.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            other = repr(name[:80]) if isinstance(name, str) else f"what a {type(name).__name__} names"
            raise CheckpointError(
                f"{path} holds something else than tensors by name, such as {other}.",
                "Give the file of a model's state dict alone, such as dalle-hivemind's model_state.pt.",
            )
    return StateFile(path, size, content)


def _size_of(path: Path) -> int:
    """Return the bytes of a regular file; a pipe would be waited for."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise CheckpointError(f"{path} is neither a file nor the folder of a model.", "Check the path.")
    if status.st_size > LARGEST_FILE:
        raise CheckpointError(f"{path} has {status.st_size:,} bytes, more than any model here.", REMEDY)
    return status.st_size


_WRAPPER = "model."
_POSITIONS = "transformer.pos_emb"
_NOT_OURS = re.compile(r"logits_mask|transformer\.pos_emb|transformer\.layers\..+\.static_mask|vae\..+")
"""Buffers, and the image codec where it was saved along."""
_REVERSIBLE = "transformer.layers.blocks."
_SAY_LIKE = "Give the model with --like: a run's manifest, a model's folder, or the name of a preset."
_UNTIED = preset("dalle").model_copy(update={"shared_layers": 0})


def import_state(file: StateFile, like: ModelConfig | None = None) -> tuple[ModelConfig, dict[str, Tensor]]:
    """Return the model's configuration, and its parameters by our names.

    The parameters are in float32, in the shapes of our model, and in memory of their own.

    Args:
        file: Content of the state dict's file.
        like: Configuration of the model; without it, the sizes that shapes tell, and the paper's for all
            others.

    Raises:
        CheckpointError: names or shapes are not those of the model, copies of a tied weight differ, or a
            value is no number.
    """
    theirs = _theirs(file)
    config = like or infer_config({name: tensor.shape for name, tensor in theirs.items()})
    copies: dict[str, list[str]] = {}
    for name in theirs:
        if not _NOT_OURS.fullmatch(name):
            copies.setdefault(our_name(config, name), []).append(name)
    _check_build(file, theirs, config)
    shapes = parameter_shapes(config, file.size)
    _check_names(file, copies, shapes)
    return config, {
        name: _parameter(file, [(one, theirs[one]) for one in copies[name]], shape)
        for name, shape in shapes.items()
    }


def infer_config(shapes: Mapping[str, Size]) -> ModelConfig:
    """Return the paper's configuration with the sizes that the shapes of a state dict tell.

    ``shapes`` are by dalle-pytorch's names, without the wrapper. Raises CheckpointError if a tensor is
    missing, or the shapes are not those of such a model.
    """
    like, known = preset("dalle"), {}
    for name, shape in shapes.items():
        if not _NOT_OURS.fullmatch(name):
            known[our_name(_UNTIED, name)] = shape
    dim, classes = _length(known, "norm.weight"), _length(known, "vocabulary.weight")
    inner = _length(known, "weights.0.attention.to_qkv.weight") // 3
    hidden = _length(known, "weights.0.feed_forward.to_hidden.weight")
    sizes = {
        "dim": dim,
        "depth": sum(bool(re.fullmatch(r"layers\.\d+\.attention\.scale", name)) for name in known),
        "heads": inner // like.dim_head,
        "feed_forward_factor": hidden // (2 * dim),
        "text_vocab": classes - like.text_length - like.image_vocab,
        "reversible": any(name.startswith(_REVERSIBLE) for name in shapes),
        "rotary": "text_position" not in known,
    }
    try:
        return ModelConfig.model_validate(like.model_dump() | sizes)
    except ValidationError as error:
        raise CheckpointError(
            f"Its shapes are not those of the paper's kind of model: {in_words(error)}.", _SAY_LIKE
        ) from error


def _theirs(file: StateFile) -> dict[str, Tensor]:
    """Return the tensors by dalle-pytorch's names, without the wrapper of dalle-hivemind's model."""
    wrapped = [name for name in file.tensors if name.startswith(_WRAPPER)]
    if wrapped and len(wrapped) != len(file.tensors):
        other = next(name for name in file.tensors if not name.startswith(_WRAPPER))
        raise CheckpointError(f"{file.path} holds {other[:80]!r} beside a model.", REMEDY)
    return {name.removeprefix(_WRAPPER): tensor for name, tensor in file.tensors.items()}


def _length(shapes: Mapping[str, Size], name: str) -> int:
    """Return the length of the first axis."""
    if not shapes.get(name):
        raise CheckpointError(
            f"It lacks {name}, which a model of dalle-hivemind has.", "Choose its model_state.pt."
        )
    return max(1, shapes[name][0])


def _check_build(file: StateFile, theirs: Mapping[str, Tensor], config: ModelConfig) -> None:
    """Check what no parameter's shape tells: how layers are put together, and the length of the sequence."""
    if any(name.startswith(_REVERSIBLE) for name in theirs) != config.reversible:
        kind = "not reversible" if config.reversible else "reversible"
        raise CheckpointError(f"The layers in {file.path} are {kind}, unlike the model's.", _SAY_LIKE)
    positions = theirs.get(_POSITIONS)
    expected = config.text_positions + config.image_length
    if positions is not None and positions.ndim == 3 and positions.shape[1] != expected:
        raise CheckpointError(
            f"The model in {file.path} is for {positions.shape[1]} positions, not for {expected}.", _SAY_LIKE
        )


def _check_names(file: StateFile, found: Mapping[str, object], expected: Mapping[str, object]) -> None:
    for names, says in (
        (expected.keys() - found, "lacks"),
        (found.keys() - expected, "has more than the model:"),
    ):
        if names:
            raise CheckpointError(
                f"{file.path} {says} {sorted(names)[0]}, one of {len(names)} such parameters.", _SAY_LIKE
            )


def _parameter(file: StateFile, copies: Sequence[tuple[str, Tensor]], shape: Size) -> Tensor:
    """Return one parameter, in our shape, from the tensors that must all be equal to it.

    Their shapes may have more axes of length 1.
    """
    for name, tensor in copies:
        _check_layout(file, name, tensor, shape)
    name, first = copies[0]
    # A copy, because tensors of a checkpoint are the mapped file itself.
    parameter = first.to(torch.float32, copy=True).view(shape)
    if not bool(parameter.isfinite().all()):
        raise CheckpointError(f"{name} in {file.path} holds values that are not finite.", REMEDY)
    for other, tensor in copies[1:]:
        if not _is_same(tensor, first):
            raise CheckpointError(
                f"{other} and {name} in {file.path} differ, though they are one weight of the model.",
                _SAY_LIKE,
            )
    return parameter


def _check_layout(file: StateFile, name: str, tensor: Tensor, shape: Size) -> None:
    if [side for side in tensor.shape if side != 1] != [side for side in shape if side != 1]:
        raise CheckpointError(
            f"{name} in {file.path} has the shape {tuple(tensor.shape)}, not {tuple(shape)}.", _SAY_LIKE
        )
    if tensor.dtype not in NUMBERS or not tensor.is_contiguous():
        raise CheckpointError(f"{name} in {file.path} is not laid out as numbers of a model.", REMEDY)


def _is_same(one: Tensor, other: Tensor) -> bool:
    """Return True if both hold the same values; tensors at one place in the file are not read for it."""
    if one.dtype != other.dtype:
        return False
    return one.data_ptr() == other.data_ptr() or torch.equal(one.view(-1), other.view(-1))
