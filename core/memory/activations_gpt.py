"""Activations of GPT-2, GPT-J and the original DALL-E."""

from core.memory.activations_shared import (
    FLOAT32,
    attention_kept,
    attention_working,
    causal_loss,
    dropout_mask,
    embedding,
    float32_values,
    layer_input,
    norm_input,
    output_layer,
    tied_embedding,
    tied_pending,
    values,
)
from core.memory.footprint import Footprint, Item, StackFootprint, StepSizes, SublayerFootprint
from core.memory.models import GPT2, GPTJ, OriginalDalle

_GPT2_SOURCE = "transformers/models/gpt2/modeling_gpt2.py"


def gpt2_footprint(model: GPT2, step: StepSizes) -> Footprint:
    """Return the activations of GPT2LMHeadModel in training mode, with its default dropout of 0.1.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
    """
    width = model.width
    sublayers = (_gpt2_attention(model, step), _gpt2_feed_forward(model, step))
    return Footprint(
        before=(dropout_mask("embedding: dropout mask", step, width),),
        stacks=(StackFootprint("layers", model.layers, sublayers, layer_input(step, width)),),
        beside=(),
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=tied_pending(step, model.vocabulary, width),
        adding_up=(),
        embedding=tied_embedding(step, model.vocabulary, width),
        source=_GPT2_SOURCE,
    )


def _gpt2_attention(model: GPT2, step: StepSizes) -> SublayerFootprint:
    width = model.width
    kept = (
        norm_input("layer inputs", step, width),
        values("attention: normed input", step, width),
        *attention_kept(step, model.heads, width),
        values("attention: output projection's input", step, width),
        dropout_mask("attention: dropout mask", step, width),
    )
    return SublayerFootprint("attention", kept, attention_working(step, model.heads, width, width))


def _gpt2_feed_forward(model: GPT2, step: StepSizes) -> SublayerFootprint:
    width, hidden = model.width, model.hidden
    kept = (
        norm_input("feed-forward: input", step, width),
        values("feed-forward: normed input", step, width),
        values("feed-forward: GELU in single operations, and its output", step, hidden, 5),
        dropout_mask("feed-forward: dropout mask", step, width),
    )
    return SublayerFootprint("feed-forward", kept, gelu_new_working(step, width, hidden))


def gelu_new_working(step: StepSizes, width: int, hidden: int) -> tuple[Item, ...]:
    """Return the tensors of the backward pass of an output projection, or of a GELU in single operations.

    One tensor of the GELU has been freed by then.

    Args:
        step: Sizes of the micro-step.
        width: Channels of the model.
        hidden: Channels inside the feed-forward sublayer.
    """
    weight = Item("gradient of an output weight", width * hidden * step.value, f"{width} x {hidden} values")
    projection = (
        values("gradients in the feed-forward", step, hidden),
        values("gradient of the residual", step, width),
        weight,
    )
    gelu = (values("gradients of a GELU in single operations", step, hidden, 2),)
    return max(projection, gelu, key=lambda items: sum(item.bytes for item in items))


_GPTJ_SOURCE = "transformers/models/gptj/modeling_gptj.py"


def gptj_footprint(model: GPTJ, step: StepSizes) -> Footprint:
    """Return the activations of GPTJForCausalLM; it comes without dropout, and computes scores in float32.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
    """
    width = model.width
    sublayers = (_gptj_attention(model, step), _gptj_feed_forward(model, step))
    mask = Item("causal mask", step.batch * step.length**2 * step.value, f"batch x {step.length}^2 values")
    return Footprint(
        before=(),
        stacks=(StackFootprint("layers", model.layers, sublayers, layer_input(step, width)),),
        beside=(mask,) if step.checkpointed else (),  # held to compute the scores again
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=(),
        adding_up=(),
        embedding=embedding(step, model.vocabulary, width),
        source=_GPTJ_SOURCE,
    )


def _gptj_attention(model: GPTJ, step: StepSizes) -> SublayerFootprint:
    width = model.width
    kept = (
        norm_input("layer inputs", step, width),
        values("normed input of attention and feed-forward", step, width),
        float32_values("attention: rotated query and key in float32", step, width, 2),
        values("attention: value, and output projection's input", step, width, 2),
        Item(
            "attention: rotary sines and cosines",
            step.length * model.rotary * step.value,
            f"{step.length} x {model.rotary} values",
            tensors=4,
        ),
        *_probabilities(model, step),
    )
    return SublayerFootprint("attention", kept, _attention_working(model, step))


def _probabilities(model: GPTJ, step: StepSizes) -> tuple[Item, ...]:
    scores, formula = step.scores(model.heads), f"batch x {model.heads} heads x {step.length}^2"
    exact = Item("attention: probabilities in float32", scores * FLOAT32, f"{formula} x 4 bytes")
    if step.value == FLOAT32:
        return (exact,)
    return exact, Item("attention: probabilities", scores * step.value, f"{formula} values")


def _attention_working(model: GPTJ, step: StepSizes) -> tuple[Item, ...]:
    """Return the tensors of the softmax's backward pass.

    What was kept of the probabilities in 16 bits has been freed by then.
    """
    freed = 0 if step.value == FLOAT32 else step.value
    return (
        values("gradient of the residual", step, model.width),
        Item(
            "gradients of attention scores",
            step.scores(model.heads) * (2 * FLOAT32 - freed),
            f"batch x {model.heads} heads x {step.length}^2 x {2 * FLOAT32 - freed} bytes",
        ),
    )


def _gptj_feed_forward(model: GPTJ, step: StepSizes) -> SublayerFootprint:
    name = "feed-forward: GELU in single operations, and its output"
    kept = (values(name, step, model.hidden, 5),)
    return SublayerFootprint("feed-forward", kept, gelu_new_working(step, model.width, model.hidden))


_ORIGINAL_DALLE_SOURCE = "Ramesh et al., 2021, section 2.2 and appendix B.1"


def original_dalle_footprint(model: OriginalDalle, step: StepSizes) -> Footprint:
    """Return the activations of pre-norm layers with a fused GELU, no dropout, and scores where the pattern sees.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
    """
    width, hidden = model.width, model.hidden
    keys = model.text_length + model.window**2
    scores = step.tokens * model.heads * keys * step.value
    attention = SublayerFootprint(
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
    feed_forward = SublayerFootprint(
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
        stacks=(StackFootprint("layers", model.layers, (attention, feed_forward), layer_input(step, width)),),
        beside=(),
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.classes),
        head=output_layer(step, model.classes, width),
        pending=tied_pending(step, model.classes, width),
        adding_up=(),
        embedding=tied_embedding(step, model.classes, width),
        source=_ORIGINAL_DALLE_SOURCE,
    )
