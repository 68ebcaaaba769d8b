"""Whole trainers in a swarm: they agree at every epoch, and survive each other's deaths."""

from pathlib import Path
from typing import Any

import pytest

from core.memory.search import PlanChoices
from core.messages.events import Command, EpochCommitted, Progress
from core.run.encodings import Encoding, LowRank
from core.run.expected_traffic import most_rounds_fetched
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.trainer.placement import Resources
from tests.swarms.tiny_run import GRADIENTS, write_tiny_run
from tests.swarms.trainer_process import (
    TrainerProcess,
    assert_never_apart,
    assert_trained_together,
    epoch_of_two,
    trainer_swarm,
)

PACE: dict[str, Any] = {"target_batch_size": 384}
"""Epochs long enough, with trainers this small, that peers meet in them."""


LOW_RANK: dict[str, Any] = {"overlap": Overlap.FULL, "gradient_encoding": LowRank(rank=2)}
LONG_MEANS: dict[str, Any] = {
    "overlap": Overlap.FULL,
    "local_steps": LocalStepRules(steps=2, mean_encoding=Encoding.FLOAT32),
}
ROUND_SECONDS = 5.0
BY_THE_CLOCK: dict[str, Any] = {
    "overlap": Overlap.FULL,
    "local_steps": LocalStepRules(steps=16, round_seconds=ROUND_SECONDS),
    "target_batch_size": 8192,
    "matchmaking_seconds": ROUND_SECONDS,
    "allreduce_seconds": ROUND_SECONDS,
}
"""Rules of a run whose batch nobody gathers in the time of a round."""


def fast_and_slow(manifest: Path, folder: Path) -> tuple[TrainerProcess, TrainerProcess]:
    """Let a fast and a slow trainer go through eight epochs, and return both."""
    with trainer_swarm(manifest, folder) as swarm:
        fast, slow = (
            swarm.start("fast", resources=Resources(choices=PlanChoices((32,))), stop_at_epoch=8),
            swarm.start("slow", stop_at_epoch=8),
        )
        for trainer in (fast, slow):
            trainer.finish()
    return fast, slow


# The delayed update's swarm is that of test_recorder; one that waits for its round is the simplest of the three.
@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param({"overlap": Overlap.NONE}, id="none", marks=pytest.mark.exhaustive),
        pytest.param(LOW_RANK, id="full, of low rank"),
    ],
)
def test_peers_hold_the_same_parameters_at_every_epoch(tmp_path: Path, procedure: dict[str, Any]) -> None:
    fast, slow = fast_and_slow(write_tiny_run(tmp_path / "run", **procedure, **PACE), tmp_path)
    assert_trained_together(fast, slow, until=8, samples=PACE["target_batch_size"] // 2)


def test_rounds_of_local_steps_come_by_the_clock_and_take_the_samples_there_are(tmp_path: Path) -> None:
    fast, slow = fast_and_slow(write_tiny_run(tmp_path / "run", **BY_THE_CLOCK), tmp_path)
    assert_trained_together(fast, slow, until=8, samples=1)
    assert all(event.samples < BY_THE_CLOCK["target_batch_size"] for event in fast.epochs)
    told = [event.seconds_to_next_epoch for event in fast.seen if isinstance(event, Progress)]
    assert all(seconds is None or seconds <= ROUND_SECONDS for seconds in told)
    after_the_first = [event.seconds for event in fast.epochs[1:] if event.peers == 2]
    # One of the two may have an epoch somewhat later than the other, from which the time of the next one counts.
    assert sum(after_the_first) > 0.8 * ROUND_SECONDS * len(after_the_first)


# Of sparse means a late trainer would fetch the missed rounds, and no state. That trainers take a state of gradients
# is also in test_homes.
@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param(GRADIENTS, id="gradients", marks=pytest.mark.exhaustive),
        pytest.param(LONG_MEANS, id="local steps"),
    ],
)
def test_a_killed_trainer_is_survived_and_a_new_one_takes_the_state_and_contributes(
    tmp_path: Path, procedure: dict[str, Any]
) -> None:
    manifest = write_tiny_run(tmp_path / "run", **procedure, **PACE)
    with trainer_swarm(manifest, tmp_path) as swarm:
        survivor, victim = swarm.start("survivor", stop_at_epoch=40), swarm.start("victim")
        both = epoch_of_two(survivor)
        victim.wait_for(EpochCommitted, epoch=both)
        assert not survivor.semaphores() & victim.semaphores()  # they share no lock that one could die with
        victim.kill()
        most = most_rounds_fetched(RunManifest.load(manifest).training)
        survivor.wait_for(EpochCommitted, epoch=max(both + 3, most + 1))
        late = swarm.start("late", stop_at_epoch=40)
        joined = late.wait_for(EpochCommitted)
        assert joined.epoch > 1  # it did not begin at the beginning
        contributing = epoch_of_two(late, contributing=True)
        survivor.wait_for(EpochCommitted, epoch=contributing)
        for trainer in (survivor, late):
            trainer.send(Command.FINISH)
        late.finish()
        survivor.finish()
    assert_never_apart(survivor, late)
