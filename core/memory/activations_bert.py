"""Activations of BERT as ``transformers`` trains it on masked language modelling."""

from core.memory.architecture import Bert
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import output_layer, plain_loss, tied_pending, token_embedding
from core.memory.line import Item

_SOURCE = "transformers/models/bert/modeling_bert.py"


def bert_footprint(model: Bert, step: Step) -> Footprint:
    """What BertForMaskedLM keeps and needs in training mode, with the dropout of 0.1 that it comes with."""
    width = model.width
    return Footprint(
        before=(_normed("embedding: norm's input", step, width), _mask("embedding", step, width)),
        stacks=(
            Stack(
                "layers",
                model.layers,
                (_attention(model, step), _feed_forward(model, step)),
                _input(model, step),
            ),
        ),
        beside=(),
        after=(
            Item(
                "head: inputs of dense layer and GELU", step.hidden(width, 2), f"2 x tokens x {width} values"
            ),
            _normed("head: norm's input", step, width),
            Item("output layer: input", step.hidden(width), f"tokens x {width} values"),
        ),
        loss=plain_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width, logit_bytes=step.value),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(),
        embedding=token_embedding(step, model.vocabulary, width),
        source=_SOURCE,
    )


def _input(model: Bert, step: Step) -> Item:
    return Item("layer inputs", step.hidden(model.width), f"tokens x {model.width} values")


def _mask(name: str, step: Step, width: int) -> Item:
    return Item(f"{name}: dropout mask", step.dropout_mask(width), f"tokens x {width}")


def _normed(name: str, step: Step, width: int) -> Item:
    return Item(
        name, step.hidden(width) + step.norm_statistics(), f"tokens x {width} values, mean and deviation"
    )


def _attention(model: Bert, step: Step) -> Sublayer:
    width = model.width
    kept = (
        _input(model, step),
        *attention_kept(step, model.heads, width),
        Item("attention: output projection's input", step.hidden(width), f"tokens x {width} values"),
        _mask("attention", step, width),
        _normed("attention: norm's input", step, width),
    )
    return Sublayer("attention", kept, attention_working(step, model.heads, width, width))


def _feed_forward(model: Bert, step: Step) -> Sublayer:
    width, hidden = model.width, model.hidden
    kept = (
        Item("feed-forward: input", step.hidden(width), f"tokens x {width} values"),
        Item(
            "feed-forward: GELU's input and output", step.hidden(hidden, 2), f"2 x tokens x {hidden} values"
        ),
        _mask("feed-forward", step, width),
        _normed("feed-forward: norm's input", step, width),
    )
    working = Item(
        "gradients in the feed-forward",
        step.hidden(hidden) + width * hidden * step.value,
        f"tokens x {hidden} and {width} x {hidden} values",
    )
    return Sublayer("feed-forward", kept, working)
