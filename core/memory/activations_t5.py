"""Activations of T5 as ``transformers`` trains it: an encoder, and a decoder that attends to it."""

from core.memory.architecture import T5
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import output_layer, plain_loss, tied_embedding, tied_pending
from core.memory.kept import FLOAT32, dropout_mask, float32_values, layer_input, values
from core.memory.line import Item

_SOURCE = "transformers/models/t5/modeling_t5.py"


def t5_footprint(model: T5, step: Step) -> Footprint:
    """What T5ForConditionalGeneration keeps and needs in training mode, with its dropout of 0.1.

    Source and target are of the same length.
    """
    width, start = model.width, layer_input(step, model.width)
    own, cross = _attention(model, step, "self-attention"), _attention(model, step, "cross-attention")
    feed_forward = _feed_forward(model, step)
    return Footprint(
        before=(dropout_mask("embedding: dropout mask", step, width),) * 2,
        stacks=(
            Stack("encoder layers", model.layers, (own, feed_forward), start),
            Stack("decoder layers", model.layers, (own, cross, feed_forward), start),
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
        source=_SOURCE,
    )


def _biases(name: str, model: T5, step: Step, tensors: int) -> Item:
    size = model.heads * step.length**2 * step.value
    return Item(name, size, f"{model.heads} heads x {step.length}^2 values", tensors)


def _position_biases(model: T5, step: Step) -> tuple[Item, ...]:
    name = "relative position biases: buckets"
    buckets = Item(name, step.length**2 * 8, f"{step.length}^2 x 8 bytes", tensors=2)
    if not step.checkpointed:
        return (buckets,)
    return buckets, _biases("position biases of all attention, held to recompute", model, step, 3)


def _norm(name: str, step: Step, width: int) -> tuple[Item, ...]:
    """What T5's norm keeps beyond its input: normed values and deviations; in 16 bits, its input in float32."""
    size = step.hidden(width) + step.tokens * FLOAT32
    normed = Item(f"{name}: normed values", size, f"tokens x {width} values, deviation")
    if step.value == FLOAT32:
        return (normed,)
    return normed, float32_values(f"{name}: input in float32", step, width)


def _attention(model: T5, step: Step, name: str) -> Sublayer:
    width, inner = model.width, model.inner
    kept = (
        layer_input(step, width),
        *_norm(f"{name}: norm", step, width),
        values(f"{name}: input of query, key, value", step, width),
        *attention_kept(step, model.heads, inner, name),
        values(f"{name}: output projection's input", step, inner),
        dropout_mask(f"{name}: dropout mask", step, width),
    )
    return Sublayer(name, kept, attention_working(step, model.heads, inner, width))


def _feed_forward(model: T5, step: Step) -> Sublayer:
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
    return Sublayer("feed-forward", kept, working)
