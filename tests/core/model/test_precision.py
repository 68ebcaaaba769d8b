"""Training in 16 bits: gradients near those of float32, and added up in float32."""

from functools import cache

import pytest
import torch
from torch import Tensor

from core.model.config import ModelConfig
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer
from tests.core.model.tiny_model import TINY, batch, gradients

KEEP, CHECKPOINT, REVERSE = Activations
# The last layers' LayerScale of 1e-6 takes their gradients below what float16 can hold.
DEEP = TINY.model_copy(update={"depth": 26, "dim": 32})


def in_precision(
    precision: Precision,
    config: ModelConfig,
    activations: Activations,
    of: tuple[Tensor, Tensor],
    scale: float | None = None,
) -> dict[str, Tensor]:
    """The gradients of a model's loss at its initialisation, or with that LayerScale everywhere."""
    techniques = Techniques(precision=precision, activations=activations)
    model = Transformer(config, torch.Generator().manual_seed(1), techniques)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if scale is not None and name.endswith("scale"):
                parameter.fill_(scale)
    return gradients(model.loss(*of), model)


@cache
def in_float32(config: ModelConfig, activations: Activations) -> dict[str, Tensor]:
    """The same gradients for both types of 16 bits to be compared with."""
    return in_precision(Precision.FLOAT32, config, activations, batch(config, 4))


@pytest.mark.parametrize(
    ("precision", "tolerance"), [(Precision.BFLOAT16, 0.02), (Precision.FLOAT16, 0.005)], ids=str
)
@pytest.mark.parametrize(
    ("changes", "activations"),
    [
        ({}, KEEP),
        ({}, CHECKPOINT),
        ({}, REVERSE),
        ({"reversible": False}, CHECKPOINT),
        ({"rotary": False, "token_shift": False}, REVERSE),
    ],
    ids=str,
)
def test_gradients_in_sixteen_bits_stay_near_those_of_float32(
    changes: dict[str, bool], activations: Activations, precision: Precision, tolerance: float
) -> None:
    config = DEEP.model_copy(update=changes)
    exact = in_float32(config, activations)
    rounded = in_precision(precision, config, activations, batch(config, 4))
    for name, gradient in exact.items():
        assert rounded[name].dtype == torch.float32
        assert (rounded[name] - gradient).norm() < tolerance * gradient.norm(), name


@pytest.mark.parametrize("activations", [KEEP, REVERSE])
def test_float16_holds_the_gradients_of_many_equal_rows(activations: Activations) -> None:
    config = TINY.model_copy(update={"depth": 2, "dim": 32, "grid": 16})
    text, codes = batch(config, 16)
    of = text, torch.zeros_like(codes)
    exact, rounded = (
        in_precision(precision, config, activations, of, scale=1.0)
        for precision in (Precision.FLOAT32, Precision.FLOAT16)
    )
    for name, gradient in exact.items():
        assert (rounded[name] - gradient).norm() < 0.005 * gradient.norm(), name


@pytest.mark.parametrize(
    ("precision", "dtype"),
    [(Precision.BFLOAT16, torch.bfloat16), (Precision.FLOAT16, torch.float16)],
    ids=str,
)
def test_linear_maps_are_rounded_and_what_adds_up_is_not(precision: Precision, dtype: torch.dtype) -> None:
    config = TINY.model_copy(update={"rotary": False})
    model = Transformer(
        config, torch.Generator().manual_seed(1), Techniques(precision=precision, activations=KEEP)
    )
    loss = model.loss(*batch(config))
    assert loss.dtype == torch.float32
    loss.backward()
    for name, parameter in model.named_parameters():
        linear = any(part in name for part in ("to_qkv", "to_out", "to_hidden", "vocabulary"))
        assert parameter.dtype == (dtype if linear else torch.float32), name
        assert parameter.grad is not None
        assert parameter.grad.dtype == torch.float32, name


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16])
def test_logits_in_sixteen_bits_can_be_differentiated(precision: Precision) -> None:
    model = Transformer(TINY, torch.Generator().manual_seed(1), Techniques(precision=precision))
    of_text, of_image = model.logits(*batch(TINY))
    (of_text.float().logsumexp(dim=2).sum() + of_image.float().logsumexp(dim=2).sum()).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())
