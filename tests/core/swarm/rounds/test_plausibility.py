"""An aggregate is held against own contributions: by its direction, and by its length."""

import math

import pytest
import torch

from core.run.encodings import Encoding
from core.swarm.rounds.partition import Part, cut
from core.swarm.rounds.plausibility import (
    LEAST_OWN,
    MOST_LENGTH,
    OwnReference,
    agreement_of,
    strange_parts,
)
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode

VALUES = 10_000
PARTS = cut([(VALUES, Encoding.FLOAT32), (1, Encoding.FLOAT32)], part_bytes=8_000)


def drawn(seed: int) -> torch.Tensor:
    return torch.randn(VALUES, generator=torch.Generator().manual_seed(seed))


SIGNAL, NOISE = drawn(0), drawn(1)


def reduced(values: torch.Tensor, loss: float = 3.0) -> list[ReducedPart]:
    tensors = [values, torch.tensor([loss])]
    return [ReducedPart(encode(part.gather(tensors), part.encoding), 1.0, frozenset({0})) for part in PARTS]


def own(values: torch.Tensor, loss: float = 3.0) -> list[torch.Tensor]:
    return [values.clone(), torch.tensor([loss])]


def objection(reference: OwnReference, found: list[ReducedPart]) -> str:
    return reference.objection_to(reference.compared_with(found))


def test_agreement_is_a_cosine_and_two_lengths_over_all_parts_but_that_of_the_loss() -> None:
    parts: list[Part] = list(PARTS[:-1])
    found = agreement_of(parts, reduced(2 * SIGNAL + NOISE)[:-1], own(SIGNAL))
    expected = torch.nn.functional.cosine_similarity(2 * SIGNAL + NOISE, SIGNAL, dim=0)
    assert found.cosine == pytest.approx(float(expected), abs=1e-6)
    assert (found.length, found.own_length) == pytest.approx(
        (float((2 * SIGNAL + NOISE).norm()), float(SIGNAL.norm()))
    )
    assert found.values == VALUES


@pytest.mark.parametrize(
    ("aggregate", "objects"),
    [
        (SIGNAL + NOISE, False),
        (NOISE, False),  # unrelated, as far as chance goes
        (torch.zeros(VALUES), False),
        (-SIGNAL, True),
        (-0.3 * SIGNAL + NOISE, True),
    ],
    ids=["alike", "noise", "nothing", "opposite", "partly opposite"],
)
def test_an_opposed_aggregate_is_objected_to(aggregate: torch.Tensor, objects: bool) -> None:
    found = objection(OwnReference(PARTS, own(SIGNAL)), reduced(aggregate))
    assert found.startswith("is opposed") is objects
    assert bool(found) is objects


def leading(cosine: float) -> torch.Tensor:
    """Return values whose cosine with the signal is about ``cosine``."""
    away = NOISE - SIGNAL * float(NOISE @ SIGNAL / SIGNAL.square().sum())
    across: torch.Tensor = away * float(SIGNAL.norm() / away.norm())
    return cosine * SIGNAL + math.sqrt(1 - cosine**2) * across


@pytest.mark.parametrize(
    ("cosines", "opposed", "noise"),
    [
        ((0.7, 0.71, 0.72, 0.7), -0.11, -0.09),  # the common bound
        ((0.0, 0.1, 0.02, 0.08), -0.2, -0.15),  # they spread by 0.04
        ((0.8, -0.05, 0.7, 0.1), -0.31, -0.29),  # accepted aggregates do not widen it further
        ((0.0, 0.1), -0.11, -0.09),  # two are too few
    ],
    ids=["certain", "noisy", "wide", "few"],
)
def test_how_far_honest_aggregates_may_lead_away_follows_from_the_last_ones(
    cosines: tuple[float, ...], opposed: float, noise: float
) -> None:
    inputs = own(SIGNAL)
    reference = OwnReference(PARTS, inputs)
    for number, cosine in enumerate(cosines):
        inputs[0].copy_((1 - number / 10) * SIGNAL)
        assert objection(reference, reduced(leading(cosine))) == ""
        assert objection(reference, reduced(-SIGNAL)).startswith("is opposed")  # and is not remembered
    inputs[0].copy_(0.5 * SIGNAL)
    assert objection(reference, reduced(leading(opposed))).startswith("is opposed")
    assert objection(reference, reduced(leading(noise))) == ""


def test_few_values_are_opposed_by_chance() -> None:
    parts = cut([(16, Encoding.FLOAT32), (1, Encoding.FLOAT32)], part_bytes=8_000)
    values = torch.ones(16)
    half = torch.tensor([1.0] * 4 + [-1.0] * 12)
    found = [
        ReducedPart(encode(part.gather([half, torch.ones(1)]), part.encoding), 1.0, frozenset({0}))
        for part in parts
    ]
    assert objection(OwnReference(parts, [values, torch.ones(1)]), found) == ""


def test_lengths_are_compared_with_the_longest_of_the_last_contributions() -> None:
    inputs = own(SIGNAL)
    reference = OwnReference(PARTS, inputs)
    long, longer = reduced(0.9 * MOST_LENGTH * SIGNAL), reduced(1.1 * MOST_LENGTH * SIGNAL)
    for number in range(LEAST_OWN - 1):
        inputs[0].copy_((1 - number / 10) * SIGNAL)
        assert objection(reference, longer) == ""  # too few to tell
        assert objection(reference, longer) == ""  # the same contribution counts once
    inputs[0].copy_(0.1 * SIGNAL)  # a pause cut this one short
    assert objection(reference, long) == ""
    assert objection(reference, longer) == "is 11 times as long as any of this peer's last contributions"


def test_what_cannot_be_decoded_is_objected_to_and_without_a_contribution_nothing_else() -> None:
    reference = OwnReference(PARTS, own(torch.zeros(VALUES)))
    assert objection(reference, reduced(-1e6 * SIGNAL)) == ""
    broken = SIGNAL.clone()
    broken[7] = math.inf
    assert objection(reference, reduced(broken)) == "has parts that cannot be decoded"


@pytest.mark.parametrize(
    ("factors", "owners"),
    [
        ({}, []),
        ({2: -1.0}, [2]),
        ({1: -10.0, 3: -1.0}, [1, 3]),
        ({2: 30.0}, [2]),
        ({0: -10.0}, []),
    ],
    ids=["all alike", "one turned", "two turned", "one far longer", "what this member reduced itself"],
)
def test_a_part_of_each_strange_reducer_is_named(factors: dict[int, float], owners: list[int]) -> None:
    """All parts together may agree with the own contribution where one of four reducers turns its own."""
    reducers = [index % 4 for index in range(len(PARTS))]
    values = SIGNAL.clone()
    for index, part in enumerate(PARTS[:-1]):
        piece = part.gather([SIGNAL, torch.ones(1)]) * factors.get(reducers[index], 1.0)
        part.scatter(piece, [values, torch.ones(1)])
    found = OwnReference(PARTS, own(SIGNAL)).compared_with(reduced(values))
    assert found is not None
    assert sorted(reducers[index] for index in strange_parts(found, reducers, me=0)) == owners


def test_the_strangest_part_of_a_reducer_is_the_one_that_leads_away_most() -> None:
    values = torch.cat([part.gather(own(SIGNAL)) * -(index + 1) for index, part in enumerate(PARTS[:-1])])
    found = OwnReference(PARTS, own(SIGNAL)).compared_with(reduced(values))
    assert found is not None
    [index] = strange_parts(found, [1] * len(PARTS), me=0)
    assert found.parts[index].product == min(part.product for part in found.parts)
