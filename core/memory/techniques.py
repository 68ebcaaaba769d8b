"""The memory techniques that a training step may combine: switches of how it is computed, not of what."""

from dataclasses import dataclass
from enum import StrEnum


class Precision(StrEnum):
    """The type of parameters and activations on the device that computes."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"

    @property
    def bytes_per_value(self) -> int:
        return 4 if self is Precision.FLOAT32 else 2


class Activations(StrEnum):
    """What a sublayer keeps from its forward pass for its backward pass."""

    KEEP = "keep"
    """All that its gradient needs: the fastest, and memory grows with depth."""
    CHECKPOINT = "checkpoint"
    """The stream that it adds to; the rest is computed again (Chen et al., 2016)."""
    REVERSE = "reverse"
    """Nothing: its input is rebuilt from its output (Gomez et al., 2017), in reversible layers only."""


@dataclass(frozen=True)
class Techniques:
    """One combination; the defaults are the plainest training there is, of one sample at a time."""

    micro_batch: int = 1
    """Samples of a micro-step, whose gradients are added up until the optimizer's step."""
    precision: Precision = Precision.FLOAT32
    """In 16 bits the optimizer works on float32 masters, which lie where its state lies."""
    activations: Activations = Activations.KEEP
    checkpointed: int = 0
    """Under REVERSE: layers, those before the ``kept`` ones, that keep the stream their feed-forward adds to."""
    kept: int = 0
    """Under CHECKPOINT or REVERSE: layers, the last ones, that keep all their activations."""
    loss_chunk: int | None = 1 << 22
    """Logits held at a time, in elements; None: those of all positions at once."""
    eight_bit_optimizer: bool = False
    """Moments in blocks of 8 bits (Dettmers et al., 2021) instead of float32."""
    optimizer_on_cpu: bool = False
    """Moments and float32 masters lie in RAM, and the optimizer's step is made there."""
