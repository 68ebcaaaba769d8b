"""What the optimizer's state takes: moments, float32 masters, and gradients on their way to them.

It describes ``core/optim/lamb.py`` and ``core/optim/masters.py``.
"""

from collections.abc import Sequence

from core.memory.line import Item
from core.memory.parameters import Parameter
from core.memory.techniques import Precision, Techniques

_FLOAT32 = 4
_MIN_8BIT_SIZE = 65_536
_BLOCK = 4096
_CHUNK = 28_672
# Of a moment each: itself, its codes as int32 and its decoded or scaled copy; and the gradient.
_CHUNK_TENSORS = 7


def has_masters(techniques: Techniques) -> bool:
    """Whether the optimizer works on copies of the parameters rather than on the parameters."""
    return techniques.optimizer_on_cpu or techniques.precision is not Precision.FLOAT32


def moments_item(parameters: Sequence[Parameter], techniques: Techniques) -> Item:
    """The two moments (You et al., 2020), in blocks of 8 bits (Dettmers et al., 2021) where that is chosen."""
    if not techniques.eight_bit_optimizer:
        return Item("optimizer moments", 8 * _elements(parameters), "2 x 4 bytes a parameter")
    size = sum(item.count * _eight_bit_state(item.elements) for item in parameters)
    return Item(
        "optimizer moments in 8 bits",
        size,
        f"2 bytes a parameter and 8 a block of {_BLOCK}; 8 bytes a parameter of tensors below {_MIN_8BIT_SIZE}",
    )


def _eight_bit_state(elements: int) -> int:
    if elements < _MIN_8BIT_SIZE:
        return 2 * _FLOAT32 * elements
    return 2 * elements + 2 * _FLOAT32 * -(-elements // _BLOCK)


def masters_item(parameters: Sequence[Parameter], *, pinned: bool) -> Item:
    """Float32 copies; ``pinned`` for a GPU, where torch rounds each tensor up to a power of two."""
    if not pinned:
        return Item("float32 masters", _FLOAT32 * _elements(parameters), "4 bytes a parameter")
    size = sum(item.count * (1 << (_FLOAT32 * item.elements - 1).bit_length()) for item in parameters)
    return Item("float32 masters", size, "4 bytes a parameter, pinned: each tensor to a power of two")


def step_item(parameters: Sequence[Parameter], *, copied: bool) -> Item:
    """What a step takes for itself; ``copied``: gradients come to the masters as new float32 tensors."""
    chunk = _CHUNK_TENSORS * _CHUNK * _FLOAT32
    if not copied:
        return Item("optimizer's chunk", chunk, f"{_CHUNK_TENSORS} x {_CHUNK} x 4 bytes")
    return Item(
        "float32 gradients of the masters, optimizer's chunk",
        _FLOAT32 * _elements(parameters) + chunk,
        f"4 bytes a parameter, {_CHUNK_TENSORS} x {_CHUNK} x 4 bytes",
    )


def _elements(parameters: Sequence[Parameter]) -> int:
    return sum(item.total for item in parameters)
