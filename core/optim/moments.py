"""An optimizer's running averages as flat tensors: in 8 bits for large parameters, float32 for small ones."""

from collections.abc import Mapping

import torch
from torch import Tensor

from core.errors import CheckpointError
from core.optim.blockwise import block_count, codebook, decode, encode

SIGNED = {"exp_avg": True, "exp_avg_sq": False}


def maxima_key(moment: str) -> str:
    """Return the key of the block maxima of an 8-bit ``moment``."""
    return f"{moment}.absmax"


def zero_moments(elements: int, *, min_8bit_size: int, block_size: int) -> dict[str, Tensor]:
    """Return the state of a parameter before its first step: 2 bytes an element in 8 bits, or 8 in float32.

    Shapes: the step count is a scalar, moments are flat, (elements,), and block maxima (blocks,).

    Args:
        elements: Number of elements of the parameter.
        min_8bit_size: Fewest elements of a parameter whose moments are in 8 bits.
        block_size: Values that share a scale.
    """
    state = {"step": torch.zeros((), dtype=torch.int64)}
    if elements < min_8bit_size:
        return state | {moment: torch.zeros(elements) for moment in SIGNED}
    for moment, signed in SIGNED.items():
        state[moment] = codebook(signed).code_of[0].repeat(elements)
        state[maxima_key(moment)] = torch.zeros(block_count(elements, block_size))
    return state


def read_moment(state: Mapping[str, Tensor], moment: str, span: slice, block_size: int) -> Tensor:
    """Return a span of a moment in float32, of shape (elements of the span,).

    It is the state's own memory where the moment is in float32, and new memory where it is in 8 bits.

    Args:
        state: State of one parameter.
        moment: ``exp_avg`` or ``exp_avg_sq``.
        span: Elements; it starts at a block's edge.
        block_size: Values that share a scale.
    """
    stored = state[moment][span]
    if stored.dtype != torch.uint8:
        return stored
    maxima = state[maxima_key(moment)][_blocks(span, block_size)]
    return decode(stored, maxima, signed=SIGNED[moment], block_size=block_size)


def write_moment(
    state: Mapping[str, Tensor], moment: str, span: slice, values: Tensor, block_size: int
) -> None:
    """Store the values of a span of a moment that ``read_moment`` returned and that were changed since.

    Args:
        state: State of one parameter, which is changed.
        moment: ``exp_avg`` or ``exp_avg_sq``.
        span: Elements; it starts at a block's edge.
        values: Values of the span, float32 of shape (elements of the span,).
        block_size: Values that share a scale.
    """
    stored = state[moment][span]
    if stored.dtype != torch.uint8:
        return  # the values are the state's own memory
    codes, maxima = encode(values, signed=SIGNED[moment], block_size=block_size)
    stored.copy_(codes)
    state[maxima_key(moment)][_blocks(span, block_size)].copy_(maxima)


def _blocks(span: slice, block_size: int) -> slice:
    return slice(span.start // block_size, block_count(span.stop, block_size))


def replace_state(own: Mapping[str, Tensor], given: Mapping[str, Tensor]) -> None:
    """Overwrite state tensors by those of the same names, once all of them are known to fit.

    Args:
        own: Tensors to overwrite, by name.
        given: Tensors to copy, by name.

    Raises:
        CheckpointError: names, shapes, types or values do not fit; nothing has been overwritten.
    """
    if own.keys() != given.keys():
        name = min(own.keys() ^ given.keys())
        raise _unfit(f"{name} is {'missing' if name in own else 'unknown here'}")
    for name, tensor in own.items():
        if tensor.shape != given[name].shape or tensor.dtype != given[name].dtype:
            raise _unfit(f"{name} is {_form(given[name])} instead of {_form(tensor)}")
        if not _is_sane(name, given[name]):
            raise _unfit(f"{name} holds values that cannot be")
    for name, tensor in own.items():
        tensor.copy_(given[name])


def _unfit(what: str) -> CheckpointError:
    return CheckpointError(
        f"The optimizer's state does not fit this model: {what}.",
        "Use a checkpoint of the same run, or start from the weights alone.",
    )


def _form(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} {tuple(tensor.shape)}"


def _is_sane(name: str, tensor: Tensor) -> bool:
    """Return true if values are finite, and not negative except in the mean of the gradients."""
    if not tensor.isfinite().all():
        return False
    return name.endswith(".exp_avg") or not (tensor < 0).any()
