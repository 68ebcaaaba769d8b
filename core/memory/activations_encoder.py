"""Activations of BERT and T5."""

from core.memory.activations_shared import (
    FLOAT32,
    attention_kept,
    attention_working,
    dropout_mask,
    float32_values,
    layer_input,
    norm_input,
    output_layer,
    plain_loss,
    tied_embedding,
    tied_pending,
    values,
)
from core.memory.footprint import Footprint, Item, StackFootprint, StepSizes, SublayerFootprint
from core.memory.models import T5, Bert

_BERT_SOURCE = "transformers/models/bert/modeling_bert.py"


def bert_footprint(model: Bert, step: StepSizes) -> Footprint:
    """Return the activations of BertForMaskedLM in training mode, with its default dropout of 0.1.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
    """
    width = model.width
    sublayers = (_bert_attention(model, step), _bert_feed_forward(model, step))
    return Footprint(
        before=(
            norm_input("embedding: norm's input", step, width),
            dropout_mask("embedding: dropout mask", step, width),
        ),
        stacks=(StackFootprint("layers", model.layers, sublayers, layer_input(step, width)),),
        beside=(),
        after=(
            values("head: inputs of dense layer and GELU", step, width, 2),
            norm_input("head: norm's input", step, width),
            values("output layer: input", step, width),
        ),
        loss=plain_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(),
        embedding=tied_embedding(step, model.vocabulary, width),
        source=_BERT_SOURCE,
    )


def _bert_attention(model: Bert, step: StepSizes) -> SublayerFootprint:
    width = model.width
    kept = (
        layer_input(step, width),
        *attention_kept(step, model.heads, width),
        values("attention: output projection's input", step, width),
        dropout_mask("attention: dropout mask", step, width),
        norm_input("attention: norm's input", step, width),
    )
    return SublayerFootprint("attention", kept, attention_working(step, model.heads, width, width))


def _bert_feed_forward(model: Bert, step: StepSizes) -> SublayerFootprint:
    width, hidden = model.width, model.hidden
    kept = (
        values("feed-forward: input", step, width),
        values("feed-forward: GELU's input and output", step, hidden, 2),
        dropout_mask("feed-forward: dropout mask", step, width),
        norm_input("feed-forward: norm's input", step, width),
    )
    working = (
        values("gradients in the feed-forward", step, hidden),
        Item("gradient of an output weight", width * hidden * step.value, f"{width} x {hidden} values"),
    )
    return SublayerFootprint("feed-forward", kept, working)


_T5_SOURCE = "transformers/models/t5/modeling_t5.py"


def t5_footprint(model: T5, step: StepSizes) -> Footprint:
    """Return the activations of T5ForConditionalGeneration in training mode, with its dropout of 0.1.

    Source and target are of the same length.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
    """
    width, start = model.width, layer_input(step, model.width)
    own, cross = _t5_attention(model, step, "self-attention"), _t5_attention(model, step, "cross-attention")
    feed_forward = _t5_feed_forward(model, step)
    return Footprint(
        before=(dropout_mask("embedding: dropout mask", step, width),) * 2,
        stacks=(
            StackFootprint("encoder layers", model.layers, (own, feed_forward), start),
            StackFootprint("decoder layers", model.layers, (own, cross, feed_forward), start),
        ),
        beside=(
            values("encoder's output", step, width),
            *_norm("encoder's last norm", step, width),
            dropout_mask("encoder's last dropout mask", step, width),
            *_position_biases(model, step),
        ),
        after=(
            values("decoder's last norm: input", step, width),
            *_norm("decoder's last norm", step, width),
            dropout_mask("decoder's last dropout mask", step, width),
            values("output layer: input", step, width),
        ),
        loss=plain_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(_biases("gradients of relative position biases", model, step, 2),),
        embedding=tied_embedding(step, model.vocabulary, width),
        source=_T5_SOURCE,
    )


def _biases(name: str, model: T5, step: StepSizes, tensors: int) -> Item:
    size = model.heads * step.length**2 * step.value
    return Item(name, size, f"{model.heads} heads x {step.length}^2 values", tensors)


def _position_biases(model: T5, step: StepSizes) -> tuple[Item, ...]:
    name = "relative position biases: buckets"
    buckets = Item(name, step.length**2 * 8, f"{step.length}^2 x 8 bytes", tensors=2)
    if not step.checkpointed:
        return (buckets,)
    return buckets, _biases("position biases of all attention, held to recompute", model, step, 3)


def _norm(name: str, step: StepSizes, width: int) -> tuple[Item, ...]:
    """Return the tensors of T5's norm beyond its input: normed values and deviations; in 16 bits, its input in
    float32."""
    size = step.hidden(width) + step.tokens * FLOAT32
    normed = Item(f"{name}: normed values", size, f"tokens x {width} values, deviation")
    if step.value == FLOAT32:
        return (normed,)
    return normed, float32_values(f"{name}: input in float32", step, width)


def _t5_attention(model: T5, step: StepSizes, name: str) -> SublayerFootprint:
    width, inner = model.width, model.inner
    kept = (
        layer_input(step, width),
        *_norm(f"{name}: norm", step, width),
        values(f"{name}: input of query, key, value", step, width),
        *attention_kept(step, model.heads, inner, name),
        values(f"{name}: output projection's input", step, inner),
        dropout_mask(f"{name}: dropout mask", step, width),
    )
    return SublayerFootprint(name, kept, attention_working(step, model.heads, inner, width))


def _t5_feed_forward(model: T5, step: StepSizes) -> SublayerFootprint:
    width, hidden = model.width, model.hidden
    kept = (
        values("feed-forward: input, and input of its first layer", step, width, 2),
        *_norm("feed-forward: norm", step, width),
        values("feed-forward: ReLU's output, before and after dropout", step, hidden, 2),
        dropout_mask("feed-forward: inner dropout mask", step, hidden),
        dropout_mask("feed-forward: dropout mask", step, width),
    )
    working = (
        values("gradient of the residual", step, width),
        values("gradients in the feed-forward", step, hidden),
        Item("gradient of an output weight", width * hidden * step.value, f"{width} x {hidden} values"),
    )
    return SublayerFootprint("feed-forward", kept, working)
