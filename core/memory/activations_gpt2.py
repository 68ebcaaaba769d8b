"""Activations of GPT-2 and GPT-3 as ``transformers`` trains them."""

from core.memory.architecture import GPT2
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, tied_embedding, tied_pending
from core.memory.kept import dropout_mask, layer_input, norm_input, values
from core.memory.line import Item

_SOURCE = "transformers/models/gpt2/modeling_gpt2.py"


def gpt2_footprint(model: GPT2, step: Step) -> Footprint:
    """What GPT2LMHeadModel keeps and needs in training mode, with the dropout of 0.1 that it comes with."""
    width = model.width
    sublayers = (_attention(model, step), _feed_forward(model, step))
    return Footprint(
        before=(dropout_mask("embedding: dropout mask", step, width),),
        stacks=(Stack("layers", model.layers, sublayers, layer_input(step, width)),),
        beside=(),
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(),
        embedding=tied_embedding(step, model.vocabulary, width),
        source=_SOURCE,
    )


def _attention(model: GPT2, step: Step) -> Sublayer:
    width = model.width
    kept = (
        norm_input("layer inputs", step, width),
        values("attention: normed input", step, width),
        *attention_kept(step, model.heads, width),
        values("attention: output projection's input", step, width),
        dropout_mask("attention: dropout mask", step, width),
    )
    return Sublayer("attention", kept, attention_working(step, model.heads, width, width))


def _feed_forward(model: GPT2, step: Step) -> Sublayer:
    width, hidden = model.width, model.hidden
    kept = (
        norm_input("feed-forward: input", step, width),
        values("feed-forward: normed input", step, width),
        values("feed-forward: GELU in single operations, and its output", step, hidden, 5),
        dropout_mask("feed-forward: dropout mask", step, width),
    )
    return Sublayer("feed-forward", kept, gelu_new_working(step, width, hidden))


def gelu_new_working(step: Step, width: int, hidden: int) -> tuple[Item, ...]:
    """Backward of the output projection, or of a GELU in single operations when one tensor has been freed."""
    weight = Item("gradient of an output weight", width * hidden * step.value, f"{width} x {hidden} values")
    projection = (
        values("gradients in the feed-forward", step, hidden),
        values("gradient of the residual", step, width),
        weight,
    )
    gelu = (values("gradients of a GELU in single operations", step, hidden, 2),)
    return max(projection, gelu, key=lambda items: sum(item.bytes for item in items))
