"""Activations of DALL-E: ours (Borzunov et al., 2022), and the original one (Ramesh et al., 2021)."""

from dataclasses import replace

from core.memory.activations_gpt2 import gelu_new_working
from core.memory.architecture import OriginalDalle
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, tied_pending, token_embedding
from core.memory.line import Item
from core.memory.techniques import Activations, Techniques
from core.model.config import ModelConfig

_SOURCE = "core/model"
_FLOAT32 = 4


def original_dalle_footprint(model: OriginalDalle, step: Step) -> Footprint:
    """Pre-norm layers with a fused GELU and no dropout; scores are made only where the pattern sees."""
    width, hidden = model.width, model.hidden
    inputs = _item("layer inputs", step.hidden(width), f"tokens x {width} values")
    keys = model.text_length + model.window * model.window
    scores = 2 * step.tokens * model.heads * keys * step.value
    attention = Sublayer(
        "attention",
        (
            inputs,
            _normed("attention", step, width),
            _item(
                "attention: query, key, value, output", step.hidden(width, 4), f"4 x tokens x {width} values"
            ),
        ),
        _item(
            "probabilities of a layer and their gradients",
            scores + step.hidden(width, 4),
            f"2 x tokens x {model.heads} heads x {keys} keys and 4 x tokens x {width} values",
        ),
    )
    feed_forward = Sublayer(
        "feed-forward",
        (
            _item("feed-forward: input", step.hidden(width), f"tokens x {width} values"),
            _normed("feed-forward", step, width),
            _item(
                "feed-forward: GELU's input and output",
                step.hidden(hidden, 2),
                f"2 x tokens x {hidden} values",
            ),
        ),
        gelu_new_working(step, width, hidden),
    )
    return Footprint(
        before=(),
        stacks=(Stack("layers", model.layers, (attention, feed_forward), inputs),),
        beside=(),
        after=(_normed("last norm", step, width),),
        loss=causal_loss(step, model.classes),
        head=output_layer(step, model.classes, width, logit_bytes=step.value),
        pending=tied_pending(step, model.classes, width),
        adding_up=(),
        embedding=token_embedding(step, model.classes, width),
        source="Ramesh et al., 2021, section 2.2 and appendix B.1",
    )


def dalle_footprint(config: ModelConfig, step: Step, techniques: Techniques) -> Footprint:
    """What ``core.model.transformer.Transformer`` keeps and needs."""
    width, hidden = config.dim, config.feed_forward_factor * config.dim
    inner = config.heads * config.dim_head
    streams = 2 if config.reversible else 1
    inputs = _item("layer inputs", streams * step.hidden(width), f"{streams} x tokens x {width} values")
    line = config.text_positions + config.grid
    scores = step.tokens * config.heads * line * step.value
    attention = Sublayer(
        "attention",
        (
            inputs,
            _normed("attention", step, width),
            _item(
                "attention: query, key, value, output", step.hidden(inner, 4), f"4 x tokens x {inner} values"
            ),
            _item("attention: probabilities", scores, f"tokens x {config.heads} heads x {line} keys"),
            _item("attention: branch", step.hidden(width), f"tokens x {width} values"),
        ),
        _item(
            "gradients in attention",
            2 * scores + step.hidden(inner, 3),
            f"2 x tokens x {config.heads} heads x {line} keys and 3 x tokens x {inner} values",
        ),
    )
    feed_forward = Sublayer(
        "feed-forward",
        (
            _normed("feed-forward", step, width),
            _item("feed-forward: GEGLU", step.hidden(hidden, 3), f"3 x tokens x {hidden} values"),
            _item("feed-forward: branch", step.hidden(width), f"tokens x {width} values"),
        ),
        _item(
            "gradients in the feed-forward",
            step.hidden(hidden, 3) + 2 * width * hidden * step.value,
            f"3 x tokens x {hidden} values, {width} x {2 * hidden} values",
        ),
    )
    stack = Stack("layers", config.depth, (attention, feed_forward), inputs)
    if techniques.activations is Activations.REVERSE:
        stack = replace(stack, checkpoint=_item("layer inputs", 0, "none: rebuilt from the outputs"))
    classes = config.text_classes + config.image_vocab
    chunk = min(techniques.loss_chunk or 1 << 62, step.tokens * config.text_classes) * _FLOAT32
    return Footprint(
        before=(_item("streams", step.hidden(width, 2), f"2 x tokens x {width} values"),),
        stacks=(stack,),
        beside=(),
        after=(_normed("last norm", step, width),),
        loss=_item("logits of a chunk, and gradients of the head", chunk + classes * width * step.value, ""),
        head=_item("gradient of the head", classes * width * step.value, f"{classes} x {width} values"),
        pending=tied_pending(step, classes, width),
        adding_up=(),
        embedding=token_embedding(step, classes, width),
        source=_SOURCE,
    )


def _item(name: str, size: int, formula: str) -> Item:
    return Item(name, size, formula)


def _normed(name: str, step: Step, width: int) -> Item:
    return Item(
        f"{name}: normed input",
        step.hidden(width) + step.norm_statistics(),
        f"tokens x {width} values, mean and deviation",
    )
