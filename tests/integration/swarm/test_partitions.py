"""Two parts of a swarm that could not reach each other meet again: all end on one branch, and lose no trainer."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.memory.search import PlanChoices
from core.messages.events import EpochCommitted, Notice
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from core.trainer.placement import Resources
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import TrainerProcess, TrainerSwarm, trainer_swarm

PACE: dict[str, Any] = {"target_batch_size": 96, "epochs": 100_000}
FAST = Resources(choices=PlanChoices((32,)))
EPOCHS_AHEAD = 3
SECONDS = 300.0
"""Seconds for what takes a minute on a quiet machine: parts of a swarm find each other, and a round."""
pytestmark = pytest.mark.timeout(900)


@contextmanager
def meeting(manifest: Path, folder: Path, *parts: TrainerSwarm) -> Iterator[None]:
    """Let the parts of a swarm find each other, by a node that enters by the bootstrap nodes of all."""
    run = RunManifest.load(manifest)
    known = tuple(address for part in parts for address in part.addresses)
    node = start_dht(
        Network(initial_peers=known, check_identity=False),
        PeerIdentity.load_or_create(folder / "between"),
        prefix=run.dht_prefix,
        total_epochs=run.training.schedule.total_epochs,
    )
    try:
        yield
    finally:
        node.shutdown()


def told(trainer: TrainerProcess, words: str) -> str:
    """Wait until the volunteer is notified of something with these ``words``, and return it."""
    while words not in (text := trainer.wait_for(Notice, step=EpochCommitted, seconds=SECONDS).text):
        pass
    return text


def far_ahead(trainer: TrainerProcess, of: int) -> int:
    return trainer.wait_for(EpochCommitted, epoch=of + EPOCHS_AHEAD, seconds=SECONDS).epoch


def epoch_of(peers: int, trainer: TrainerProcess) -> EpochCommitted:
    """Wait until this trainer went through an epoch of so many peers."""
    while (event := trainer.wait_for(EpochCommitted, seconds=SECONDS)).peers < peers:
        pass
    return event


def test_a_trainer_that_went_on_alone_comes_back_to_two_that_are_behind_it(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", **PACE)
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(trainer_swarm(manifest, tmp_path / name)) for name in ("first", "second")
        )
        alone = first.start("alone", resources=FAST)
        far_ahead(alone, 3)
        ada, bob = second.start("ada"), second.start("bob", seed=7)
        far_ahead(alone, epoch_of(2, ada).epoch)
        stack.enter_context(meeting(manifest, tmp_path, first, second))
        told(alone, "went on without the swarm to epoch")
        assert "does not count" in told(alone, "is back with the swarm")
        event = epoch_of(2, alone)  # on a busy machine the two may have come to where it was
        both = [
            trainer.wait_for(EpochCommitted, epoch=event.epoch, seconds=SECONDS) for trainer in (ada, bob)
        ]
        found = {item.parameter_digest for item in both if item.epoch == event.epoch}
        assert found == {event.parameter_digest}
        assert not [text for trainer in (ada, bob) for text in trainer.notices if "without the swarm" in text]


def test_of_two_halves_the_one_that_is_behind_comes_to_the_other(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", **PACE)
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(trainer_swarm(manifest, tmp_path / name)) for name in ("first", "second")
        )
        ahead = first.start("ahead", resources=FAST)
        far_ahead(ahead, 3)
        behind = second.start("behind", seed=7)
        far_ahead(ahead, behind.wait_for(EpochCommitted, epoch=2, seconds=SECONDS).epoch)
        stack.enter_context(meeting(manifest, tmp_path, first, second))
        event = epoch_of(2, behind)
        same = ahead.wait_for(EpochCommitted, epoch=event.epoch, seconds=SECONDS)
        assert (same.epoch, same.parameter_digest) == (event.epoch, event.parameter_digest)
        assert not [text for text in ahead.notices if "without the swarm" in text]
