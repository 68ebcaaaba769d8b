"""The tensors that models of every family keep: hidden values, normed ones, masks, inputs of layers."""

from core.memory.footprint import Step
from core.memory.line import Item

FLOAT32 = 4


def values(name: str, step: Step, width: int, tensors: int = 1) -> Item:
    """Tensors of (batch, length, width) in the precision of the model."""
    return Item(name, step.hidden(width), f"tokens x {width} values", tensors)


def float32_values(name: str, step: Step, width: int, tensors: int = 1) -> Item:
    """Tensors of (batch, length, width) in float32, whatever the precision of the model."""
    return Item(name, step.tokens * width * FLOAT32, f"tokens x {width} x 4 bytes", tensors)


def layer_input(step: Step, width: int) -> Item:
    """What a layer starts from: all that is kept of it under gradient checkpointing (Chen et al., 2016)."""
    return values("layer inputs", step, width)


def norm_input(name: str, step: Step, width: int) -> Item:
    """What a LayerNorm keeps: its input, and a mean and a deviation of each position."""
    size = step.hidden(width) + step.norm_statistics()
    return Item(name, size, f"tokens x {width} values, mean and deviation")


def dropout_mask(name: str, step: Step, width: int) -> Item:
    """A mask over (batch, length, width): CUDA's has a byte a value, the CPU's has values."""
    unit = "bytes" if step.gpu else "values"
    return Item(name, step.dropout_mask(width), f"tokens x {width} {unit}")
