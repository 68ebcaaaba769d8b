"""Activations of GPT-J as ``transformers`` trains it."""

from core.memory.activations_gpt2 import gelu_new_working
from core.memory.architecture import GPTJ
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, embedding, output_layer
from core.memory.kept import FLOAT32, float32_values, layer_input, norm_input, values
from core.memory.line import Item

_SOURCE = "transformers/models/gptj/modeling_gptj.py"


def gptj_footprint(model: GPTJ, step: Step) -> Footprint:
    """What GPTJForCausalLM keeps and needs; it comes without dropout, and computes scores in float32."""
    width = model.width
    sublayers = (_attention(model, step), _feed_forward(model, step))
    mask = Item("causal mask", step.batch * step.length**2 * step.value, f"batch x {step.length}^2 values")
    return Footprint(
        before=(),
        stacks=(Stack("layers", model.layers, sublayers, layer_input(step, width)),),
        beside=(mask,) if step.checkpointed else (),  # held to compute the scores again
        after=(norm_input("last norm: input", step, width), values("output layer: input", step, width)),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width),
        pending=(),
        adding_up=(),
        embedding=embedding(step, model.vocabulary, width),
        source=_SOURCE,
    )


def _attention(model: GPTJ, step: Step) -> Sublayer:
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
    return Sublayer("attention", kept, _attention_working(model, step))


def _probabilities(model: GPTJ, step: Step) -> tuple[Item, ...]:
    scores, formula = step.scores(model.heads), f"batch x {model.heads} heads x {step.length}^2"
    exact = Item("attention: probabilities in float32", scores * FLOAT32, f"{formula} x 4 bytes")
    if step.value == FLOAT32:
        return (exact,)
    return exact, Item("attention: probabilities", scores * step.value, f"{formula} values")


def _attention_working(model: GPTJ, step: Step) -> tuple[Item, ...]:
    """Backward of the softmax: what was kept of the probabilities in 16 bits has been freed by then."""
    freed = 0 if step.value == FLOAT32 else step.value
    return (
        values("gradient of the residual", step, model.width),
        Item(
            "gradients of attention scores",
            step.scores(model.heads) * (2 * FLOAT32 - freed),
            f"batch x {model.heads} heads x {step.length}^2 x {2 * FLOAT32 - freed} bytes",
        ),
    )


def _feed_forward(model: GPTJ, step: Step) -> Sublayer:
    name = "feed-forward: GELU in single operations, and its output"
    kept = (values(name, step, model.hidden, 5),)
    return Sublayer("feed-forward", kept, gelu_new_working(step, model.width, model.hidden))
