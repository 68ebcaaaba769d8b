"""Sampling accepts valid settings, and refuses others by name."""

import math

import pytest
from pydantic import ValidationError

from core.messages.sampling import Sampling


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"top_k": None, "top_p": 1.0},
        {"top_k": 1, "top_p": 1e-9, "temperature": 1e-3, "seed": 2**63 - 1},
    ],
    ids=str,
)
def test_sampling_survives_json(chosen: dict[str, object]) -> None:
    sampling = Sampling.model_validate(chosen)
    assert Sampling.model_validate_json(sampling.model_dump_json()) == sampling


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("top_k", 0),
        ("top_k", 2.5),
        ("top_p", 0.0),
        ("top_p", 1.1),
        ("top_p", math.nan),
        ("temperature", 0.0),
        ("temperature", -1.0),
        ("temperature", math.inf),
        ("temperature", math.nan),
        ("seed", -1),
        ("seed", 2**63),
        ("top_q", 1),
    ],
)
def test_what_cannot_be_sampled_by_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        Sampling.model_validate({name: value})
