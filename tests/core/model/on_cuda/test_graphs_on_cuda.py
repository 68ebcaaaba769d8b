"""Micro-steps that are repeated from CUDA graphs add the same gradients, and stop wherever others stop."""

import logging

import pytest
import torch
from torch import Tensor

from core.errors import MemoryPlanError
from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer
from tests.core.model.tiny_model import batch

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

CONFIG = ModelConfig(
    dim=128, depth=6, heads=2, text_length=31, text_vocab=500, grid=8, image_vocab=256, shared_layers=4
)
BATCH = 4
ROUNDS = 6


class StopBetweenSublayers(Exception):
    """The loop is to stop in the middle of a micro-step."""


def samples(seed: int, size: int = BATCH) -> tuple[Tensor, Tensor]:
    text, codes = batch(CONFIG, size * (seed + 1))
    return text[-size:].cuda(), codes[-size:].cuda()


def model(activations: Activations, precision: Precision) -> Transformer:
    techniques = Techniques(BATCH, precision, activations)
    return Transformer(CONFIG, torch.Generator().manual_seed(1), techniques).cuda()


def alone(given: Transformer, seed: int, size: int = BATCH) -> tuple[float, list[Tensor]]:
    """The loss and the gradients of new micro-steps, which have recorded nothing."""
    given.zero_grad(set_to_none=False)
    loss = MicroSteps(given, ()).add_gradients(*samples(seed, size))
    return loss, sums(given)


def sums(given: Transformer) -> list[Tensor]:
    return [item.grad.clone() for item in given.parameters() if item.grad is not None]


def assert_near(found: list[Tensor], expected: list[Tensor]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one - other).norm() <= 1e-5 * other.norm()


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("activations", Activations)
def test_a_recorded_micro_step_adds_the_same_gradients(
    activations: Activations, precision: Precision, caplog: pytest.LogCaptureFixture
) -> None:
    given, calls = model(activations, precision), list[int]()
    expected = [alone(given, seed) for seed in range(ROUNDS)]
    steps = MicroSteps(given, (), between=lambda: calls.append(1))
    caplog.set_level(logging.INFO)
    for seed, (loss, gradients) in enumerate(expected):
        given.zero_grad(set_to_none=False)
        assert steps.add_gradients(*samples(seed)) == pytest.approx(loss, rel=1e-5)
        assert_near(sums(given), gradients)
    assert "Micro-steps of 4 samples are repeated from CUDA graphs." in caplog.text
    assert len(calls) == ROUNDS * 4 * CONFIG.depth


def test_other_sizes_and_other_techniques_are_computed_as_before() -> None:
    given = model(Activations.KEEP, Precision.FLOAT32)
    steps = MicroSteps(given, ())
    for _ in range(ROUNDS):
        steps.add_gradients(*samples(0))
    expected = alone(given, 1, size=2)
    given.zero_grad(set_to_none=False)
    assert steps.add_gradients(*samples(1, size=2)) == pytest.approx(expected[0])
    assert_near(sums(given), expected[1])
    given.use(Techniques(BATCH, activations=Activations.REVERSE))
    expected = alone(given, 2)
    given.zero_grad(set_to_none=False)
    for _ in range(ROUNDS):
        assert steps.add_gradients(*samples(2)) == pytest.approx(expected[0])
    assert_near(sums(given), [ROUNDS * item for item in expected[1]])


def test_parameters_that_change_in_place_are_seen() -> None:
    given = model(Activations.KEEP, Precision.BFLOAT16)
    steps = MicroSteps(given, ())
    for _ in range(ROUNDS):
        steps.add_gradients(*samples(0))
    with torch.no_grad():
        for parameter in given.parameters():
            parameter.mul_(1.1)
    expected = alone(given, 0)
    given.zero_grad(set_to_none=False)
    assert steps.add_gradients(*samples(0)) == pytest.approx(expected[0], rel=1e-5)
    assert_near(sums(given), expected[1])


def test_what_is_raised_between_sublayers_comes_through_and_the_next_step_is_whole() -> None:
    given, left = model(Activations.KEEP, Precision.FLOAT32), [10**6]

    def between() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise StopBetweenSublayers

    steps = MicroSteps(given, (), between=between)
    for _ in range(ROUNDS):
        steps.add_gradients(*samples(0))
    left[0] = 9
    with pytest.raises(StopBetweenSublayers):
        steps.add_gradients(*samples(0))
    expected = alone(given, 3)
    given.zero_grad(set_to_none=False)
    assert steps.add_gradients(*samples(3)) == pytest.approx(expected[0])
    assert_near(sums(given), expected[1])


def test_without_memory_for_a_recording_micro_steps_are_computed(caplog: pytest.LogCaptureFixture) -> None:
    """At each size of memory, the step is recorded or computed, or the lack of memory is told."""
    caplog.set_level(logging.INFO)
    given = model(Activations.KEEP, Precision.FLOAT32)
    expected, total = alone(given, 0), torch.cuda.get_device_properties(0).total_memory
    for spare in range(0, 48 << 20, 4 << 20):
        steps = MicroSteps(given, ())
        for _ in range(2):
            steps.add_gradients(*samples(0))
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + spare) / total)
        given.zero_grad(set_to_none=False)
        try:
            found = steps.add_gradients(*samples(0))
        except MemoryPlanError:
            continue
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
        assert found == pytest.approx(expected[0], rel=1e-5)
        assert_near(sums(given), expected[1])
    assert "are not repeated from CUDA graphs" in caplog.text
    assert "are repeated from CUDA graphs" in caplog.text


def test_a_recording_makes_room_for_other_sizes(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    given, techniques_used = model(Activations.KEEP, Precision.FLOAT32), list[Techniques]()
    expected, total = alone(given, 1, size=3), torch.cuda.get_device_properties(0).total_memory
    steps = MicroSteps(given, (), lambda: techniques_used.append(given.techniques))
    for _ in range(ROUNDS):
        steps.add_gradients(*samples(0))
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + (4 << 20)) / total)
    given.zero_grad(set_to_none=False)
    try:
        assert steps.add_gradients(*samples(1, size=3)) == pytest.approx(expected[0], rel=1e-5)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert_near(sums(given), expected[1])
    assert not techniques_used
    assert "Memory ran out beside a recorded micro-step" in caplog.text


def test_a_step_that_cannot_be_recorded_leaves_all_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    """A look at a value ends a recording by CUDA's own error; computing and other recordings go on."""
    caplog.set_level(logging.INFO)
    given, looks = model(Activations.KEEP, Precision.FLOAT32), [True]
    expected = alone(given, 0)

    embed = given.embed

    def look_and_embed(ids: Tensor) -> Tensor:
        if looks[0] and torch.cuda.is_current_stream_capturing():
            torch.ones(1, device="cuda").item()
        return embed(ids)

    given.embed = look_and_embed  # type: ignore[method-assign]
    for looks[0] in (True, False):
        steps = MicroSteps(given, ())
        for _ in range(ROUNDS):
            given.zero_grad(set_to_none=False)
            assert steps.add_gradients(*samples(0)) == pytest.approx(expected[0], rel=1e-5)
        assert_near(sums(given), expected[1])
        torch.cuda.empty_cache()
    assert "Micro-steps are not repeated from CUDA graphs" in caplog.text
    assert "Micro-steps of 4 samples are repeated from CUDA graphs." in caplog.text
