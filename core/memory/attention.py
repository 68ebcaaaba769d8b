"""What scaled dot-product attention keeps, by the kernel that torch chooses.

With dropout, torch 2.13 has no fused kernel on a CPU and computes scores explicitly, in float32 whatever the
precision (``aten/src/ATen/native/transformers/attention.cpp``, ``_scaled_dot_product_attention_math``). On
CUDA it takes FlashAttention (Dao et al., 2022) or the memory-efficient kernel (Rabe and Staats, 2021), which
keep their inputs, their output and one float32 a query.
"""

from core.memory.footprint import Step
from core.memory.kept import FLOAT32, float32_values, values
from core.memory.line import Item


def attention_kept(step: Step, heads: int, inner: int, name: str = "attention") -> tuple[Item, ...]:
    """Kept beyond the attention's output, which the output projection keeps as its input.

    ``inner`` is the width of all heads together.
    """
    if step.gpu:
        return (
            values(f"{name}: query, key, value", step, inner, 3),
            Item(f"{name}: log-sum-exp", step.tokens * heads * FLOAT32, f"tokens x {heads} heads x 4 bytes"),
        )
    return (
        float32_values(f"{name}: query, key, value in float32", step, inner, 3),
        _scores(f"{name}: probabilities, dropout mask, their product", step, heads, 3),
    )


def attention_working(step: Step, heads: int, inner: int, width: int) -> tuple[Item, ...]:
    """What attention's backward pass holds beyond what is kept."""
    residual = values("gradient of the residual", step, width)
    if step.gpu:
        return residual, values("gradients of query, key, value and output", step, inner, 4)
    # Two gradients of scores at once, when the product of probabilities and mask has been freed.
    return (
        residual,
        float32_values("gradient of the attention's output", step, inner),
        _scores("gradients of attention scores, less one freed tensor", step, heads, 1),
    )


def _scores(name: str, step: Step, heads: int, tensors: int) -> Item:
    formula = f"batch x {heads} heads x {step.length}^2 x 4 bytes"
    return Item(name, step.scores(heads) * FLOAT32, formula, tensors)
