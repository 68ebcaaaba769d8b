"""The swarm as one peer sees it: who is where, who is missed, which samples there are, when a batch is complete."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from hivemind.p2p import PeerID

from core.messages.reach import Reach
from core.run.look_schedule import STORED_SECONDS, alive_seconds, period
from core.swarm.wire.records import ProgressRecord, parse_all
from core.swarm.wire.voices import voiced

_log = logging.getLogger(__name__)

SEEN_AGAIN_SECONDS = STORED_SECONDS
"""Seconds in which a trainer that is still there has published again, once the swarm is in reach."""
FORGOTTEN_SECONDS = 86400.0
"""Seconds out of reach after which peers no longer count as missed: those that were there may be gone for good.

An outage of hours must not end in a branch for each home with an open port: those that were there wait, too. After a
day perhaps no peer comes back, and a peer would wait for ever.
"""
_SUMMARISED_SECONDS = 180.0
"""Seconds for which the samples of many peers together are extrapolated: summaries come later than records."""
_EXTRAPOLATED_PERIODS = 2.0
"""Periods for which a peer's samples are extrapolated past its record; one that works has published by then."""


@dataclass(frozen=True)
class SwarmView:
    """The swarm as one peer saw it at a time; records of peers that left are not in it."""

    time: float
    """DHT time at which the look began, for what the records say of their own times."""
    others: tuple[ProgressRecord, ...] = ()
    aside: tuple[ProgressRecord, ...] = ()
    """The records of peers that are ignored for a while, since they did not give what they claimed."""
    missed: int = 0
    """Trainers that were there when the swarm was last in this peer's reach, and are not seen since."""
    seen_at: float = float("-inf")
    """Monotonic seconds of this process at which the look began: DHT time jumps where the computer's clock is set."""

    def without_idle(self, own: ProgressRecord, seconds: float) -> "SwarmView":
        """Return the view without the trainers at the place in ``own`` that have no sample, and get none in time.

        Their first micro-step there takes longer than the others' whole epoch. They are there, and vote, but have
        nothing to give to a round: one that expected them would fail.

        Args:
            own: this peer's record at present.
            seconds: seconds that a group takes to form. A trainer that has been there for less is not idle yet.
        """
        there = own.epoch, own.head
        busy = (
            record
            for record in self.others
            if (record.epoch, record.head) != there or not _is_idle(record, self.time, seconds)
        )
        return replace(self, others=tuple(busy))

    def at(self, own: ProgressRecord) -> tuple[ProgressRecord, ...]:
        """Return the records of others at work on the epoch and chain of ``own``; paused peers are left out."""
        return tuple(
            record
            for record in self.others
            if record.synchronised
            and not record.paused
            and (record.epoch, record.head) == (own.epoch, own.head)
        )

    def near(self, own: ProgressRecord) -> int:
        """Return the number of other peers to expect in a round: those at the place in ``own`` or about to arrive.

        Peers that are catching up count: were they not waited for, they could come too late to every round. All peers
        of a user count, since a round that begins without some of its machines leaves their work out. Peers that are
        expected and do not come cost a round its matchmaking time at most, however many they are.
        """
        return peers_of(
            record for record in self.others if not record.paused and _arrives(record, own.epoch, own.head)
        )

    def clients_near(self, own: ProgressRecord) -> int:
        """Return the number of those that `near` counts for ``own`` which accept no connections."""
        return peers_of(
            record
            for record in self.others
            if not (record.paused or record.reducing) and _arrives(record, own.epoch, own.head)
        )

    def trainers_near(self, own: ProgressRecord) -> int:
        """Return the number of trainers among the peers that `near` counts for ``own``."""
        return peers_of(
            record for record in self.others if record.computes and _arrives(record, own.epoch, own.head)
        )

    def samples(self, own: ProgressRecord, target: int, now: float) -> float:
        """Return the samples of the epoch in ``own``, of all peers together, at ``now`` (DHT time in seconds).

        The others' samples are extrapolated from their rates, until they should have published again: who has not may
        have stood still, and a round that counts on it would end an epoch short of its ``target`` samples.
        """
        most = _EXTRAPOLATED_PERIODS * self.longest_period(own, target)
        return own.samples + sum(_by_now(record, now, most) for record in self.at(own))

    def epoch_seconds(self, own: ProgressRecord, now: float) -> float:
        """Return the seconds since the swarm came to the epoch in ``own``, at ``now`` (DHT time in seconds).

        That is the upper median of what the users there say: newcomers came later, and one claim proves nothing.
        """
        mine, *others = voiced([own, *self.at(own)])
        ages = [
            (own.epoch_seconds, mine.voices),
            *((age_of_epoch(record, now), voices) for record, voices in others),
        ]
        return upper_median(ages)

    def samples_per_second(self, own: ProgressRecord) -> float:
        """Return the samples a second of all peers that work on the epoch in ``own``."""
        return own.samples_per_second + sum(record.samples_per_second for record in self.at(own))

    def seconds_to_round(
        self, own: ProgressRecord, target: int, round_seconds: float | None, now: float
    ) -> float:
        """Return the seconds until the round of the epoch in ``own`` is due, at ``now`` (DHT time in seconds).

        The result is infinite if samples decide, some are missing, and no peer computes.

        Args:
            own: this peer's record at present.
            target: samples of the epoch's batch.
            round_seconds: seconds between rounds, where the clock decides; None where samples do.
            now: the present DHT time in seconds.
        """
        if round_seconds is not None:
            return max(0.0, round_seconds - self.epoch_seconds(own, now))
        return seconds_until(target, self.samples(own, target, now), self.samples_per_second(own))

    def longest_period(self, own: ProgressRecord, target: int) -> float:
        """Return the seconds between two looks at the beginning of an epoch of ``target`` samples like ``own``'s."""
        epoch_seconds = seconds_until(target, 0.0, self.samples_per_second(own))
        return period(epoch_seconds, epoch_seconds=epoch_seconds, others=len(self.others))

    def period(self, left: float, own: ProgressRecord, target: int, round_seconds: float | None) -> float:
        """Return the seconds until the next look.

        Args:
            left: seconds until a round is due; infinite for the longest period.
            own: this peer's record at present.
            target: samples of the epoch's batch.
            round_seconds: seconds between rounds, where the clock decides; None where samples do.
        """
        whole = round_seconds or seconds_until(target, 0.0, self.samples_per_second(own))
        return period(left, epoch_seconds=whole, others=len(self.others) + len(self.aside))

    @property
    def has_reducer(self) -> bool:
        """True if a peer at work accepts connections, so that those that do not can form groups with it."""
        return any(record.reducing and not record.paused for record in self.others)

    def reducers(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return the ways in which others reach the peers at work that reduce at the place, or soon will.

        The place is that of an ``epoch`` and the ``head`` of its chain. Those that are joining are no reducers yet,
        and a peer at another place can't reduce for those at this one.
        """
        return tuple(
            record.reach
            for record in self.others
            if record.reducing and record.synchronised and not record.paused and _arrives(record, epoch, head)
        )

    def donors(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return the ways in which others reach the peers that give states at ``epoch`` and ``head``, or soon."""
        return tuple(
            record.reach
            for record in self.others
            if record.can_be_asked
            and record.synchronised
            and (record.donates or not (record.auxiliary or record.paused))
            and _arrives(record, epoch, head)
        )

    def trainers(self) -> int:
        """Return the number of peers that compute gradients, this one included."""
        return 1 + peers_of(record for record in self.others if not (record.auxiliary or record.paused))


def log_changes(before: SwarmView | None, after: SwarmView, leaving: Collection[bytes]) -> None:
    """Log the peers that came and went between two looks.

    Args:
        before: the view after the last look; None after the first one.
        after: the view after this one.
        leaving: ids of the peers whose newest records say that they leave.
    """
    known = {record.peer_id for record in before.others} if before else set()
    seen = {record.peer_id: record for record in after.others}
    for peer_id in seen.keys() - known:
        record = seen[peer_id]
        _log.info("Peer %s is in the swarm, at epoch %d (%s).", PeerID(peer_id), record.epoch, record.device)
    for peer_id in known - seen.keys():
        how = "left the swarm" if peer_id in leaving else "fell silent"
        _log.info("Peer %s %s.", PeerID(peer_id), how)


def timely(records: Iterable[ProgressRecord], now: float) -> list[ProgressRecord]:
    """Return those of ``records`` whose own time is near ``now``; both are DHT times in seconds.

    The peer that stores a record says until when it is kept: one kept for years would speak for a peer that is
    gone, or excluded, as if it were there.
    """
    return [record for record in records if abs(now - record.time) <= alive_seconds(record.looks_every)]


def present_in(found: Any, now: float) -> list[ProgressRecord]:
    """Return the records of peers that are there and do not leave.

    Args:
        found: the result of a look-up of a key in the DHT; None without any record.
        now: the present DHT time in seconds.
    """
    records = parse_all(ProgressRecord, found.value if found else None).values()
    return [record for record in timely(records, now) if not record.leaving]


def age_of_epoch(record: ProgressRecord, now: float) -> float:
    """Return the seconds since the peer of ``record`` came to its epoch, at ``now`` (DHT time in seconds)."""
    return record.epoch_seconds + max(0.0, now - record.time)


def upper_median(values: Iterable[tuple[float, int]]) -> float:
    """Return the median of values, each with its weight: the voices, or the number, of the peers that have it.

    It is the larger of the two middle ones where the weight is even. Raises ValueError without any value.
    """
    ordered = sorted(values)
    left = sum(weight for _, weight in ordered) // 2
    for value, weight in ordered:
        left -= weight
        if left < 0:
            return value
    raise ValueError("there is no median of nothing")


def peers_of(records: Iterable[ProgressRecord]) -> int:
    """Return the number of peers for which ``records`` stand."""
    return sum(record.peers for record in records)


def _is_idle(record: ProgressRecord, now: float, seconds: float) -> bool:
    """Return true if a trainer has no sample after ``seconds`` at its place, and is to have none in as many more."""
    if not record.computes or record.counted_voices is not None or record.samples:
        return False
    age = age_of_epoch(record, now)
    return age >= seconds and record.samples_per_second * (age + seconds) < 1


def _arrives(record: ProgressRecord, epoch: int, head: bytes) -> bool:
    return record.epoch == epoch - 1 or (record.epoch, record.head) == (epoch, head)


def _by_now(record: ProgressRecord, now: float, most: float) -> float:
    if record.peers > 1:
        most = max(most, _SUMMARISED_SECONDS)
    elapsed = min(max(now - record.time, 0.0), most)
    return record.samples + record.samples_per_second * elapsed


def seconds_until(target: int, samples: float, rate: float) -> float:
    """Return the seconds until ``samples`` grow to ``target`` at ``rate`` samples a second; infinite if none come."""
    if samples >= target:
        return 0.0
    return (target - samples) / rate if rate > 0 else float("inf")


class MissedTrainers:
    """The trainers that were there when the swarm was last in reach.

    A peer whose line is down, or whose swarm has lost all bootstrap peers, sees no record of others. That does not
    tell that they are gone: each of them that went on alone would make a branch of its own.
    """

    def __init__(self) -> None:
        """Miss none at first."""
        self._known: frozenset[bytes] = frozenset()
        self._until, self._out_since = float("-inf"), float("inf")

    def look(
        self, trainers: frozenset[bytes], in_reach: bool, now: float, leaving: frozenset[bytes] = frozenset()
    ) -> int:
        """Return the number of trainers that are missed.

        Args:
            trainers: ids of the other trainers that are seen now.
            in_reach: true if any peer of the swarm answers.
            now: monotonic seconds of the look.
            leaving: ids of those that say that they leave.
        """
        self._known -= leaving
        self._out_since = float("inf") if in_reach else min(self._out_since, now)
        if not in_reach:
            self._until = now + SEEN_AGAIN_SECONDS
        is_whole = now >= self._until or (in_reach and self._known & trainers)
        if is_whole or now - self._out_since >= FORGOTTEN_SECONDS:
            self._known, self._until = trainers, float("-inf")
        return len(self._known - trainers)
