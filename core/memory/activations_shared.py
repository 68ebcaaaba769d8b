"""Activations that models of several families share: hidden values, attention, and a language model's ends.

With dropout, torch 2.13 has no fused attention kernel on a CPU and computes scores explicitly, in float32 whatever
the precision (``aten/src/ATen/native/transformers/attention.cpp``, ``_scaled_dot_product_attention_math``). On CUDA
it takes FlashAttention (Dao et al., 2022) or the memory-efficient kernel (Rabe and Staats, 2021), which keep their
inputs, their output and one float32 a query. torch's cross-entropy keeps the log-probabilities
(``aten/src/ATen/native/LossNLL.cpp``, ``SoftMax.cpp``), and its backward pass holds two gradients of their size
beside them.
"""

from core.memory.footprint import Item, StepSizes

FLOAT32 = 4


def values(name: str, step: StepSizes, width: int, tensors: int = 1) -> Item:
    """Return tensors of (batch, length, width) in the precision of the model.

    Args:
        name: Name of the tensors in the table.
        step: Sizes of the micro-step.
        width: Channels.
        tensors: Number of tensors.
    """
    return Item(name, step.hidden(width), f"tokens x {width} values", tensors)


def float32_values(name: str, step: StepSizes, width: int, tensors: int = 1) -> Item:
    """Return tensors of (batch, length, width) in float32, whatever the precision of the model.

    Args:
        name: Name of the tensors in the table.
        step: Sizes of the micro-step.
        width: Channels.
        tensors: Number of tensors.
    """
    return Item(name, step.tokens * width * FLOAT32, f"tokens x {width} x 4 bytes", tensors)


def layer_input(step: StepSizes, width: int) -> Item:
    """Return the input of a layer of ``width``, all that gradient checkpointing keeps of it (Chen et al., 2016), in
    a ``step``."""
    return values("layer inputs", step, width)


def norm_input(name: str, step: StepSizes, width: int) -> Item:
    """Return the tensors that a LayerNorm keeps: its input, and a mean and a deviation of each position.

    Args:
        name: Name of the tensors in the table.
        step: Sizes of the micro-step.
        width: Channels.
    """
    size = step.hidden(width) + step.norm_statistics()
    return Item(name, size, f"tokens x {width} values, mean and deviation")


def dropout_mask(name: str, step: StepSizes, width: int) -> Item:
    """Return a mask over (batch, length, width): CUDA's has a byte a value, the CPU's has values.

    Args:
        name: Name of the mask in the table.
        step: Sizes of the micro-step.
        width: Channels.
    """
    unit = "bytes" if step.gpu else "values"
    return Item(name, step.dropout_mask(width), f"tokens x {width} {unit}")


def attention_kept(step: StepSizes, heads: int, inner: int, name: str = "attention") -> tuple[Item, ...]:
    """Return the tensors that attention keeps beyond its output, which the output projection keeps as its input.

    Args:
        step: Sizes of the micro-step.
        heads: Number of heads.
        inner: Channels of all heads together.
        name: Name of the attention in the table.
    """
    if step.gpu:
        return (
            values(f"{name}: query, key, value", step, inner, 3),
            Item(f"{name}: log-sum-exp", step.tokens * heads * FLOAT32, f"tokens x {heads} heads x 4 bytes"),
        )
    return (
        float32_values(f"{name}: query, key, value in float32", step, inner, 3),
        _scores(f"{name}: probabilities, dropout mask, their product", step, heads, 3),
    )


def attention_working(step: StepSizes, heads: int, inner: int, width: int) -> tuple[Item, ...]:
    """Return the tensors that attention's backward pass holds beyond those that are kept.

    Args:
        step: Sizes of the micro-step.
        heads: Number of heads.
        inner: Channels of all heads together.
        width: Channels of the model.
    """
    residual = values("gradient of the residual", step, width)
    if step.gpu:
        return residual, values("gradients of query, key, value and output", step, inner, 4)
    # Two gradients of scores at once, when the product of probabilities and mask has been freed.
    return (
        residual,
        float32_values("gradient of the attention's output", step, inner),
        _scores("gradients of attention scores, less one freed tensor", step, heads, 1),
    )


def _scores(name: str, step: StepSizes, heads: int, tensors: int) -> Item:
    formula = f"batch x {heads} heads x {step.length}^2 x 4 bytes"
    return Item(name, step.scores(heads) * FLOAT32, formula, tensors)


def causal_loss(step: StepSizes, classes: int) -> tuple[Item, ...]:
    """Return the tensors of the loss of a causal model over ``classes`` in a ``step``.

    Causal models in ``transformers`` convert their logits to float32 (``loss/loss_utils.py``).
    """
    return _loss(step, classes, FLOAT32)


def plain_loss(step: StepSizes, classes: int) -> tuple[Item, ...]:
    """Return the tensors of the loss of BERT and T5 over ``classes`` in a ``step``: logits keep the model's
    precision."""
    return _loss(step, classes, step.value)


def _loss(step: StepSizes, classes: int, value: int) -> tuple[Item, ...]:
    formula = f"tokens x {classes} classes x {value} bytes"
    return (Item("log-probabilities and two gradients of theirs", step.tokens * classes * value, formula, 3),)


def output_layer(step: StepSizes, classes: int, width: int) -> tuple[Item, ...]:
    """Return the tensors of the output layer's backward pass: gradients of logits, hidden states and its weight.

    Args:
        step: Sizes of the micro-step.
        classes: Size of the vocabulary.
        width: Channels of the model.
    """
    return (
        Item("gradient of logits", step.hidden(classes), f"tokens x {classes} values"),
        values("gradient of hidden states", step, width),
        _weight("gradient of the output weight", step, classes, width),
    )


def tied_pending(step: StepSizes, classes: int, width: int) -> tuple[Item, ...]:
    """Return the output layer's share of a tied weight's gradient, which waits for the embedding's.

    Args:
        step: Sizes of the micro-step.
        classes: Size of the vocabulary.
        width: Channels of the model.
    """
    return (_weight("gradient of the tied output weight, until the embedding's", step, classes, width),)


def embedding(step: StepSizes, classes: int, width: int) -> tuple[Item, ...]:
    """Return the embedding's gradient, which is made dense, and that of its output.

    Args:
        step: Sizes of the micro-step.
        classes: Size of the vocabulary.
        width: Channels of the model.
    """
    return (
        _weight("gradient of the embedding", step, classes, width),
        values("gradient of the embedding's output", step, width),
    )


def tied_embedding(step: StepSizes, classes: int, width: int) -> tuple[Item, ...]:
    """Return the embedding's share of a tied weight's gradient, and the sum of both shares, a new tensor.

    Args:
        step: Sizes of the micro-step.
        classes: Size of the vocabulary.
        width: Channels of the model.
    """
    return (
        _weight("gradient of the embedding, and its sum with the output layer's", step, classes, width, 2),
    )


def _weight(name: str, step: StepSizes, classes: int, width: int, tensors: int = 1) -> Item:
    return Item(name, classes * width * step.value, f"{classes} x {width} values", tensors)
