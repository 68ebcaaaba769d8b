"""Records what this volunteer contributes, each thing once, however often or late it is reported.

Samples count when their epoch is committed; the counters of a trainer's life, or of a generator's, count by how
far they have risen since last heard of. Committed epochs are written at once and counters every few seconds;
what cannot be written is kept in memory and tried again, and a database that cannot be used is set aside.
Nothing here is fatal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from pathlib import Path
from typing import TypeVar

from client.api.errors import StatsError
from client.api.history import EpochPoint, RankPoint
from client.api.messages import Traffic, TrainerMessage
from client.api.snapshot import ContributionView, StandingView
from client.contribution.course import CourseEpoch, CourseRank
from client.contribution.database import ContributionDatabase, EpochKey, EpochPart, Mark, UnwrittenAmounts
from client.contribution.schema import LIVES_KEPT
from client.contribution.store import Store
from client.contribution.tally import Amounts, Calendar, Period
from core.messages.events import EpochCommitted, Joined, Progress

WRITE_EVERY = timedelta(seconds=10)
"""Interval of writing: a crash loses at most this much, and writing once a second would wear the disk."""
RETRY_AFTER = timedelta(minutes=1)
"""Pause after a failure such as a full disk."""
RANK_EVERY = timedelta(days=1)
"""Longest interval between two records of a rank that stays."""
EPOCHS_WAITING = 10_000
"""Largest number of epochs that wait while nothing can be written; the oldest are forgotten then."""
_LARGEST = 2**53

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class TrainedRun:
    """Run that contribution is counted for."""

    digest: str
    """Digest of the run's training part."""
    name: str
    generation: int = 0
    """Generation of its run state: after a rollback, epochs of the same number are new ones."""
    began_at: int = 0
    """The epoch at which that generation began."""


class Contribution:
    """The daemon's record; `now` is everywhere the present, with a time zone."""

    def __init__(
        self, path: Path, notify: Callable[[StatsError], None], calendar: Calendar | None = None
    ) -> None:
        self._store = Store(path, notify, RETRY_AFTER)
        self._calendar = calendar or Calendar()
        self._unwritten = UnwrittenAmounts()
        self._marks: dict[str, Mark] = {}
        self._written: dict[tuple[str | None, int], Amounts] = {}
        """Last answers of the database, until it changes."""
        self._others = 0
        """Value of `ContributionDatabase.written_by_others` at that time."""
        self._tried: datetime | None = None

    def heard(self, run: TrainedRun, life: str, message: TrainerMessage | Traffic, now: datetime) -> None:
        """Count what a trainer or a generator reports; `life` is a name that no other process of these has had."""
        match message:
            case Joined():
                self._remember(life, self._mark(life, now)._replace(peer=message.peer_id))
            case Progress() | Traffic():
                self._count(run, life, _counters(message), now)
            case EpochCommitted():
                self._commit(run, life, message, now)
        if self._is_due(now, at_once=isinstance(message, EpochCommitted)):
            self.write(now)

    def add_energy(self, run: TrainedRun, used: Amounts, now: datetime) -> None:
        """Count energy that was used since it was last counted, with its cost and its carbon dioxide."""
        counted = (used.joules, used.cpu_joules, used.cost, used.carbon_grams)
        if used.energy > 0 and all(0 <= value < _LARGEST for value in counted):
            self._add(run, used, now)

    def ranked(self, run: TrainedRun, seen: StandingView) -> None:
        """Note the volunteer's place on the run's leaderboard where it is another one, or has stood for a day."""
        if not (0 < seen.rank < _LARGEST and 0 <= seen.of < _LARGEST):
            return
        time = seen.looked.replace(microsecond=0)
        last = self._last_rank(run.digest, time)
        if (
            last
            and (last.rank, last.of) == (seen.rank, seen.of)
            and last.time <= time < last.time + RANK_EVERY
        ):
            return
        point = RankPoint(time=time, rank=seen.rank, of=seen.of)
        self._unwritten.ranks[run.digest] = CourseRank(run.digest, point)
        self._unwritten.runs[run.digest] = run.name
        self.write(time)

    def summary(self, run: TrainedRun, now: datetime) -> ContributionView:
        """Return the contribution for a snapshot; this is cheap enough to compute each time."""
        total = self._since(run.digest, 0, now)
        today = self._since(run.digest, self._calendar.start(Period.DAY, now), now)
        return ContributionView(
            samples_today=today.samples,
            samples=total.samples,
            compute_seconds=total.compute_seconds,
            compute_seconds_today=today.compute_seconds,
            epochs=total.epochs,
            bytes_sent=total.bytes_sent,
            bytes_received=total.bytes_received,
            month_bytes=self.month_bytes(now),
        )

    def month_bytes(self, now: datetime) -> int:
        """Return the bytes of all runs, both ways, in this month of the volunteer's calendar."""
        month = self._since(None, self._calendar.start(Period.MONTH, now), now)
        return month.bytes_sent + month.bytes_received

    def settle(self, now: datetime) -> None:
        """Write everything, so that other processes can read it, and bring the database to this version."""
        self.write(now)
        self._store.ask(lambda database: None, None, now)

    def write(self, now: datetime) -> bool:
        """Bring what was counted to the disk; whether that succeeded."""
        self._tried = now
        if self._unwritten and not self._store.write(self._unwritten, now):
            return False
        self._unwritten = UnwrittenAmounts()
        self._written.clear()
        return True

    def close(self, now: datetime) -> None:
        self.write(now)
        self._store.close()

    def _commit(self, run: TrainedRun, life: str, message: EpochCommitted, now: datetime) -> None:
        if not 0 <= message.epoch < _LARGEST:
            return
        key = EpochKey(run.digest, run.generation, message.epoch, self._mark(life, now).peer)
        samples = _risen(0, message.own_samples)
        waiting = self._unwritten.epochs
        waiting.setdefault(key, EpochPart(self._calendar.start(Period.HOUR, now), samples))
        if len(waiting) > EPOCHS_WAITING:
            waiting.pop(next(iter(waiting)))
        if (point := _point(message)) is not None:
            course = self._unwritten.course
            course.append(CourseEpoch(run.digest, run.generation, run.began_at, point))
            del course[:-EPOCHS_WAITING]
        self._unwritten.runs[run.digest] = run.name

    def _count(self, run: TrainedRun, life: str, reported: Mark, now: datetime) -> None:
        old = self._mark(life, now)
        new = Mark(
            old.peer,
            _risen(old.micro_steps, reported.micro_steps),
            _risen(old.compute_seconds, reported.compute_seconds),
            _risen(old.bytes_sent, reported.bytes_sent),
            _risen(old.bytes_received, reported.bytes_received),
        )
        if new == old:
            return
        self._remember(life, new)
        risen = Amounts(
            micro_steps=new.micro_steps - old.micro_steps,
            compute_seconds=new.compute_seconds - old.compute_seconds,
            bytes_sent=new.bytes_sent - old.bytes_sent,
            bytes_received=new.bytes_received - old.bytes_received,
        )
        self._add(run, risen, now)

    def _add(self, run: TrainedRun, tally: Amounts, now: datetime) -> None:
        self._unwritten.add(run.digest, self._calendar.start(Period.HOUR, now), tally)
        self._unwritten.runs[run.digest] = run.name

    def _last_rank(self, run: str, now: datetime) -> RankPoint | None:
        if run in self._unwritten.ranks:
            return self._unwritten.ranks[run].point
        nothing: list[RankPoint] = []
        return next(iter(self._store.ask(lambda database: database.ranks(run, 1), nothing, now)), None)

    def _mark(self, life: str, now: datetime) -> Mark:
        known = self._marks.get(life)
        if known is None:
            known = self._store.ask(lambda database: database.mark(life), Mark(), now)
            self._remember(life, known)
        return known

    def _remember(self, life: str, mark: Mark) -> None:
        self._marks.pop(life, None)  # so that the last heard of is the last in order
        self._marks[life] = self._unwritten.lives[life] = mark
        for lives in (self._marks, self._unwritten.lives):
            if len(lives) > LIVES_KEPT:
                lives.pop(next(iter(lives)))

    def _is_due(self, now: datetime, at_once: bool) -> bool:
        if self._tried is None:
            return True
        wait = RETRY_AFTER if self._store.failing else timedelta() if at_once else WRITE_EVERY
        return not self._tried <= now < self._tried + wait  # a clock set back must not put it off

    def _since(self, run: str | None, start: int, now: datetime) -> Amounts:
        before, self._others = (
            self._others,
            self._store.ask(ContributionDatabase.written_by_others, self._others, now),
        )
        if before != self._others:
            self._written.clear()
        written = self._written.get((run, start))
        if written is None:
            written = self._store.ask(lambda database: database.since(run, start), None, now)
            if written is not None:  # else it is asked again
                self._written[run, start] = written
        return (written or Amounts()) + self._unwritten.since(run, start)


def _counters(message: Progress | Traffic) -> Mark:
    """Return the counters as a process reports them."""
    if isinstance(message, Traffic):
        return Mark(bytes_received=message.bytes_received)
    return Mark(
        micro_steps=message.micro_steps,
        compute_seconds=message.compute_seconds,
        bytes_sent=message.bytes_sent,
        bytes_received=message.bytes_received,
    )


def _point(message: EpochCommitted) -> EpochPoint | None:
    """Return the epoch as it can be drawn, or None if its loss or its seconds are no finite number."""
    if not (isfinite(message.loss) and isfinite(message.seconds)):
        return None
    samples, own_samples, peers = (
        _risen(0, count) for count in (message.samples, message.own_samples, message.peers)
    )
    return EpochPoint(
        epoch=message.epoch,
        loss=message.loss,
        samples=samples,
        own_samples=own_samples,
        peers=peers,
        seconds=message.seconds,
    )


def _risen(known: N, reported: N) -> N:
    """Return the counter's new value; a counter that fell, or is no sensible number, did not rise."""
    return reported if known < reported < _LARGEST else known
