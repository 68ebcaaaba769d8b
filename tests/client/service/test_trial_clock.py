"""A new version is judged by how long it has trained and which epochs it has made, whichever of its daemons did."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.admission.coordination import Coordination
from client.joining.run_card import RunCard
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State
from client.service.trainer.training import Training
from client.service.updates.trial import TrialClock, training_works
from client.updates.stages import UpdateStage
from core.messages.events import Progress
from core.messages.waiting import SwarmWait
from tests.client.contribution.reports import committed, progress
from tests.client.service.contexts import context_in
from tests.client.updates.test_stages import at

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)
LOOK = timedelta(minutes=1)


class TriedVersion:
    """A daemon of a new version, whose run is in the state that a test says."""

    def __init__(self, folder: Path) -> None:
        self.now = NOW
        self.context = context_in(folder, now=lambda: self.now)
        self.training = SimpleNamespace(state=State.TRAINING)
        self.run = self.context.run = ActiveRun(
            folder, CARD, cast(Training, self.training), cast(Coordination, SimpleNamespace())
        )
        self.run.progress = progress()
        self.commit(1)  # by the version before
        self.trial = TrialClock(self.context)
        self.trial.begin(at(UpdateStage.ON_TRIAL))

    def commit(self, epoch: int) -> None:
        """Have the trainer make an epoch."""
        record = self.context.accounting.contribution
        record.heard(CARD.trained, "a trainer", committed(epoch), self.now)


@pytest.fixture
def version(tmp_path: Path) -> Iterator[TriedVersion]:
    version = TriedVersion(tmp_path)
    yield version
    version.context.accounting.contribution.close(NOW)


def changed(**changes: object) -> Progress:
    return progress().model_copy(update=changes)


@pytest.mark.parametrize(
    ("state", "reported", "trains"),
    [
        (State.TRAINING, progress(), True),
        (State.TRAINING, None, True),
        (State.TRAINING, changed(waiting=SwarmWait.NO_REDUCER), False),
        (State.FROZEN, progress(), False),
        (State.STARTING, None, False),
    ],
)
def test_only_time_counts_in_which_the_trainer_could_make_an_epoch(
    version: TriedVersion, state: State, reported: Progress | None, trains: bool
) -> None:
    version.training.state, version.run.progress = state, reported
    version.now += LOOK
    facts = version.trial.facts()
    assert (facts.running, facts.trained) == (LOOK, LOOK if trains else timedelta())


def test_epochs_count_that_this_version_has_made(version: TriedVersion) -> None:
    assert version.trial.facts().epochs == 0
    version.commit(2)
    assert version.trial.facts().epochs == 1
    version.context.run = None
    assert version.trial.facts().epochs == 1, "it has made it, whatever run is trained next"


def test_a_trainer_that_was_given_up_has_failed(version: TriedVersion) -> None:
    assert not version.trial.facts().has_failed
    assert training_works(version.context)
    version.training.state = State.FAILED
    assert version.trial.facts().has_failed
    assert not training_works(version.context)


@pytest.mark.parametrize(
    ("reported", "seconds"),
    [
        (None, None),
        (changed(round_seconds=90.0), 90.0),
        (changed(round_seconds=90.0, samples_per_second=2.0), 90.0),
        (changed(target_batch_size=64, samples_per_second=2.0), 32.0),
        (changed(samples_per_second=0.0), None),
        (changed(samples_per_second=1e-30), 1e7),
    ],
)
def test_an_epoch_takes_what_the_swarm_needs_at_its_speed(
    version: TriedVersion, reported: Progress | None, seconds: float | None
) -> None:
    version.run.progress = reported
    assert version.trial.facts().epoch == (None if seconds is None else timedelta(seconds=seconds))


def test_the_next_daemon_goes_on_with_what_was_measured(version: TriedVersion) -> None:
    version.now += LOOK
    version.trial.facts()
    noted = version.trial.noted(at(UpdateStage.ON_TRIAL))
    later = TrialClock(version.context)
    later.begin(noted)
    version.now += LOOK
    assert (later.facts().running, later.facts().trained) == (2 * LOOK, 2 * LOOK)
