"""Activations of GPT-2 and GPT-3 as ``transformers`` trains them."""

from core.memory.architecture import GPT2
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, tied_pending, token_embedding
from core.memory.line import Item

_SOURCE = "transformers/models/gpt2/modeling_gpt2.py"


def gpt2_footprint(model: GPT2, step: Step) -> Footprint:
    """What GPT2LMHeadModel keeps and needs in training mode, with the dropout of 0.1 that it comes with."""
    return Footprint(
        before=(_mask("embedding", step, model.width),),
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
                "last norm: input and statistics",
                step.hidden(model.width) + step.norm_statistics(),
                f"tokens x {model.width} values, mean and deviation",
            ),
            Item("output layer: input", step.hidden(model.width), f"tokens x {model.width} values"),
        ),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, model.width, logit_bytes=step.value),
        pending=tied_pending(step, model.vocabulary, model.width),
        adding_up=(),
        embedding=token_embedding(step, model.vocabulary, model.width),
        source=_SOURCE,
    )


def _input(model: GPT2, step: Step) -> Item:
    return Item("layer inputs", step.hidden(model.width), f"tokens x {model.width} values")


def _mask(name: str, step: Step, width: int) -> Item:
    return Item(f"{name}: dropout mask", step.dropout_mask(width), f"tokens x {width}")


def _attention(model: GPT2, step: Step) -> Sublayer:
    width = model.width
    kept = (
        _input(model, step),
        Item(
            "attention: normed input",
            step.hidden(width) + step.norm_statistics(),
            f"tokens x {width} values, mean and deviation",
        ),
        *attention_kept(step, model.heads, width),
        Item("attention: output projection's input", step.hidden(width), f"tokens x {width} values"),
        _mask("attention", step, width),
    )
    return Sublayer("attention", kept, attention_working(step, model.heads, width, width))


def _feed_forward(model: GPT2, step: Step) -> Sublayer:
    width, hidden = model.width, model.hidden
    kept = (
        Item(
            "feed-forward: input and normed input",
            step.hidden(width, 2) + step.norm_statistics(),
            f"2 x tokens x {width} values, mean and deviation",
        ),
        Item(
            "feed-forward: GELU in single operations, and its output",
            step.hidden(hidden, 5),
            f"5 x tokens x {hidden} values",
        ),
        _mask("feed-forward", step, width),
    )
    return Sublayer("feed-forward", kept, gelu_new_working(step, width, hidden))


def gelu_new_working(step: Step, width: int, hidden: int) -> Item:
    """Backward of the output projection, or of a GELU in single operations when one tensor has been freed."""
    projection = step.hidden(hidden) + step.hidden(width) + width * hidden * step.value
    gelu = step.hidden(hidden, 2)
    if projection > gelu:
        formula = f"tokens x ({hidden} + {width}) and {width} x {hidden} values"
    else:
        formula = f"2 x tokens x {hidden} values"
    return Item("gradients in the feed-forward", max(projection, gelu), formula)
