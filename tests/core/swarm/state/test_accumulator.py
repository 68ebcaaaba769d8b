"""Gradients of uneven micro-batches sum to those of one batch, and what a failed round returns is not lost."""

import copy
import math
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from core.swarm.state.accumulator import Accumulator
from core.swarm.state.peer_work import is_finite
from core.swarm.state.replica import Replica
from tests.core.swarm.builders import FIFTY_EXAMPLES

INPUTS = torch.randn(24, 5, generator=torch.Generator().manual_seed(1))
TARGETS = torch.randn(24, 2, generator=torch.Generator().manual_seed(2))


def model() -> nn.Linear:
    torch.manual_seed(0)
    return nn.Linear(5, 2)


class LearningModel:
    """A model that learns as the training loop does: backward on loss x samples."""

    def __init__(self) -> None:
        self.model = model()
        self.accumulator = Accumulator(list(self.model.parameters()))

    def micro_step(self, first: int, last: int) -> None:
        loss = nn.functional.mse_loss(self.model(INPUTS[first:last]), TARGETS[first:last])
        (loss * (last - first)).backward()
        self.accumulator.add(float(loss.detach()), last - first)

    def hand_over(self) -> tuple[list[torch.Tensor], int]:
        inputs = round_inputs()
        batch = self.accumulator.hand_over(inputs)
        return inputs, batch.samples


def round_inputs() -> list[torch.Tensor]:
    return [torch.full((2, 5), math.nan), torch.full((2,), math.nan), torch.full((1,), math.nan)]


def exact(first: int = 0, last: int = 24) -> tuple[list[torch.Tensor], float]:
    """Gradients and loss of the whole batch at once, in float64."""
    whole = copy.deepcopy(model()).double()
    loss = nn.functional.mse_loss(whole(INPUTS[first:last].double()), TARGETS[first:last].double())
    loss.backward()
    return [item.grad for item in whole.parameters() if item.grad is not None], float(loss)


def assert_close(found: Sequence[torch.Tensor], gradients: Sequence[torch.Tensor], loss: float) -> None:
    *mean, statistics = found
    for item, expected in zip(mean, gradients, strict=True):
        assert torch.allclose(item.double(), expected, rtol=1e-5, atol=1e-6)
    assert float(statistics) == pytest.approx(loss, rel=1e-5)


@FIFTY_EXAMPLES
@given(st.sets(st.integers(1, 23), max_size=6))
def test_uneven_micro_batches_equal_the_big_batch(cuts: set[int]) -> None:
    trainer = LearningModel()
    borders = [0, *sorted(cuts), 24]
    for first, last in pairwise(borders):
        trainer.micro_step(first, last)
    inputs, samples = trainer.hand_over()
    assert samples == 24
    assert_close(inputs, *exact())


def test_handing_over_starts_again() -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 10)
    trainer.hand_over()
    assert (trainer.accumulator.samples, trainer.accumulator.loss) == (0, None)
    trainer.micro_step(10, 24)
    inputs, samples = trainer.hand_over()
    assert samples == 14
    assert_close(inputs, *exact(10, 24))


def test_a_returned_batch_joins_what_was_gathered_since() -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 7)
    inputs = round_inputs()
    batch = trainer.accumulator.hand_over(inputs)
    trainer.micro_step(7, 24)
    trainer.accumulator.take_back(inputs, batch)
    again, samples = trainer.hand_over()
    assert samples == 24
    assert_close(again, *exact())


def test_a_batch_returned_at_once_is_exactly_what_was_handed_over() -> None:
    """The number of samples is a power of two, so that the computation loses no bit."""
    trainer = LearningModel()
    trainer.micro_step(0, 8)
    before = [item.grad.clone() for item in trainer.model.parameters() if item.grad is not None]
    inputs = round_inputs()
    batch = trainer.accumulator.hand_over(inputs)
    trainer.accumulator.take_back(inputs, batch)
    after = [item.grad for item in trainer.model.parameters() if item.grad is not None]
    assert all(item.equal(expected) for item, expected in zip(after, before, strict=True))


def test_a_parameter_without_gradient_counts_as_zero() -> None:
    used, unused = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(3))
    accumulator = Accumulator([used, unused])
    used.grad = torch.tensor([2.0, 4.0])
    accumulator.add(1.5, 2)
    inputs = [torch.full((2,), math.nan), torch.full((3,), math.nan), torch.full((1,), math.nan)]
    batch = accumulator.hand_over(inputs)
    assert [item.tolist() for item in inputs] == [[1.0, 2.0], [0.0, 0.0, 0.0], [1.5]]
    accumulator.take_back(inputs, batch)
    assert used.grad.tolist() == [2.0, 4.0]
    assert unused.grad is not None
    assert unused.grad.tolist() == [0.0, 0.0, 0.0]


def test_dropping_forgets_everything() -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 3)
    trainer.accumulator.drop()
    assert trainer.accumulator.samples == 0
    assert trainer.accumulator.exact_state() == {}
    trainer.micro_step(3, 24)
    assert_close(trainer.hand_over()[0], *exact(3, 24))


def replica() -> Replica:
    """Parameters that a commit puts into no model here."""
    return cast(Replica, SimpleNamespace(masters=SimpleNamespace(copy_to_model=lambda: None)))


def test_sums_are_as_old_as_their_oldest_sample() -> None:
    trainer = LearningModel()
    accumulator = trainer.accumulator
    accumulator.land(replica())
    assert accumulator.age == 0, "nothing is there to grow old"
    trainer.micro_step(0, 4)
    ages = []
    for first in (4, 9):
        accumulator.land(replica())
        trainer.micro_step(first, first + 5)
        ages.append(accumulator.age)
    assert ages == [1, 2]
    batch = accumulator.hand_over(round_inputs())
    assert (batch.samples, batch.age, batch.stale) == (14, 2, 9)
    trainer.micro_step(14, 24)
    assert accumulator.age == 0, "these are of the last commit's parameters"


def test_a_returned_batch_brings_its_age_with_it() -> None:
    trainer, inputs = LearningModel(), round_inputs()
    trainer.micro_step(0, 7)
    trainer.accumulator.land(replica())
    batch = trainer.accumulator.hand_over(inputs)
    trainer.micro_step(7, 12)
    trainer.accumulator.take_back(inputs, batch)
    assert trainer.accumulator.age == 1
    trainer.accumulator.land(replica())
    trainer.micro_step(12, 24)
    again = trainer.accumulator.hand_over(inputs)
    assert (again.samples, again.age, again.stale) == (24, 2, 12)


def test_a_saved_age_is_known_again() -> None:
    before, after = LearningModel(), LearningModel()
    before.micro_step(0, 7)
    before.accumulator.land(replica())
    before.micro_step(7, 9)
    saved = before.accumulator.exact_state()
    after.accumulator.load(saved)
    batch = after.accumulator.hand_over(round_inputs())
    assert (batch.age, batch.stale) == (1, 7)
    after.accumulator.load({name: item for name, item in saved.items() if name != "ages"})
    assert (after.accumulator.age, after.accumulator.samples) == (0, 9)


def test_a_saved_accumulator_goes_on_exactly() -> None:
    straight, resumed = LearningModel(), LearningModel()
    straight.micro_step(0, 7)
    saved = straight.accumulator.exact_state()
    resumed.accumulator.load(saved)
    assert resumed.accumulator.loss == straight.accumulator.loss
    for trainer in (straight, resumed):
        trainer.micro_step(7, 20)
    first, second = straight.hand_over(), resumed.hand_over()
    assert first[1] == second[1] == 20
    assert all(item.equal(other) for item, other in zip(first[0], second[0], strict=True))


def test_what_was_saved_does_not_change_afterwards() -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 7)
    saved = trainer.accumulator.exact_state()
    copies = {name: item.clone() for name, item in saved.items()}
    trainer.micro_step(7, 24)
    assert all(item.equal(copies[name]) for name, item in saved.items())


def test_an_empty_save_drops_what_was_there() -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 7)
    trainer.accumulator.load({})
    assert trainer.accumulator.samples == 0


@pytest.mark.parametrize("poison", [math.nan, math.inf])
def test_one_overflow_is_noticed(poison: float) -> None:
    trainer = LearningModel()
    trainer.micro_step(0, 7)
    assert trainer.accumulator.is_finite()
    trainer.accumulator.add(poison, 1)
    assert not trainer.accumulator.is_finite()
    trainer.accumulator.drop()
    assert trainer.accumulator.is_finite()
    trainer.micro_step(0, 7)
    assert trainer.model.bias.grad is not None
    trainer.model.bias.grad[1] = poison
    assert not trainer.accumulator.is_finite()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((1.0, -2.0), True),
        ((3e38, 3e38), True),
        ((-3e38, 3e38, -3e38, -3e38), True),
        ((1.0, float("nan")), False),
        ((float("inf"), float("-inf")), False),
        ((3e38, 3e38, float("inf")), False),
    ],
)
def test_values_are_finite_also_where_their_sum_is_not(values: tuple[float, ...], expected: bool) -> None:
    assert is_finite(torch.tensor(values)) is expected
