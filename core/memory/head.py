"""The ends of a language model: its loss, its output layer, and its embedding, which may be one with it.

torch's cross-entropy keeps the log-probabilities (``aten/src/ATen/native/LossNLL.cpp``,
``SoftMax.cpp``), and its backward pass holds two gradients of their size beside them.
"""

from core.memory.footprint import Step
from core.memory.kept import FLOAT32, values
from core.memory.line import Item


def causal_loss(step: Step, classes: int) -> tuple[Item, ...]:
    """In ``transformers``, causal models turn their logits into float32 (``loss/loss_utils.py``)."""
    return _loss(step, classes, FLOAT32)


def plain_loss(step: Step, classes: int) -> tuple[Item, ...]:
    """BERT and T5 leave their logits in the precision of the model."""
    return _loss(step, classes, step.value)


def _loss(step: Step, classes: int, value: int) -> tuple[Item, ...]:
    formula = f"tokens x {classes} classes x {value} bytes"
    return (Item("log-probabilities and two gradients of theirs", step.tokens * classes * value, formula, 3),)


def output_layer(step: Step, classes: int, width: int) -> tuple[Item, ...]:
    """Backward of the output layer: the gradients of logits, hidden states and the layer's weight."""
    return (
        Item("gradient of logits", step.hidden(classes), f"tokens x {classes} values"),
        values("gradient of hidden states", step, width),
        _weight("gradient of the output weight", step, classes, width),
    )


def tied_pending(step: Step, classes: int, width: int) -> tuple[Item, ...]:
    """The output layer's share of a tied weight's gradient, which waits for the embedding's."""
    return (_weight("gradient of the tied output weight, until the embedding's", step, classes, width),)


def embedding(step: Step, classes: int, width: int) -> tuple[Item, ...]:
    """The embedding's gradient, which is made dense, and that of its output."""
    return (
        _weight("gradient of the embedding", step, classes, width),
        values("gradient of the embedding's output", step, width),
    )


def tied_embedding(step: Step, classes: int, width: int) -> tuple[Item, ...]:
    """The embedding's share of a tied weight's gradient, and the sum of both shares, a new tensor."""
    return (
        _weight("gradient of the embedding, and its sum with the output layer's", step, classes, width, 2),
    )


def _weight(name: str, step: Step, classes: int, width: int, tensors: int = 1) -> Item:
    return Item(name, classes * width * step.value, f"{classes} x {width} values", tensors)
