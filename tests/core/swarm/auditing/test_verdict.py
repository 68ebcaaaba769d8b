"""An aggregate is sound if it is the one that is due, but for the last bits of unlike machines."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.auditing.verdict import agrees, is_near
from core.swarm.rounds.partition import Part, Slice
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode

VALUES = 8192
GENERATOR = torch.Generator().manual_seed(5)
TENSORS = [torch.randn(VALUES, generator=GENERATOR) for _ in range(5)]
WEIGHTS = [3.0, 8.0, 5.0, 1.0, 7.0]
DUE = weighted_mean(TENSORS, WEIGHTS)
FORMS: dict[str, WireFormat] = {
    "float32": Encoding.FLOAT32,
    "float16": Encoding.FLOAT16,
    "8 bits": Encoding.UNIFORM8,
    "8 bits in blocks": Encoding.BLOCKWISE8,
    "4 bits": Encoding.BLOCKWISE4,
    "sparse": TopK(),
}


def part_of(form: WireFormat, values: int = VALUES) -> Part:
    return Part((Slice(0, 0, values),), form)


def reduced(form: WireFormat, values: torch.Tensor) -> ReducedPart:
    return ReducedPart(encode(values, form), sum(WEIGHTS), frozenset(range(5)))


def reordered() -> torch.Tensor:
    """The mean as another machine has it, which adds in another order."""
    order = [4, 2, 0, 3, 1]
    return weighted_mean([TENSORS[index] for index in order], [WEIGHTS[index] for index in order])


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_unlike_arithmetic_is_no_lie(form: WireFormat) -> None:
    assert not reordered().equal(DUE)
    assert agrees(part_of(form), reduced(form, reordered()), reduced(form, DUE))


LIES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "the sign": lambda due: -due,
    "nothing": torch.zeros_like,
    "ten times as much": lambda due: 10 * due,
    "a twentieth more": lambda due: 1.05 * due,
    "without one sender": lambda due: weighted_mean(TENSORS[1:], WEIGHTS[1:]),
    "noise": lambda due: due + 0.05 * torch.randn(VALUES, generator=GENERATOR) * due.norm() / VALUES**0.5,
    "a shift of all": lambda due: due + 0.02 * due.abs().mean(),
    "one absurd value": lambda due: due.index_fill(0, torch.tensor([7]), 1e6),
    "a block turned round": lambda due: torch.cat([-due[:128], due[128:]]),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("lie", LIES.values(), ids=list(LIES))
def test_a_lie_is_seen_in_every_encoding(
    form: WireFormat, lie: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    assert not agrees(part_of(form), reduced(form, lie(DUE)), reduced(form, DUE))


def test_senders_and_samples_are_compared_as_well() -> None:
    due = reduced(Encoding.FLOAT32, DUE)
    part = part_of(Encoding.FLOAT32)
    assert agrees(part, due, due)
    assert not agrees(part, replace(due, weight=25.0), due)
    assert not agrees(part, replace(due, included=frozenset(range(4))), due)


@pytest.mark.parametrize(
    ("found", "due", "is_sound"),
    [
        (b"", b"", True),
        (bytes([255, 100, 255, 255, 255]), bytes([255, 102, 255, 255, 255]), True),
        (bytes([255, 100, 255, 255, 255]), bytes([255, 103, 255, 255, 255]), False),
        (b"", bytes([255, 253, 255, 255, 255]), True),  # all are whole but for the last bits
        (bytes([255, 253, 255, 255, 255]), b"", True),
        (b"", bytes([255, 252, 255, 255, 255]), False),
        (bytes([0, 255, 255, 255, 255]), b"", False),  # a contributor would keep a drift that was used
        (bytes([255, 255]), b"", False),
    ],
)
def test_shares_of_contributions_are_compared_as_well(found: bytes, due: bytes, is_sound: bool) -> None:
    part = part_of(Encoding.FLOAT32)
    committed = replace(reduced(Encoding.FLOAT32, reordered()), shares=found)
    assert agrees(part, committed, replace(reduced(Encoding.FLOAT32, DUE), shares=due)) is is_sound


@pytest.mark.parametrize("values", [1, 2, 7])
def test_small_parts_have_no_room_for_a_lie(values: int) -> None:
    due = torch.arange(1.0, values + 1)
    assert is_near(due + 1e-7, due)
    assert not is_near(due + torch.nn.functional.one_hot(torch.tensor(0), values), due)


def test_values_that_are_not_finite_agree_with_nothing() -> None:
    due = torch.ones(64)
    assert not is_near(due.index_fill(0, torch.tensor([3]), float("nan")), due)
    assert is_near(torch.zeros(64), torch.zeros(64))
