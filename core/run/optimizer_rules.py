"""The rules of a run's optimizer: 8-bit LAMB, which is the paper's, or 8-bit AdamW; free of torch."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from core.run.fields import Momentum, Positive, Rules

_LAMB, _ADAMW = "lamb", "adamw"


class OptimizerRules(Rules):
    """The rules that every optimizer has; its state is in 8 bits (Dettmers et al., 2021)."""

    betas: tuple[Momentum, Momentum]
    eps: Positive
    weight_decay: Annotated[float, Field(ge=0)]
    max_grad_norm: Positive
    """Gradients are scaled down to this global norm before the update."""
    min_8bit_size: Annotated[int, Field(ge=0)] = 65_536
    """Parameters with fewer elements keep their state in float32."""
    block_size: Literal[64, 128, 256, 512, 1024, 2048, 4096] = 4096
    """Elements that share a scale; bitsandbytes knows these sizes."""


class LambRules(OptimizerRules):
    """8-bit LAMB (You et al., 2020), with the settings of the paper's run."""

    kind: Literal["lamb"] = "lamb"
    betas: tuple[Momentum, Momentum] = (0.9, 0.96)
    eps: Positive = 1e-6
    weight_decay: Annotated[float, Field(ge=0)] = 0.045
    bias_correction: bool = False
    max_grad_norm: Positive = 4.0
    clamp_value: Positive = 10_000.0
    """The largest weight norm that the trust ratio sees."""


class AdamWRules(OptimizerRules):
    """8-bit AdamW (Loshchilov and Hutter, 2019), with the usual settings of language models.

    These are those of Brown et al. (2020), appendix B. Its learning rate is another one than LAMB's, whose steps are
    in proportion to the weights. It has no trust ratio to clamp, and always corrects its moments, so the options of
    LAMB for these are refused.
    """

    kind: Literal["adamw"]
    betas: tuple[Momentum, Momentum] = (0.9, 0.95)
    eps: Positive = 1e-8
    weight_decay: Annotated[float, Field(ge=0)] = 0.1
    max_grad_norm: Positive = 1.0


def _kind_of(given: object) -> object:
    kind = given.get("kind", _LAMB) if isinstance(given, dict) else getattr(given, "kind", None)
    return kind if isinstance(kind, str) else None


AnyOptimizerRules = LambRules | AdamWRules
"""The rules of any optimizer that a run can have."""
OptimizerRulesField = Annotated[
    Annotated[LambRules, Tag(_LAMB)] | Annotated[AdamWRules, Tag(_ADAMW)],
    Discriminator(
        _kind_of,
        custom_error_type="optimizer_kind",
        custom_error_message=f'kind must be "{_LAMB}" or "{_ADAMW}"',
    ),
]
"""`AnyOptimizerRules` as a field of a manifest: a table whose ``kind`` may be left out for LAMB."""
