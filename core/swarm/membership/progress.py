"""Publishes the peer's own progress record and reads the others': the members of the swarm and their epochs."""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Self

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.failure_series import FailureSeries
from core.messages.reach import Reach
from core.run.look_schedule import STORED_SECONDS, alive_seconds, period
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules
from core.swarm.ending import answer
from core.swarm.lookup.reader import exchange
from core.swarm.membership.missed import MissedTrainers
from core.swarm.wire.records import ProgressRecord, bounded, parse_all, progress_key

_log = logging.getLogger(__name__)

_EXTRAPOLATED_PERIODS = 2.0
"""Periods for which a peer's samples are extrapolated past its record; one that works has published by then."""
_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_RETRY_SECONDS = 1.0
"""Seconds, at least, until the next look after one that failed."""
_UNANSWERED = 3
"""Number of consecutive unanswered calls after which the DHT's process counts as hanging."""


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

        Peers that are catching up count: were they not waited for, they could come too late to every round.
        """
        return sum(not record.paused and _arrives(record, own.epoch, own.head) for record in self.others)

    def trainers_near(self, own: ProgressRecord) -> int:
        """Return the number of trainers among the peers that `near` counts for ``own``."""
        return sum(record.computes and _arrives(record, own.epoch, own.head) for record in self.others)

    def samples(self, own: ProgressRecord, target: int, now: float) -> float:
        """Return the samples of the epoch in ``own``, of all peers together, at ``now`` (DHT time in seconds).

        The others' samples are extrapolated from their rates, until they should have published again: who has not may
        have stood still, and a round that counts on it would end an epoch short of its ``target`` samples.
        """
        most = _EXTRAPOLATED_PERIODS * self.longest_period(own, target)
        return own.samples + sum(_by_now(record, now, most) for record in self.at(own))

    def epoch_seconds(self, own: ProgressRecord, now: float) -> float:
        """Return the seconds since the swarm came to the epoch in ``own``, at ``now`` (DHT time in seconds).

        Of what the peers there say, `median_age` is taken.
        """
        return median_age((own.model_copy(update={"time": now}), *self.at(own)), now)

    def samples_per_second(self, own: ProgressRecord) -> float:
        """Return the samples a second of all peers that work on the epoch in ``own``."""
        return own.samples_per_second + sum(record.samples_per_second for record in self.at(own))

    def seconds_to_batch(self, own: ProgressRecord, target: int, now: float) -> float:
        """Return the seconds until the batch of the epoch in ``own`` has ``target`` samples.

        ``now`` is the present DHT time. The result is infinite if samples are missing and no peer computes.
        """
        return seconds_until(target, self.samples(own, target, now), self.samples_per_second(own))

    def seconds_to_round(self, own: ProgressRecord, rules: SwarmRules, now: float) -> float:
        """Return the seconds until a round of the epoch in ``own`` is due under ``rules``, at ``now`` (DHT time).

        The clock decides where the run says so, else the swarm's samples. The result is infinite if no peer computes
        what is missing.
        """
        if rules.round_seconds is None:
            return self.seconds_to_batch(own, rules.target_batch_size, now)
        return max(0.0, rules.round_seconds - self.epoch_seconds(own, now))

    def longest_period(self, own: ProgressRecord, target: int) -> float:
        """Return the seconds between two looks at the beginning of an epoch of ``target`` samples like ``own``'s."""
        epoch_seconds = seconds_until(target, 0.0, self.samples_per_second(own))
        return period(epoch_seconds, epoch_seconds=epoch_seconds, others=len(self.others))

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
        return 1 + sum(not (record.auxiliary or record.paused) for record in self.others)


def timely(records: Iterable[ProgressRecord], now: float) -> list[ProgressRecord]:
    """Return those of ``records`` whose own time is near ``now``; both are DHT times in seconds.

    The peer that stores a record says until when it is kept: one kept for years would speak for a peer that is
    gone, or excluded, as if it were there.
    """
    return [record for record in records if abs(now - record.time) <= alive_seconds(record.looks_every)]


def _arrives(record: ProgressRecord, epoch: int, head: bytes) -> bool:
    return record.epoch == epoch - 1 or (record.epoch, record.head) == (epoch, head)


def _by_now(record: ProgressRecord, now: float, most: float) -> float:
    elapsed = min(max(now - record.time, 0.0), most)
    return record.samples + record.samples_per_second * elapsed


def median_age(records: Iterable[ProgressRecord], now: float) -> float:
    """Return the seconds since the swarm came to the epoch of ``records``, at ``now`` (DHT time); 0 without any.

    That is the upper median of what they say: newcomers came later, and one claim proves nothing.
    """
    ages = sorted(record.epoch_seconds + max(0.0, now - record.time) for record in records)
    return ages[len(ages) // 2] if ages else 0.0


def seconds_until(target: int, samples: float, rate: float) -> float:
    """Return the seconds until ``samples`` grow to ``target`` at ``rate`` samples a second; infinite if none come."""
    if samples >= target:
        return 0.0
    return (target - samples) / rate if rate > 0 else float("inf")


class ProgressTracker:
    """A thread that stores this peer's record and fetches the others', about as often as there is news.

    ``view`` is None until the DHT has answered once; ``lost`` is true once its process has died, or has not answered
    several times in a row. A process that may be stopped rests first: hivemind's processes share locks and pass each
    other files, so one that is stopped while it asks the DHT's process for something keeps that from answering all.
    """

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        owner: bytes,
        target_batch_size: int,
        *,
        round_seconds: float | None = None,
        answer_seconds: float = _ANSWER_SECONDS,
        ask_in_reach: "Callable[[], Future[bool]] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the thread; `start` starts it.

        Args:
            dht: a running DHT node of this peer.
            prefix: the run's DHT prefix.
            owner: this peer's owner mark, under which its record is stored.
            target_batch_size: samples of all peers that make an epoch; looks are more frequent towards its end.
            round_seconds: seconds between rounds, where the clock decides; None where samples do.
            answer_seconds: seconds after which a call to the DHT's process counts as unanswered.
            ask_in_reach: begins to ask if any peer of the swarm is in reach, so that those that are not seen can be
                missed; None: they never are.
            clock: gives monotonic seconds.
        """
        self._ask_in_reach, self._missed = ask_in_reach, MissedTrainers()
        self._clock = clock
        self._answer_seconds, self._unanswered, self.lost = answer_seconds, 0, False
        self._dht, self._key, self._owner, self._target = dht, progress_key(prefix), owner, target_batch_size
        self._round_seconds, self._pause = round_seconds, 0.0
        self._looks = FailureSeries(_log, "Publishing progress and looking at the others", clock)
        self._record: Callable[[], ProgressRecord] | None = None
        self._set_aside: dict[bytes, float] = {}
        self._leaving: set[bytes] = set()
        """Ids of the peers whose newest records say that they leave."""
        self._news, self._stopping = threading.Event(), threading.Event()
        self._rests, self._rests_asked, self._rests_begun = False, 0, 0
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
        self.view: SwarmView | None = None

    @classmethod
    def of_run(
        cls,
        dht: "hivemind.DHT",
        manifest: RunManifest,
        owner: bytes,
        *,
        ask_in_reach: "Callable[[], Future[bool]] | None" = None,
    ) -> Self:
        """Return the tracker of a peer in a run.

        Args:
            dht: a running DHT node of this peer.
            manifest: the run's manifest.
            owner: this peer's owner mark, under which its record is stored.
            ask_in_reach: begins to ask if any peer of the swarm is in reach, as for the tracker itself.
        """
        swarm = manifest.training.swarm
        return cls(
            dht,
            manifest.dht_prefix,
            owner,
            swarm.target_batch_size,
            round_seconds=swarm.round_seconds,
            ask_in_reach=ask_in_reach,
        )

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to publish what ``record`` returns, which is called from the tracker's thread."""
        self._record = record
        self._thread.start()

    def publish(self) -> None:
        """Publish and look now rather than at the next turn; a rest is over."""
        self._rests = False
        self._news.set()

    def rest(self) -> None:
        """Publish once more, and be quiet then."""
        self._rests = True
        self._rests_asked += 1
        self._news.set()

    @property
    def is_quiet(self) -> bool:
        """True if the tracker rests, and has published since it was last asked to."""
        return not self._thread.is_alive() or (self._rests and self._rests_begun == self._rests_asked)

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Ignore ``peers`` (their ids in bytes) for ``seconds``: what they claimed could not be had from them."""
        for peer_id in peers:
            _log.info(
                "Peer %s is ignored for %.0f s: it did not give what it claimed.", PeerID(peer_id), seconds
            )
        until = self._clock() + seconds
        self._set_aside.update(dict.fromkeys(peers, until))
        if self.view is not None:
            self.view = self._sorted(self.view, [*self.view.others, *self.view.aside])

    def stop(self) -> None:
        """Tell the swarm that this peer leaves, and end the thread."""
        self._stopping.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join()
            self._publish_leaving()

    def _run(self) -> None:
        while True:
            self._news.clear()
            if self._stopping.is_set():
                return
            rests, asked = self._rests, self._rests_asked
            try:
                self._turn()
                self._unanswered = 0
                self._looks.succeeded()
                if rests:
                    self._rests_begun = asked
                self._news.wait(None if rests else self._pause)
            except TimeoutError:
                self._unanswered += 1
                _log.warning("The DHT's process did not answer for the %d. time in a row.", self._unanswered)
                self.lost = not self._dht.is_alive() or self._unanswered >= _UNANSWERED
                if self.lost:
                    return
            except Exception as error:  # noqa: BLE001 - one that is not foreseen must not end the thread
                if self._has_failed(error):
                    return

    def _has_failed(self, error: Exception) -> bool:
        """Note that a look failed, and wait for the next one; return true if there is none without the process."""
        self.lost = not self._dht.is_alive()
        self._looks.failed(error)
        if not self.lost:
            self._news.wait(max(self._pause, _RETRY_SECONDS))
        return self.lost

    def _publish_leaving(self) -> None:
        assert self._record is not None
        with contextlib.suppress(TimeoutError, OSError):  # the DHT's process may be gone
            answer(self._exchange(self._record().model_copy(update={"leaving": True})), self._answer_seconds)

    def _turn(self) -> None:
        """Publish and look, by the same calls; the pause until the next turn follows from both."""
        assert self._record is not None
        began, own = SwarmView(get_dht_time(), seen_at=self._clock()), self._record()
        own = own.model_copy(update={"looks_every": max(self._pause, self._longest_pause(own))})
        found = answer(self._exchange(own), self._answer_seconds)
        before, view = self.view, self._seen(own, began, found)
        self.view = replace(view, missed=self._count_missed(view))
        self._log_changes(before, self.view)
        self._pause = self._pause_after(own, self.view)

    def _count_missed(self, view: SwarmView) -> int:
        if self._ask_in_reach is None:
            return 0
        in_reach: bool = answer(self._ask_in_reach(), self._answer_seconds)
        trainers = frozenset(record.peer_id for record in view.others if record.computes)
        return self._missed.look(trainers, in_reach, view.seen_at, frozenset(self._leaving))

    def _pause_after(self, own: ProgressRecord, view: SwarmView) -> float:
        now = get_dht_time()
        left = view.seconds_to_batch(own, self._target, now)
        if self._round_seconds is not None:
            left = max(0.0, self._round_seconds - view.epoch_seconds(own, now))
        return self._period(left, own, view)

    def _longest_pause(self, own: ProgressRecord) -> float:
        """Return the longest pause in an epoch like the present one."""
        return self._period(math.inf, own, self.view or SwarmView(0.0))

    def _period(self, left: float, own: ProgressRecord, view: SwarmView) -> float:
        others = len(view.others) + len(view.aside)
        whole = self._round_seconds or seconds_until(self._target, 0.0, view.samples_per_second(own))
        return period(left, epoch_seconds=whole, others=others)

    def _exchange(self, own: ProgressRecord) -> Any:
        """Begin to publish a record and to look at the others'; returns a future of what there is."""
        expires = get_dht_time() + STORED_SECONDS
        return exchange(self._dht, self._key, self._owner, bounded(own.pack()), expires)

    def _seen(self, own: ProgressRecord, began: SwarmView, found: Any) -> SwarmView:
        records = timely(parse_all(ProgressRecord, found.value if found else None).values(), get_dht_time())
        others = [record for record in records if record.peer_id != own.peer_id and not record.leaving]
        self._leaving = {record.peer_id for record in records if record.leaving}
        return self._sorted(began, others)

    def _sorted(self, view: SwarmView, records: Sequence[ProgressRecord]) -> SwarmView:
        """Return ``view`` with ``records``, those of ignored peers apart."""
        now = self._clock()
        ignored = {item.peer_id for item in records if self._set_aside.get(item.peer_id, -math.inf) >= now}
        heard = tuple(record for record in records if record.peer_id not in ignored)
        aside = tuple(record for record in records if record.peer_id in ignored)
        return replace(view, others=heard, aside=aside)

    def _log_changes(self, before: SwarmView | None, after: SwarmView) -> None:
        """Log the peers that came and went between two looks."""
        known = {record.peer_id for record in before.others} if before else set()
        seen = {record.peer_id: record for record in after.others}
        for peer_id in seen.keys() - known:
            record = seen[peer_id]
            _log.info(
                "Peer %s is in the swarm, at epoch %d (%s).", PeerID(peer_id), record.epoch, record.device
            )
        for peer_id in known - seen.keys():
            how = "left the swarm" if peer_id in self._leaving else "fell silent"
            _log.info("Peer %s %s.", PeerID(peer_id), how)
