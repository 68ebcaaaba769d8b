"""What scaled dot-product attention keeps, by the kernel that torch chooses.

With dropout, torch 2.13 has no fused kernel on a CPU and computes scores explicitly, in float32 whatever the
precision (``aten/src/ATen/native/transformers/attention.cpp``, ``_scaled_dot_product_attention_math``). On
CUDA it takes FlashAttention (Dao et al., 2022) or the memory-efficient kernel (Rabe and Staats, 2021), which
keep their inputs, their output and one float32 a query.
"""

from core.memory.footprint import Step
from core.memory.line import Item

_FLOAT32 = 4


def score_bytes(step: Step, heads: int) -> int:
    """Bytes of one float32 score for each head, query and key of all samples."""
    return step.batch * heads * step.length * step.length * _FLOAT32


def attention_kept(step: Step, heads: int, inner: int, name: str = "attention") -> tuple[Item, ...]:
    """Kept beyond the attention's output, which the output projection keeps as its input.

    ``inner`` is the width of all heads together.
    """
    if step.gpu:
        return (
            Item(f"{name}: query, key, value", step.hidden(inner, 3), f"3 x tokens x {inner} values"),
            Item(
                f"{name}: log-sum-exp",
                step.tokens * heads * _FLOAT32,
                f"tokens x {heads} heads x 4 bytes",
            ),
        )
    return (
        Item(
            f"{name}: query, key, value in float32",
            3 * step.tokens * inner * _FLOAT32,
            f"3 x tokens x {inner} x 4 bytes",
        ),
        Item(
            f"{name}: probabilities, dropout mask, their product",
            3 * score_bytes(step, heads),
            f"3 x batch x {heads} heads x {step.length}^2 x 4 bytes",
        ),
    )


def attention_working(step: Step, heads: int, inner: int, width: int) -> Item:
    """What attention's backward pass holds beyond what is kept."""
    if step.gpu:
        return Item(
            "gradients in attention",
            step.hidden(width) + step.hidden(inner, 4),
            f"tokens x ({width} of the residual + 4 x {inner}) values",
        )
    # Two gradients of scores at once, when the product of probabilities and mask has been freed.
    return Item(
        "gradients in attention",
        step.hidden(width) + score_bytes(step, heads) + step.tokens * inner * _FLOAT32,
        f"tokens x {width} values of the residual, one more float32 a score, tokens x {inner} x 4 bytes",
    )
