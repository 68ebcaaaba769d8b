"""Whole trainers in several groups: one commit an epoch covers all of them, also once some are killed."""

from pathlib import Path
from typing import Any

from core.messages.events import EpochCommitted
from core.run.rules import LocalStepRules, Overlap
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import TrainerProcess, assert_never_apart, trainer_swarm

ROUND_SECONDS = 8.0
RULES: dict[str, Any] = {
    "overlap": Overlap.FULL,
    "local_steps": LocalStepRules(steps=16, round_seconds=ROUND_SECONDS),
    "target_batch_size": 8192,
    "matchmaking_seconds": 6.0,
    "allreduce_seconds": 8.0,
    "averaging_seconds": 60.0,
    "group_size": 2,
    "most_groups": 8,
}


def epoch_of(trainer: TrainerProcess, peers: int) -> EpochCommitted:
    """Wait for the first epoch of so many peers."""
    while (event := trainer.wait_for(EpochCommitted)).peers < peers:
        pass
    return event


def test_trainers_of_several_groups_hold_the_same_parameters(tmp_path: Path) -> None:
    with trainer_swarm(write_tiny_run(tmp_path / "run", **RULES), tmp_path) as swarm:
        first = swarm.start("first")
        others = [swarm.start(f"other {number}") for number in range(3)]
        together = epoch_of(first, 4)
        for trainer in others:
            trainer.wait_for(EpochCommitted, epoch=together.epoch)
        others[0].kill()
        again = first.wait_for(EpochCommitted, epoch=together.epoch + 3)
        survivors: list[TrainerProcess] = [first, *others[1:]]
        for trainer in survivors[1:]:
            trainer.wait_for(EpochCommitted, epoch=again.epoch)
    for trainer in survivors[1:]:
        assert_never_apart(first, trainer)
