"""Activations of GPT-J as ``transformers`` trains it."""

from core.memory.activations_gpt2 import gelu_new_working
from core.memory.architecture import GPTJ
from core.memory.attention import score_bytes
from core.memory.footprint import Footprint, Stack, Step, Sublayer
from core.memory.head import causal_loss, output_layer, token_embedding
from core.memory.line import Item

_SOURCE = "transformers/models/gptj/modeling_gptj.py"
_FLOAT32 = 4


def gptj_footprint(model: GPTJ, step: Step) -> Footprint:
    """What GPTJForCausalLM keeps and needs; it comes without dropout, and computes scores in float32."""
    width = model.width
    # The causal mask is added to the scores; checkpoints hold it for recomputing.
    mask = step.batch * step.length * step.length * step.value if step.checkpointed else 0
    return Footprint(
        before=(),
        stacks=(
            Stack(
                "layers",
                model.layers,
                (_attention(model, step), _feed_forward(model, step)),
                _input(model, step),
            ),
        ),
        beside=(Item("causal mask", mask, f"batch x {step.length}^2 values"),) if mask else (),
        after=(
            Item(
                "last norm: input and statistics",
                step.hidden(width) + step.norm_statistics(),
                f"tokens x {width} values, mean and deviation",
            ),
            Item("output layer: input", step.hidden(width), f"tokens x {width} values"),
        ),
        loss=causal_loss(step, model.vocabulary),
        head=output_layer(step, model.vocabulary, width, logit_bytes=step.value),
        pending=Item("gradient of a tied weight", 0, "none: the output layer has its own"),
        adding_up=(),
        embedding=token_embedding(step, model.vocabulary, width),
        source=_SOURCE,
    )


def _input(model: GPTJ, step: Step) -> Item:
    return Item("layer inputs", step.hidden(model.width), f"tokens x {model.width} values")


def _attention(model: GPTJ, step: Step) -> Sublayer:
    width, scores = model.width, score_bytes(step, model.heads)
    cast = 0 if step.value == _FLOAT32 else scores * step.value // _FLOAT32
    kept = (
        _input(model, step),
        Item(
            "normed input of attention and feed-forward",
            step.hidden(width) + step.norm_statistics(),
            f"tokens x {width} values, mean and deviation",
        ),
        Item(
            "attention: rotated query and key in float32",
            2 * step.tokens * width * _FLOAT32,
            f"2 x tokens x {width} x 4 bytes",
        ),
        Item("attention: value and output", step.hidden(width, 2), f"2 x tokens x {width} values"),
        Item(
            "attention: rotary sines and cosines",
            4 * step.length * model.rotary * step.value,
            f"4 x {step.length} x {model.rotary} values",
        ),
        Item(
            "attention: probabilities",
            scores + cast,
            f"batch x {model.heads} heads x {step.length}^2 x {4 + (step.value if cast else 0)} bytes",
        ),
    )
    # What was kept of the probabilities in 16 bits has been freed by then.
    working = Item(
        "gradients in attention",
        step.hidden(width) + 2 * scores - cast,
        f"tokens x {width} values and two float32 gradients of scores, less the probabilities in 16 bits",
    )
    return Sublayer("attention", kept, working)


def _feed_forward(model: GPTJ, step: Step) -> Sublayer:
    kept = (
        Item(
            "feed-forward: GELU in single operations, and its output",
            step.hidden(model.hidden, 5),
            f"5 x tokens x {model.hidden} values",
        ),
    )
    return Sublayer("feed-forward", kept, gelu_new_working(step, model.width, model.hidden))
