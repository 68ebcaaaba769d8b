"""Memory techniques that a training step may combine, and the portions in which a step computes; without torch.

Techniques are switches of how a step is computed, not of its result. The model and the prediction of its memory share
the portions.
"""

from dataclasses import dataclass
from enum import StrEnum

ROWS_ON_CPU = 704
ROWS_ON_GPU = 1 << 14
"""Rows that feed-forward takes: each time it goes over the gradients of all its weights."""

SCORES_ON_CPU = 1 << 20
SCORES_ON_GPU = 1 << 26
"""Attention scores, in elements: what stays in a CPU's cache, or keeps a GPU busy."""

ALIGNMENT = 8
"""Elements to which the keys' columns are rounded up on a GPU: its fast 16-bit products load 16 bytes at once."""


def aligned(columns: int, *, on_gpu: bool) -> int:
    """Return the ``columns`` of attention scores, rounded up if ``on_gpu``."""
    return -(-columns // ALIGNMENT) * ALIGNMENT if on_gpu else columns


LARGEST_SUMS = 1 << 24
"""Elements of a vocabulary's weight up to which its gradient is computed with the loss, where the logits are at
hand, and held until the loss is differentiated. Of a larger one the logits are computed again then: models with so
many channels have little else to hold, and the vocabulary takes a small part of their time."""


class Precision(StrEnum):
    """The type of parameters and activations on the device that computes."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"

    @property
    def bytes_per_value(self) -> int:
        """Bytes of a value: 4 or 2."""
        return 4 if self is Precision.FLOAT32 else 2


class Activations(StrEnum):
    """Parts of a sublayer's forward pass that are kept for its backward pass."""

    KEEP = "keep"
    """All that its gradient needs: the fastest, and memory grows with depth."""
    CHECKPOINT = "checkpoint"
    """The stream that it adds to; the rest is computed again (Chen et al., 2016)."""
    REVERSE = "reverse"
    """Keeps nothing: each reversible layer's input is rebuilt from its output (Gomez et al., 2017)."""


@dataclass(frozen=True)
class Techniques:
    """One combination; the defaults are the plainest training there is, of one sample at a time."""

    micro_batch: int = 1
    """Samples of a micro-step, whose gradients are added up until the optimizer's step."""
    precision: Precision = Precision.FLOAT32
    """Type of parameters and activations; in 16 bits the optimizer works on float32 masters beside its state."""
    activations: Activations = Activations.KEEP
    checkpointed: int = 0
    """Layers before the ``kept`` ones that keep the stream their feed-forward adds to, under REVERSE."""
    kept: int = 0
    """Last layers that keep all their activations, under CHECKPOINT or REVERSE."""
    loss_chunk: int | None = 1 << 22
    """Logits held at a time, in elements; None: those of all positions at once."""
    eight_bit_optimizer: bool = False
    """Moments in blocks of 8 bits (Dettmers et al., 2021) instead of float32."""
    optimizer_on_cpu: bool = False
    """Moments and float32 masters lie in RAM, and the CPU makes the optimizer's step."""
