"""Activations of T5 as ``transformers`` trains it: an encoder, and a decoder that attends to it."""

from collections.abc import Iterator

from core.memory.architecture import T5
from core.memory.attention import attention_kept, attention_working
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import output_layer, plain_loss, tied_pending, token_embedding
from core.memory.line import Item

_SOURCE = "transformers/models/t5/modeling_t5.py"
_FLOAT32 = 4


def t5_footprint(model: T5, step: Step) -> Footprint:
    """What T5ForConditionalGeneration keeps and needs in training mode, with its dropout of 0.1.

    Source and target are of the same length.
    """
    width = model.width
    biases = model.heads * step.length * step.length * step.value
    feed_forward = _feed_forward(model, step)
    own = _attention(model, step, "self-attention")
    cross = _attention(model, step, "cross-attention")
    return Footprint(
        before=(Item("embeddings: dropout masks", 2 * step.dropout_mask(width), f"2 x tokens x {width}"),),
        stacks=(
            Stack("encoder layers", model.layers, (own, feed_forward), _input(model, step)),
            Stack("decoder layers", model.layers, (own, cross, feed_forward), _input(model, step)),
        ),
        beside=(
            Item("encoder's output", step.hidden(width), f"tokens x {width} values"),
            Item("encoder's last norm", _norm_bytes(step, width), _norm_formula(step, width)),
            Item("encoder's last dropout mask", step.dropout_mask(width), f"tokens x {width}"),
            *_position_biases(model, step, biases),
        ),
        after=(
            Item(
                "decoder's last norm: input and what it keeps",
                step.hidden(width) + _norm_bytes(step, width),
                f"tokens x {width} values; {_norm_formula(step, width)}",
            ),
            Item("decoder's last dropout mask", step.dropout_mask(width), f"tokens x {width}"),
            Item("output layer: input", step.hidden(width), f"tokens x {width} values"),
        ),
        loss=plain_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width, logit_bytes=step.value),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(
            Item(
                "gradients of relative position biases",
                2 * biases,
                f"2 x {model.heads} heads x {step.length}^2 values",
            ),
        ),
        embedding=token_embedding(step, model.vocabulary, width),
        source=_SOURCE,
    )


def _position_biases(model: T5, step: Step, biases: int) -> Iterator[Item]:
    yield Item("relative position biases: buckets", 2 * step.length**2 * 8, f"2 x {step.length}^2 x 8 bytes")
    if step.checkpointed:
        yield Item(
            "position biases of encoder, decoder and cross-attention, held to recompute",
            3 * biases,
            f"3 x {model.heads} heads x {step.length}^2 values",
        )


def _input(model: T5, step: Step) -> Item:
    return Item("layer inputs", step.hidden(model.width), f"tokens x {model.width} values")


def _norm_bytes(step: Step, width: int) -> int:
    """What T5's norm keeps beyond its input: deviations, normed values, and in 16 bits a float32 input."""
    upcast = 0 if step.value == _FLOAT32 else step.tokens * width * _FLOAT32
    return step.hidden(width) + step.tokens * _FLOAT32 + upcast


def _norm_formula(step: Step, width: int) -> str:
    upcast = "" if step.value == _FLOAT32 else f" and x {width} x 4 bytes"
    return f"tokens x {width} values{upcast}, deviation"


def _attention(model: T5, step: Step, name: str) -> Sublayer:
    width, inner = model.width, model.inner
    kept = (
        _input(model, step),
        Item(
            f"{name}: norm, and normed input",
            _norm_bytes(step, width) + step.hidden(width),
            f"{_norm_formula(step, width)}; tokens x {width} values",
        ),
        *attention_kept(step, model.heads, inner, name),
        Item(f"{name}: output projection's input", step.hidden(inner), f"tokens x {inner} values"),
        Item(f"{name}: dropout mask", step.dropout_mask(width), f"tokens x {width}"),
    )
    return Sublayer(name, kept, attention_working(step, model.heads, inner, width))


def _feed_forward(model: T5, step: Step) -> Sublayer:
    width, hidden = model.width, model.hidden
    kept = (
        Item(
            "feed-forward: input, norm, and normed input",
            _norm_bytes(step, width) + step.hidden(width, 2),
            f"2 x tokens x {width} values; {_norm_formula(step, width)}",
        ),
        Item(
            "feed-forward: ReLU's output, with and without dropout",
            step.hidden(hidden, 2),
            f"2 x tokens x {hidden} values",
        ),
        Item(
            "feed-forward: dropout masks",
            step.dropout_mask(hidden) + step.dropout_mask(width),
            f"tokens x ({hidden} + {width})",
        ),
    )
    working = Item(
        "gradients in the feed-forward",
        step.hidden(width) + step.hidden(hidden) + width * hidden * step.value,
        f"tokens x ({width} + {hidden}) and {width} x {hidden} values",
    )
    return Sublayer("feed-forward", kept, working)
