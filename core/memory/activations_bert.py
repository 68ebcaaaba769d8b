"""Activations of BERT as ``transformers`` trains it on masked language modelling."""

from core.memory.architecture import Bert
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import output_layer, plain_loss, tied_embedding, tied_pending
from core.memory.kept import dropout_mask, layer_input, norm_input, values
from core.memory.line import Item

_SOURCE = "transformers/models/bert/modeling_bert.py"


def bert_footprint(model: Bert, step: Step) -> Footprint:
    """What BertForMaskedLM keeps and needs in training mode, with the dropout of 0.1 that it comes with."""
    width = model.width
    sublayers = (_attention(model, step), _feed_forward(model, step))
    return Footprint(
        before=(
            norm_input("embedding: norm's input", step, width),
            dropout_mask("embedding: dropout mask", step, width),
        ),
        stacks=(Stack("layers", model.layers, sublayers, layer_input(step, width)),),
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
        source=_SOURCE,
    )


def _attention(model: Bert, step: Step) -> Sublayer:
    width = model.width
    kept = (
        layer_input(step, width),
        *attention_kept(step, model.heads, width),
        values("attention: output projection's input", step, width),
        dropout_mask("attention: dropout mask", step, width),
        norm_input("attention: norm's input", step, width),
    )
    return Sublayer("attention", kept, attention_working(step, model.heads, width, width))


def _feed_forward(model: Bert, step: Step) -> Sublayer:
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
    return Sublayer("feed-forward", kept, working)
