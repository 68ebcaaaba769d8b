"""The recorder's eyes: what the swarm's records say now, and what its peers give to one who asks."""

import asyncio
import logging
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import hivemind
from hivemind.p2p import P2P, PeerID

from core.errors import SwarmError
from core.failure_series import FailureSeries
from core.run.manifest import RunManifest
from core.swarm.admission.admission import Admission
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.majority import leading_place
from core.swarm.membership.observing import ShardReading, SwarmObserver
from core.swarm.quorum.decision import decided
from core.swarm.quorum.electorate import is_place_of_most, users_at
from core.swarm.quorum.votes import Vote
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.partition import Part
from core.swarm.rounds.summary import RoundSummary, fetch_summary, with_contributors
from core.swarm.state.offered_frames import fetch_frame
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.records import FrameRecord, ProgressRecord, frame_key, parse_all
from core.swarm.wire.streams import PeerLost
from core.tasks import within

_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_SILENCE_SECONDS = 3.0
_FRAME_SECONDS = 60.0
_DONORS = 6
"""Largest number of peers that are asked for one summary in one turn."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Look:
    """The swarm at a moment."""

    peers: tuple[ProgressRecord, ...]
    """Peers of the swarm, trainers and auxiliary peers: their records, or in a large swarm cohorts of a summary."""
    writers: dict[bytes, list[PeerID]]
    """Writers of the commits with the roots seen last."""
    readings: tuple[ShardReading, ...] = ()
    """Peers' own records that were read now: those of all peers, or in a large swarm of shards that were drawn."""

    votes: tuple[Vote, ...] = ()
    """Votes for the commit that led to where most trainers stand."""

    def has_quorum(self, epoch: int, root: bytes) -> bool:
        """Return true unless votes are known that led to ``epoch``, and too few of them are for ``root``.

        The users that are present now stand for those that were when it was committed. Who looks so late that the
        votes have ended can't check them, and takes what at least half of the users stand at. Where too few users
        vote because others are silent, that takes the place of votes as well, as it shows that more than half of
        them have applied the commit.
        """
        for_it = [
            vote.record for vote in self.votes if (vote.record.epoch, vote.record.root) == (epoch - 1, root)
        ]
        if not self.votes or not for_it:
            return not self.votes
        electorate = users_at(self.peers, epoch, root)
        found = decided(self.votes, epoch - 1, for_it[0].parent, electorate)
        if found is not None:
            return found.record.root == root
        return is_place_of_most(self.peers, epoch, root)

    def donors(self, root: bytes) -> list[PeerID]:
        """Return the peers to ask for a round's summary: its writers first, then others that accept connections."""
        able = [PeerID(item.peer_id) for item in self.peers if item.can_be_asked]
        known = [peer for peer in self.writers.get(root, []) if peer in able]
        return list(dict.fromkeys([*known, *random.sample(able, len(able))]))[:_DONORS]


class SwarmReader:
    """Reads the swarm of one generation of a run, through a DHT node of its own."""

    def __init__(
        self, dht: "hivemind.DHT", p2p: P2P, manifest: RunManifest, admission: Admission | None
    ) -> None:
        self._dht, self._p2p, self._prefix = dht, p2p, manifest.dht_prefix
        has_pardoned = admission.convicted.has_pardoned if admission is not None else None
        self._log = DHTCommitLog(dht, self._prefix, has_pardoned=has_pardoned)  # which is only read
        self._observer = SwarmObserver(dht, self._prefix)
        self._fetches = FailureSeries(_log, "Fetching the summary of a round")
        self.parts: tuple[Part, ...] = parts_of_run(manifest.training)

    @classmethod
    async def open(
        cls, dht: "hivemind.DHT", manifest: RunManifest, admission: Admission | None = None
    ) -> "SwarmReader":
        return cls(dht, await dht.replicate_p2p(), manifest, admission)

    async def close(self) -> None:
        await self._p2p.shutdown()  # removes its socket

    async def look(self) -> Look:
        """Return the swarm as it is now; raise SwarmError once the DHT's process has died."""
        try:
            swarm = await self._observer.look()
        except TimeoutError as error:
            raise _unanswered() from error
        place = leading_place(swarm.peers)
        votes: Sequence[Vote] = ()
        if place is not None and place[0] > 0:
            votes = await self._answered(self._log.read(place[0] - 1))
        writers = self._log.book.writers_by_root()
        return Look(tuple(swarm.peers), writers, tuple(swarm.readings), tuple(votes))

    def want(self, peers: Iterable[bytes]) -> None:
        """Read the records of ``peers`` (their ids) at the next looks at a large swarm, as far as these read any."""
        self._observer.want(peers)

    async def frames(self) -> Sequence[FrameRecord]:
        """Return the newest frame that each peer tells of."""
        asked = self._dht.get(frame_key(self._prefix), latest=True, return_future=True)
        found = await self._answered(asked)
        return list(parse_all(FrameRecord, found.value if found else None).values())

    async def summary(self, root: bytes, donors: Sequence[PeerID]) -> RoundSummary | None:
        found = await fetch_summary(
            root,
            donors,
            parts=self.parts,
            stub_of=self._stub,
            silence_seconds=_SILENCE_SECONDS,
            failures=self._fetches,
        )
        if found is None or not found.last.groups:
            return found
        return await with_contributors(found, donors, stub_of=self._stub, silence_seconds=_SILENCE_SECONDS)

    async def frame(self, record: FrameRecord) -> bytes:
        """Fetch a frame, as `fetch_frame` does."""
        stub = self._stub(PeerID(record.peer_id))
        try:
            async with asyncio.timeout(_FRAME_SECONDS):
                return await fetch_frame(record, stub, silence_seconds=_SILENCE_SECONDS)
        except TimeoutError as error:
            raise PeerLost("it takes too long") from error

    async def _answered(self, asked: Any) -> Any:
        try:
            return await within(_ANSWER_SECONDS, asked)
        except TimeoutError as error:
            raise _unanswered() from error

    def _stub(self, peer: PeerID) -> Any:
        return GradientAverager.get_stub(self._p2p, peer, namespace=self._prefix)


def _unanswered() -> SwarmError:
    return SwarmError("The process that speaks with the swarm does not answer.", "Start it again.")
