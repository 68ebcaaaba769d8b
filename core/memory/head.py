"""The ends of a language model: its loss, its output layer, and its embedding, which may be one with it.

torch's cross-entropy keeps the log-probabilities (``aten/src/ATen/native/LossNLL.cpp``,
``SoftMax.cpp``), and its backward pass holds two gradients of their size beside them.
"""

from core.memory.footprint import Step
from core.memory.line import Item

_FLOAT32 = 4


def causal_loss(step: Step, classes: int) -> Item:
    """In ``transformers``, causal models turn their logits into float32 (``loss/loss_utils.py``)."""
    return _loss(step, classes, _FLOAT32)


def plain_loss(step: Step, classes: int) -> Item:
    """BERT and T5 leave their logits in the precision of the model."""
    return _loss(step, classes, step.value)


def _loss(step: Step, classes: int, value: int) -> Item:
    return Item(
        "log-probabilities and two gradients of their size",
        3 * step.tokens * classes * value,
        f"3 x tokens x {classes} classes x {value} bytes",
    )


def output_layer(step: Step, classes: int, width: int, *, logit_bytes: int) -> Item:
    """Backward of the output layer: the gradients of logits, hidden states and the layer's weight."""
    return Item(
        "gradients of logits, hidden states and output weight",
        step.tokens * classes * logit_bytes + step.hidden(width) + classes * width * step.value,
        f"tokens x ({classes} + {width}) and {classes} x {width} values",
    )


def tied_pending(step: Step, classes: int, width: int) -> Item:
    """The output layer's share of a tied weight's gradient, which waits for the embedding's."""
    return Item(
        "gradient of the tied output weight",
        classes * width * step.value,
        f"{classes} x {width} values, until the embedding's share is there",
    )


def token_embedding(step: Step, classes: int, width: int) -> Item:
    """The embedding's gradient, which is made dense, and that of its output."""
    return Item(
        "gradient of the embedding",
        classes * width * step.value + step.hidden(width),
        f"{classes} x {width} and tokens x {width} values",
    )
