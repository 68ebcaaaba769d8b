"""Parameters in a safetensors file: read only after their names and shapes have been compared with the model's."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Size, Tensor

from core.errors import CheckpointError

NUMBERS = frozenset({torch.float64, torch.float32, torch.float16, torch.bfloat16})
"""Number types of parameters. Files can have other types, some of which are not even numbers."""

_REMEDY = "Use another copy of it, or another checkpoint."


def read_parameters(path: Path, expected: Mapping[str, Size]) -> dict[str, Tensor]:
    """Return the parameters in the file at ``path`` by name, in memory of their own.

    ``expected`` gives the shape of each parameter of the model, by name.

    Raises:
        CheckpointError: the file cannot be read, is damaged or of another model, or a value is not a finite
            number.
    """
    try:
        with safe_open(path, framework="pt") as file:
            shapes = {name: Size(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise unreadable(path, error) from error
    _check_shapes(path, shapes, expected)
    parameters = read_tensors(path)
    for name, tensor in parameters.items():
        if not (tensor.dtype in NUMBERS and bool(tensor.isfinite().all())):
            raise damaged(path, f"{name} does not hold finite floating-point numbers")
    return parameters


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return all tensors in the file at ``path`` by name, of any shape, in memory of their own.

    Raises CheckpointError if the file cannot be read.
    """
    try:
        return {name: tensor.clone() for name, tensor in load_file(path).items()}  # load_file maps the file
    except (OSError, SafetensorError) as error:
        raise unreadable(path, error) from error


def damaged(path: Path, why: str) -> CheckpointError:
    """Return the error for a damaged file at ``path``; ``why`` states the fault."""
    return CheckpointError(f"{path} is damaged: {why}.", _REMEDY)


def unreadable(path: Path, error: OSError | SafetensorError) -> CheckpointError:
    """Return the error for a file at ``path`` that could not be read because of ``error``."""
    if isinstance(error, OSError):
        return CheckpointError(f"{path} cannot be read: {error.strerror or error}.", _REMEDY)
    return damaged(path, str(error))


def _check_shapes(path: Path, shapes: Mapping[str, Size], expected: Mapping[str, Size]) -> None:
    other = sorted(name for name in {*shapes, *expected} if shapes.get(name) != expected.get(name))
    if other:
        has, wants = (
            str(tuple(found[other[0]])) if other[0] in found else "none" for found in (shapes, expected)
        )
        raise CheckpointError(
            f"{path} is of another model: of {other[0]} it has {has}, where {wants} is expected.",
            "Use the weights and the configuration of one model.",
        )
