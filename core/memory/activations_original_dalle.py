"""Activations of the original DALL-E (Ramesh et al., 2021): nobody published code that trains it."""

from core.memory.activations_gpt2 import gelu_new_working
from core.memory.architecture import OriginalDalle
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, tied_embedding, tied_pending
from core.memory.kept import layer_input, norm_input, values
from core.memory.line import Item

_SOURCE = "Ramesh et al., 2021, section 2.2 and appendix B.1"


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
        source=_SOURCE,
    )
