"""A swarm that commits what a test says, and gives a recorder true summaries for as long as it remembers them."""

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import torch
from hivemind.p2p import PeerID

from coordinator.database.connect import Database
from coordinator.recorder.own_relays import OwnRelays
from coordinator.recorder.reader import Look
from coordinator.recorder.recorder import Recorder
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.swarm.membership.cohorts import cohorts_in
from core.swarm.membership.observing import ShardReading
from core.swarm.membership.summarising import summarise
from core.swarm.rounds.commit import root_of
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.summary import RoundSummary
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.encoding import encode
from core.swarm.wire.records import CommitRecord, ProgressRecord
from core.swarm.wire.summaries import shard_of
from tests.core.swarm.builders import digest_of, peer_bytes, progress
from tests.swarms.tiny_run import write_tiny_run

START = datetime(2026, 11, 1, 10, 0, tzinfo=UTC)


class RecorderClock:
    """Time as a test lets it pass."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class StandInSwarm:
    """Peers 0, 1, ... that train a tiny run."""

    def __init__(self, folder: Path, **run: Any) -> None:
        self.manifest = RunManifest.load(write_tiny_run(folder, **run))
        self.parts = parts_of_run(self.manifest.training)
        self.summaries: dict[bytes, RoundSummary] = {}
        self.heads = [self.manifest.genesis]
        """Roots by epochs done."""
        self.peers: tuple[ProgressRecord, ...] = ()
        self.asked: list[bytes] = []
        self.level = 0
        """Level at which the peers store their records; above 0 the recorder knows them by summaries."""
        self.wanted: list[bytes] = []
        """Peers whose records the recorder has asked for."""
        self.drawn: set[int] = set()
        """Shards that the recorder draws at its looks."""
        self.relays = OwnRelays()

    @property
    def epoch(self) -> int:
        return len(self.heads) - 1

    def gather(self, counts: Mapping[int, int], rate: float = 1.0, *, epoch: int | None = None) -> None:
        """Peers say that they have so many samples towards the next epoch, from the place ``epoch``."""
        place = self.epoch if epoch is None else epoch
        self.peers = tuple(
            progress(
                number,
                epoch=place,
                head=self.heads[place],
                samples=count,
                samples_per_second=rate,
                device=DeviceClass.CPU,
            )
            for number, count in counts.items()
        )

    def commit(self, weights: Mapping[int, float], loss: float = 2.0, *, branch: str = "") -> None:
        """An epoch with these contributors; then all that are there stand at its end."""
        named = tuple(Contributor(peer_bytes(number), weight) for number, weight in weights.items())
        samples, parent = sum(weights.values()), self.heads[-1]
        value = encode(torch.tensor([loss]), Encoding.FLOAT32)
        last = ReducedPart(value, samples, frozenset(range(len(named))), named)
        digests = (*(digest_of(f"{n} {branch}") for n in range(len(self.parts) - 1)), last.digest)
        group = digest_of(f"group {self.epoch}")[:20]
        root = root_of(self.epoch, parent, group, digests)
        record = CommitRecord(
            epoch=self.epoch, parent=parent, root=root, group=group, members=len(named), samples=samples
        )
        self.summaries[root] = RoundSummary(record, digests, last)
        self.heads.append(root)
        self.gather(dict.fromkeys(weights, 0))

    def forget(self, epoch: int) -> None:
        """Nobody has the summary of the commit that led there any more."""
        del self.summaries[self.heads[epoch]]

    async def look(self) -> Look:
        if not self.level:
            return Look(self.peers, {}, (self._reading(0),))
        now = max((record.time for record in self.peers), default=0.0)
        made = summarise(
            self.peers, peer_id=peer_bytes(999), level=self.level, now=now, chance=random.Random(7)
        )
        return Look(cohorts_in(made), {}, tuple(map(self._reading, sorted(self.drawn))))

    def want(self, peers: Iterable[bytes]) -> None:
        self.wanted += peers

    def _reading(self, shard: int) -> ShardReading:
        """All records in a shard."""
        there = (item for item in self.peers if shard_of(item.peer_id, self.level) == shard)
        return ShardReading(self.level, shard, START.timestamp(), tuple(there))

    async def summary(self, root: bytes, donors: Sequence[PeerID]) -> RoundSummary | None:
        assert donors, "nobody was there to be asked"
        self.asked.append(root)
        return self.summaries.get(root)

    def recorder(self, database: Database, clock: RecorderClock) -> Recorder:
        return Recorder(self.manifest, database, self, clock, used_up=self.relays.used_up)


def name_of(number: int) -> str:
    """A peer's id as the database has it."""
    return str(PeerID(peer_bytes(number)).to_base58())


def turn(recorder: Recorder) -> None:
    asyncio.run(recorder.turn())
