"""A run is taken back in a real swarm: all come back at the checkpoint's epoch with its parameters, and train on."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from coordinator import rollback
from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry, Checkpoint
from coordinator.home import Home
from coordinator.messages import StartPublisher
from coordinator.publisher import orders
from coordinator.publisher.retention import CheckpointStatus
from coordinator.settings import Checkpoints
from core.messages.events import EpochCommitted, Superseded
from core.run.manifest import RunManifest
from tests.coordinator.homes import loopback_settings, make_home
from tests.processes.loop_thread import LoopThread
from tests.swarms.peer_process import PeerProcess
from tests.swarms.tiny_run import GRADIENTS, LOCAL_STEPS
from tests.swarms.trainer_process import TrainerSwarm, assert_never_apart, trainer_swarm
from tests.waiting import wait_until

EVERY_OTHER = Checkpoints(every=2, keep=8)
LATER = 3
"""Epochs that are trained in the new generation."""


@contextmanager
def publisher(home: Home, swarm: TrainerSwarm) -> Iterator[PeerProcess]:
    start = StartPublisher(
        home=home.root,
        initial_peers=swarm.addresses,
        listen=("/ip4/127.0.0.1/tcp/0",),
        database=home.database_url({}),
    )
    loop = LoopThread()
    process = PeerProcess(loop, "publisher", start, home.log("publisher"))
    try:
        process.wait_until_ready()  # before trainers compute for nothing
        yield process
    finally:
        process.stop()
        loop.end()


def checkpoints(database: Database, standing: CheckpointStatus) -> list[Checkpoint]:
    with database.reading() as session:
        found = select(Checkpoint).where(Checkpoint.standing == standing.value).order_by(Checkpoint.epoch)
        return list(session.scalars(found))


def digests_before(swarm: TrainerSwarm) -> dict[int, str]:
    return {event.epoch: event.parameter_digest for trainer in swarm.trainers for event in trainer.epochs}


# Local steps keep more beside the parameters, so their swarm stays in "make test".
@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param(GRADIENTS, id="gradients", marks=pytest.mark.exhaustive),
        pytest.param(LOCAL_STEPS, id="local steps"),
    ],
)
def test_a_swarm_goes_back_to_a_checkpoint_and_trains_on_from_there(
    tmp_path: Path, procedure: dict[str, Any]
) -> None:
    home = make_home(tmp_path, loopback_settings(checkpoints=EVERY_OTHER), target_batch_size=256, **procedure)
    folder = tmp_path / "swarm"
    folder.mkdir()
    with (
        closing(Database.open(home.database_url({}))) as database,
        trainer_swarm(home.manifest, folder) as swarm,
    ):
        with publisher(home, swarm):
            old = [swarm.start(name, checkpoint_every=100) for name in ("one", "two")]
            wait_until(
                lambda: len(checkpoints(database, CheckpointStatus.KEPT)) > 1, "no checkpoint is kept", 240
            )
            target, harmed = checkpoints(database, CheckpointStatus.KEPT)[:2]
            chosen = rollback.epoch_before(database, harmed.epoch)
            assert chosen == target.epoch
            order = rollback.request(database, chosen, by="ada", why="a benchmark")
            for trainer in old:
                assert trainer.wait_for(Superseded, seconds=240).generation == 1
                trainer.process.join(90)
                assert trainer.process.exitcode == 0
            outcome = orders.outcome(database, order)
            assert outcome is not None
            assert outcome.text == f"The run was rolled back to epoch {target.epoch}."

        state = RunManifest.load(home.manifest).state
        assert (state.generation, state.epoch, state.parameters) == (1, target.epoch, target.parameters)
        assert digests_before(swarm).get(target.epoch, target.parameters) == target.parameters
        assert all(item.epoch > target.epoch for item in checkpoints(database, CheckpointStatus.BAD))

        with publisher(home, swarm):
            new = [swarm.start(name) for name in ("one", "three")]
            for trainer in new:
                trainer.wait_for(EpochCommitted, seconds=240, epoch=target.epoch + LATER)
        assert min(trainer.epochs[0].epoch for trainer in new) == target.epoch + 1
        assert_never_apart(*new)
        with database.reading() as session:
            entry = session.scalars(select(AuditEntry).where(AuditEntry.action == rollback.ACTION)).one()
        assert (entry.actor, entry.detail) == ("ada", "a benchmark")
