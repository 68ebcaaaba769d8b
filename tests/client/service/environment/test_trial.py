"""When an environment on trial is taken for the cause of a trainer's failures."""

import pytest

from client.service.environment.trial import LONGEST_SECONDS, MOST_CRASHES, EnvironmentTrial
from client.service.trainer.restarts import EndCause


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ([], ""),
        ([(EndCause.CRASH, "child")] * (MOST_CRASHES - 1), ""),
        ([(EndCause.CRASH, "child")] * MOST_CRASHES, "crashed 3 times"),
        ([(EndCause.SURROUNDINGS, "swarm")] * 100, ""),
        ([(EndCause.LASTING, "manifest")] * 100, ""),
        ([(EndCause.LASTING, "packages")], "A package is missing"),
    ],
)
def test_ends_of_trainers(ends: list[tuple[EndCause, str]], words: str) -> None:
    trial = EnvironmentTrial()
    for cause, code in ends:
        trial = trial.after_end(cause, code)
    assert words in trial.fault
    assert bool(trial.fault) == bool(words)


def test_training_without_an_epoch() -> None:
    trial = EnvironmentTrial().after_training(LONGEST_SECONDS / 2)
    assert not trial.fault
    assert "no epoch in 12 hours" in trial.after_training(LONGEST_SECONDS / 2).fault
