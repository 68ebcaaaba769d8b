"""States of a tiny run and the home of its coordinator, for tests that need no swarm."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import torch

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.publisher.archive import Archive, free_bytes
from coordinator.publisher.orders import waiting
from coordinator.publisher.retention import KeptCheckpoint
from coordinator.publisher.rollbacks import take_back
from coordinator.rollback import request
from core.model.transformer import Transformer
from core.projection import projected
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.replica import Replica, place_of
from core.swarm.state.state import SwarmState
from tests.coordinator.homes import copied_home
from tests.core.swarm.builders import digest_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)


class ProcessKilled(BaseException):
    """Raised where the process is killed; nothing of it may be caught on the way."""


@dataclass(frozen=True)
class RunStore:
    """A coordinator's folder and its database."""

    home: Home
    database: Database

    @property
    def manifest(self) -> RunManifest:
        return RunManifest.load(self.home.manifest)

    def archive(self, keep: int = 3, free: Callable[[Path], int] = free_bytes) -> Archive:
        return Archive(
            self.home.checkpoints, self.database, self.manifest, keep, clock=lambda: NOW, free=free
        )

    def keep(self, *epochs: int, keep: int = 3) -> list[KeptCheckpoint]:
        return [enter(self.archive(keep), state_of(self.manifest, epoch)) for epoch in epochs]


@contextmanager
def new_store(folder: Path, made: Home) -> Iterator[RunStore]:
    """The store of a run in a copy of the home ``made``, which stays as it is."""
    home = copied_home(made, folder)
    database = Database.open(home.database_url({}))
    yield RunStore(home, database)
    database.close()


def state_of(manifest: RunManifest, epoch: int, seed: int | None = None) -> SwarmState:
    """A whole state; its parameters differ from epoch to epoch."""
    training = manifest.training
    model = Transformer(
        picture_rules(training).model, torch.Generator().manual_seed(epoch if seed is None else seed)
    )
    replica = Replica(model, training.optimizer, training.schedule, genesis=manifest.genesis)
    return SwarmState(epoch, digest_of(f"head {epoch}"), replica.copied_state().tensors)


class AnsweringPeers:
    """Peers that give projections of the states that they hold, and no one else."""

    def __init__(self, states: Mapping[bytes, SwarmState]) -> None:
        self.states, self.seeds = states, list[bytes]()

    def __call__(self, peers: Sequence[bytes], question: SumsQuestion) -> Mapping[bytes, StateSums]:
        self.seeds.append(question.seed)
        return {peer: _sums_of(self.states[peer], question) for peer in peers if peer in self.states}


def _sums_of(state: SwarmState, question: SumsQuestion) -> StateSums:
    is_there = (state.epoch, state.head) == (question.epoch, question.head)
    return StateSums(state.epoch, state.head, projected(state.tensors, question.seed) if is_there else None)


def enter(archive: Archive, state: SwarmState, loss: float | None = None) -> KeptCheckpoint:
    return archive.enter(state, place_of(state), loss)


def take_back_to(store: RunStore, epoch: int) -> None:
    """Roll the run back to a checkpoint, as the organiser orders it."""
    request(store.database, epoch, by="ada")
    with store.database.reading() as session:
        order = waiting(session)[0]
    take_back(store.home, store.database, store.archive(), order)
