"""Activations of DALL-E: ours (Borzunov et al., 2022), and the original one (Ramesh et al., 2021)."""

from dataclasses import replace

from core.memory.activations_gpt2 import gelu_new_working
from core.memory.architecture import OriginalDalle
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, tied_embedding, tied_pending
from core.memory.kept import layer_input, norm_input, values
from core.memory.line import Item
from core.memory.techniques import Activations, Techniques
from core.model.config import ModelConfig

_SOURCE = "core/model"
_FLOAT32 = 4


def original_dalle_footprint(model: OriginalDalle, step: Step) -> Footprint:
    """Pre-norm layers with a fused GELU and no dropout; scores are made only where the pattern sees."""
    width, hidden = model.width, model.hidden
    keys = model.text_length + model.window**2
    scores = step.tokens * model.heads * keys * step.value
    attention = Sublayer(
        "attention",
        (
            norm_input("layer inputs", step, width),
            values("attention: normed input", step, width),
            values("attention: query, key, value, output", step, width, 4),
        ),
        (
            Item(
                "probabilities and their gradients", scores, f"tokens x {model.heads} heads x {keys} keys", 2
            ),
            values("gradients of query, key, value and output", step, width, 4),
        ),
    )
    feed_forward = Sublayer(
        "feed-forward",
        (
            norm_input("feed-forward: input", step, width),
            values("feed-forward: normed input", step, width),
            values("feed-forward: GELU's input and output", step, hidden, 2),
        ),
        gelu_new_working(step, width, hidden),
    )
    return Footprint(
        before=(),
        stacks=(Stack("layers", model.layers, (attention, feed_forward), layer_input(step, width)),),
        beside=(),
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.classes),
        head=output_layer(step, model.classes, width),
        pending=tied_pending(step, model.classes, width),
        adding_up=(),
        embedding=tied_embedding(step, model.classes, width),
        source="Ramesh et al., 2021, section 2.2 and appendix B.1",
    )


def dalle_footprint(config: ModelConfig, step: Step, techniques: Techniques) -> Footprint:
    """What ``core.model.transformer.Transformer`` keeps and needs."""
    width, hidden = config.dim, config.feed_forward_factor * config.dim
    inner = config.heads * config.dim_head
    streams = 2 if config.reversible else 1
    inputs = values("layer inputs", step, width, streams)
    line = config.text_positions + config.grid
    scores = step.tokens * config.heads * line * step.value
    probabilities = Item("attention: probabilities", scores, f"tokens x {config.heads} heads x {line} keys")
    attention = Sublayer(
        "attention",
        (
            inputs,
            norm_input("attention: normed input", step, width),
            values("attention: query, key, value, output", step, inner, 4),
            probabilities,
            values("attention: branch", step, width),
        ),
        (replace(probabilities, tensors=2), values("gradients in attention", step, inner, 3)),
    )
    feed_forward = Sublayer(
        "feed-forward",
        (
            norm_input("feed-forward: normed input", step, width),
            values("feed-forward: GEGLU", step, hidden, 3),
            values("feed-forward: branch", step, width),
        ),
        (
            values("gradients in the feed-forward", step, hidden, 3),
            Item("gradient of weights", 2 * width * hidden * step.value, f"{width} x {2 * hidden} values"),
        ),
    )
    stack = Stack("layers", config.depth, (attention, feed_forward), inputs)
    if techniques.activations is Activations.REVERSE:
        stack = replace(stack, checkpoint=replace(inputs, each=0))
    classes = config.text_classes + config.image_vocab
    chunk = min(techniques.loss_chunk or 1 << 62, step.tokens * config.text_classes) * _FLOAT32
    weight = Item("gradient of the head", classes * width * step.value, f"{classes} x {width} values")
    return Footprint(
        before=(values("streams", step, width, 2),),
        stacks=(stack,),
        beside=(),
        after=(norm_input("last norm: input", step, width),),
        loss=(Item("logits of a chunk", chunk, f"{chunk // _FLOAT32} x 4 bytes"), weight),
        head=(weight,),
        pending=(),
        adding_up=(),
        embedding=(weight,),
        source=_SOURCE,
    )
