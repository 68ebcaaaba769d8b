"""The records that simulated peers see of each other, and the bytes of looks at them: a DHT's stand-in."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from hivemind.p2p import PeerID

from core.run.control_traffic import CALL_BYTES, NODES_KEEPING, look_traffic
from core.run.look_schedule import STORED_SECONDS
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedLine
from core.simulation.summaries import SimulatedSummaries
from core.swarm.lookup.reader import majority
from core.swarm.quorum.electorate import Electorate
from core.swarm.wire.records import CommitRecord, ProgressRecord

_OF_PROCESSES = 0.02
"""Seconds of a call in the processes of both sides: homes' stores took 0.06 to 0.09 s on lines of 50 ms."""


def call_seconds(delay: float) -> float:
    """Return the seconds of a call of a node that keeps records, on a line with that ``delay`` there and back.

    The nodes are known from earlier calls. A store calls all of them at the same time.
    """
    return delay + _OF_PROCESSES


class SimulatedBoard:
    """The newest record of each peer, and the peers that keep them for all."""

    def __init__(self, queue: EventQueue, seed: int = 0) -> None:
        """Begin without records, at the time of ``queue``; ``seed`` decides who is named in summaries."""
        self.queue = queue
        self._records: dict[bytes, ProgressRecord] = {}
        self.summaries = SimulatedSummaries(queue, self.read, seed)
        self.keepers: list[SimulatedLine] = []
        """Lines of the peers that keep records: those that others can connect to."""
        self._asked = 0

    def store(self, record: ProgressRecord) -> None:
        """Keep ``record`` in place of the last one of its peer."""
        self._records[record.peer_id] = record

    def read(self) -> list[ProgressRecord]:
        """Return all records that are still kept."""
        now = self.queue.now()
        if any(now - record.time > STORED_SECONDS for record in self._records.values()):
            self._records = {
                peer: record for peer, record in self._records.items() if now - record.time <= STORED_SECONDS
            }
        return list(self._records.values())

    @property
    def _keeping(self) -> int:
        """Number of nodes that keep a record."""
        return max(1, min(NODES_KEEPING, len(self.keepers)))

    def look_seconds(self, delay: float) -> float:
        """Return the seconds of a look at a key on a line with that ``delay``: a majority is asked one by one."""
        return majority(self._keeping) * call_seconds(delay)

    def count_store(self, line: SimulatedLine, size: float, times: int = 1) -> None:
        """Count a number of ``times`` a store of ``size`` bytes on the ``line`` of its peer and on the keepers'."""
        calls = times * self._keeping
        self._count(line, calls * (CALL_BYTES + size), calls * CALL_BYTES, self._keeping)

    def count_read(self, line: SimulatedLine, new_bytes: float, times: int = 1) -> None:
        """Count a number of ``times`` a look on ``line``; in all it brings ``new_bytes``, from the first node."""
        calls = times * majority(self._keeping)
        self._count(line, calls * CALL_BYTES, calls * CALL_BYTES + new_bytes, majority(self._keeping))

    def count_whole_read(self, line: SimulatedLine, new_bytes: float) -> None:
        """Count a look on ``line`` that asks all keepers at the same time, each of which gives ``new_bytes``."""
        calls = self._keeping
        self._count(line, calls * CALL_BYTES, calls * (CALL_BYTES + new_bytes), calls)

    def count_look(self, line: SimulatedLine, new_records: int) -> None:
        """Count the bytes of a look that brings ``new_records``, on the ``line`` of its peer and on the keepers'."""
        look = look_traffic(new_records, self._keeping)
        self._count(line, look.up, look.down, majority(self._keeping))

    def count_pull(self, line: SimulatedLine, size: int) -> None:
        """Count a call for a newer summary on the ``line`` of its peer and a keeper's, of ``size`` bytes or 0."""
        self._count(line, CALL_BYTES, CALL_BYTES + size, 1)

    def _count(self, line: SimulatedLine, up: float, down: float, asked: int) -> None:
        line.count(sent=up, received=down)
        for _ in range(min(asked, len(self.keepers))):
            self._asked += 1
            keeper = self.keepers[self._asked % len(self.keepers)]
            keeper.count(sent=down / asked, received=up / asked)


@dataclass(frozen=True)
class SimulatedVote:
    """The newest vote of one voice at a place of the chain."""

    record: CommitRecord
    writer: PeerID
    ends: float
    """Time in seconds until which it is kept."""
    is_withdrawn: bool = False


class SimulatedVotes:
    """The votes at one place of the chain, as real peers count them (`core.swarm.quorum.decision`)."""

    def __init__(self) -> None:
        """Begin without a vote."""
        self._votes: dict[str, SimulatedVote] = {}
        self._records: dict[bytes, CommitRecord] = {}
        self._writers = defaultdict[bytes, list[PeerID]](list)
        self.written = 0
        """Number of times that a vote was written or withdrawn."""

    def add(self, voice: str, vote: SimulatedVote) -> None:
        """Keep ``vote`` in place of the last one of its ``voice``."""
        self._votes[voice], self._records[vote.record.root] = vote, vote.record
        self._writers[vote.record.root].append(vote.writer)
        self.written += 1

    def withdraw(self, voice: str) -> None:
        """Withdraw the vote of ``voice``, which is present with it all the same."""
        self._votes[voice] = replace(self._votes[voice], is_withdrawn=True)
        self.written += 1

    def of(self, voice: str, writer: PeerID) -> CommitRecord | None:
        """Return what the peer ``writer`` has last voted for with its ``voice``; None if it has not."""
        vote = self._votes.get(voice)
        return vote.record if vote is not None and vote.writer == writer else None

    def writers_of(self, root: bytes) -> list[PeerID]:
        """Return the peers that have voted for ``root``."""
        return self._writers.get(root, [])

    def backing(self, now: float, without: Container[bytes] = ()) -> Counter[bytes]:
        """Return the number of votes at the time ``now`` for each root, ``without`` those for some roots."""
        return _backing(self._standing(now, without).values())

    def leading(self, now: float, without: Container[bytes] = ()) -> CommitRecord | None:
        """Return the record with most votes at the time ``now``, among equals the one with the smallest root.

        Votes ``without`` some roots are counted; returns None if there is none.
        """
        best = _first(self.backing(now, without))
        return self._records[best] if best is not None else None

    def decided(
        self,
        electorate: Electorate,
        growth: int | None,
        now: float,
        *,
        withdrawn: bool = False,
        without: Container[bytes] = (),
    ) -> CommitRecord | None:
        """Return the record that has the quorum; None if there is none.

        Args:
            electorate: the users that were present when the round began.
            growth: steps by which the committee of a large swarm may have grown; None for any number of them.
            now: the present time in seconds.
            withdrawn: true to count votes that were withdrawn: other peers may have seen them before.
            without: roots whose votes do not count.
        """
        standing = self._standing(now, without)
        backed = _backing(standing.values(), withdrawn=withdrawn)
        best = _first(backed)
        if best is None:
            return None
        most = electorate.most_growth if growth is None else min(growth, electorate.most_growth)
        votes, voices = Fraction(backed[best]), standing.keys()
        has_quorum = any(electorate.has_quorum(votes, voices, step) for step in range(most + 1))
        return self._records[best] if has_quorum else None

    def _standing(self, now: float, without: Container[bytes]) -> dict[str, SimulatedVote]:
        return {
            voice: vote
            for voice, vote in self._votes.items()
            if vote.ends > now and vote.record.root not in without
        }


def _backing(votes: Iterable[SimulatedVote], *, withdrawn: bool = False) -> Counter[bytes]:
    return Counter(vote.record.root for vote in votes if withdrawn or not vote.is_withdrawn)


def _first(backed: Counter[bytes]) -> bytes | None:
    return min(backed, key=lambda root: (-backed[root], root), default=None)
