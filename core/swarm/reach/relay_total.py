"""The total that a peer relays for others in a day: counts it, has the peer refuse more, and tells of both."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Protocol

import hivemind
from pydantic import AwareDatetime, BaseModel, ConfigDict, NonNegativeInt, ValidationError

from core.failure_series import FailureSeries
from core.messages.lines import Channel
from core.messages.reach import RelayBounds, RelayDue, RelayUsedUp
from core.storage.files import read_bounded, write_atomically
from core.swarm.reach.daemon_relay import DaemonRelay
from core.swarm.reach.questions import CALL_FAULTS

_LOOK_SECONDS = 2.0
_SAVE_SECONDS = 60.0
_MOST_FILE_BYTES = 4096
_TOLERATED = 1.05
"""Multiple of the total at which the open connections are closed; they have that much to end by themselves."""
_GIGABYTE = 1_000_000_000
_log = logging.getLogger(__name__)


def _utc() -> datetime:
    return datetime.now(UTC)


class RelayStage(StrEnum):
    """Stages of a peer that relays within a total of a day."""

    RELAYS = "relays"
    REFUSES = "refuses"  # no new places and connections; the open ones go on
    CLOSED = "closed"  # the open ones were closed as well
    DUE = "due"  # the day is over: the peer has to be started again, so that it relays


@dataclass(frozen=True)
class RelayDay:
    """Bytes that a peer has relayed on a day, and the stage that follows from them."""

    day: date
    """Day by UTC."""
    passed: int = 0
    """Bytes that it has passed on for others."""
    stage: RelayStage = RelayStage.RELAYS
    used_up_at: datetime | None = None
    """Time at which its total was seen to be used up; None if it is not."""

    @property
    def end(self) -> datetime:
        """The time at which the next day begins."""
        return datetime.combine(self.day + timedelta(days=1), time.min, UTC)

    def after(self, passed: int, now: datetime, bound: float) -> "RelayDay":
        """Return the day after ``passed`` more bytes, which count for the day of ``now`` as a whole.

        Args:
            passed: bytes that were passed on since the last look.
            now: the present time by UTC.
            bound: bytes of a day.
        """
        if now.date() != self.day:
            refused = self.stage is not RelayStage.RELAYS
            begun = RelayDay(now.date(), 0, RelayStage.DUE if refused else RelayStage.RELAYS)
            return begun.after(passed, now, bound)
        total = self.passed + passed
        stage = _next_stage(self.stage, total, bound)
        is_used_up = stage in (RelayStage.REFUSES, RelayStage.CLOSED)
        return RelayDay(self.day, total, stage, (self.used_up_at or now) if is_used_up else None)


def _next_stage(stage: RelayStage, total: int, bound: float) -> RelayStage:
    if stage in (RelayStage.CLOSED, RelayStage.DUE):
        return stage
    if total >= _TOLERATED * bound:
        return RelayStage.CLOSED
    return RelayStage.REFUSES if total >= bound else stage


class CountedRelay(Protocol):
    """A relay that tells what it has passed on, and can be kept from more."""

    def passed(self) -> int:
        """Return the bytes since its start, both ways together; raises OSError if it does not tell."""

    def refuse(self) -> None:
        """Give no places and make no connections from now on, and say so; raises one of CALL_FAULTS if that fails."""

    def close(self) -> None:
        """Close all connections; raises one of CALL_FAULTS if that fails."""


class _SavedDay(BaseModel):
    """The file that keeps the count over a restart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    day: date
    passed: NonNegativeInt
    used_up_at: AwareDatetime | None = None


class RelayTotal:
    """Keeps a peer's relay within the total of a day; call `turn` several times a minute at least.

    libp2p's relay cannot take its handler back, so a peer that has refused relays again only once it was started
    again.
    """

    def __init__(
        self,
        relay: CountedRelay,
        gigabytes: float,
        file: Path,
        *,
        now: Callable[[], datetime] = _utc,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Go on with the day in ``file``, from a ``relay`` that has just been started.

        Args:
            relay: the relay to keep.
            gigabytes: gigabytes that it may pass on in a day, both ways together.
            file: file of the count, which outlives the process.
            now: gives the present time.
            clock: gives monotonic seconds.
        """
        self._relay, self._bound, self._file = relay, gigabytes * _GIGABYTE, file
        self._now, self._clock = now, clock
        self._counted = 0
        self._look_at = self._save_at = clock()
        self._counting = FailureSeries(_log, "Counting what is relayed", clock)
        self._acting = FailureSeries(_log, "Refusing to relay more", clock)
        self._saving = FailureSeries(_log, "Saving what was relayed today", clock)
        self.day = self._saved() or RelayDay(self._time().date())

    @classmethod
    def of(cls, dht: "hivemind.DHT", bounds: RelayBounds | None, identity: Path) -> "RelayTotal | None":
        """Return the total of a relay; None if the peer does not relay, or without a total.

        Args:
            dht: a DHT node that has just started.
            bounds: the bounds within which it relays; None: it does not.
            identity: file of its identity, beside which the count is kept.
        """
        if bounds is None or bounds.gigabytes_a_day is None:
            return None
        file = identity.with_name(f"{identity.name}.relayed.json")
        return cls(DaemonRelay(dht), bounds.gigabytes_a_day, file)

    def turn(self) -> RelayUsedUp | RelayDue | None:
        """Look what was passed on, if a look is due; return what has to be told, once."""
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _LOOK_SECONDS
        before = self.day
        after = before.after(self._passed_since(), self._time(), self._bound)
        try:
            self._act(before.stage, after)
        except CALL_FAULTS as error:
            self._acting.failed(error)
            after = replace(after, stage=before.stage)
        else:
            self._acting.succeeded()
        self.day = after
        self._save(is_due=after.stage is not before.stage)
        return self._news(before.stage)

    def _passed_since(self) -> int:
        """Return the bytes since the last look; those of looks without an answer come with the next one."""
        try:
            counted = self._relay.passed()
        except OSError as error:
            self._counting.failed(error)
            return 0
        self._counting.succeeded()
        since, self._counted = counted - self._counted, counted
        return max(0, since)

    def _act(self, before: RelayStage, day: RelayDay) -> None:
        """Do what the stage of ``day`` asks for, if it is new."""
        if day.stage is before or day.stage is RelayStage.DUE:
            return
        if before is RelayStage.RELAYS:
            self._relay.refuse()
            _log.warning(
                "This peer has relayed %.2f GB today, and %.2f are its total of a day (relay.gigabytes_a_day). It "
                "gives no places and makes no connections for others until 00:00 UTC.",
                day.passed / _GIGABYTE,
                self._bound / _GIGABYTE,
            )
        if day.stage is RelayStage.CLOSED:
            self._relay.close()
            _log.warning("All connections were closed after %.2f GB were relayed.", day.passed / _GIGABYTE)

    def _news(self, before: RelayStage) -> RelayUsedUp | RelayDue | None:
        if self.day.stage is before:
            return None
        if self.day.stage is RelayStage.DUE:
            return RelayDue()
        if before is not RelayStage.RELAYS or self.day.used_up_at is None:
            return None
        return RelayUsedUp(
            gigabytes=self.day.passed / _GIGABYTE,
            total=self._bound / _GIGABYTE,
            since=self.day.used_up_at,
            until=self.day.end,
        )

    def _time(self) -> datetime:
        return self._now().astimezone(UTC)

    def _saved(self) -> RelayDay | None:
        try:
            saved = _SavedDay.model_validate_json(read_bounded(self._file, _MOST_FILE_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, ValidationError) as error:
            _log.warning("What was relayed today before is not known: %r", error)
            return None
        return RelayDay(saved.day, saved.passed, used_up_at=saved.used_up_at)

    def _save(self, *, is_due: bool) -> None:
        """Save the count now and then, and if that ``is_due``."""
        if not is_due and self._clock() < self._save_at:
            return
        self._save_at = self._clock() + _SAVE_SECONDS
        saved = _SavedDay(day=self.day.day, passed=self.day.passed, used_up_at=self.day.used_up_at)
        try:
            write_atomically(self._file, saved.model_dump_json().encode())
        except OSError as error:
            self._saving.failed(error)
        else:
            self._saving.succeeded()


def tell_news(relayed: RelayTotal | None, channel: Channel) -> None:
    """Take a turn of ``relayed``, and tell ``channel`` what has to be told; None: the peer has no total."""
    if relayed is not None and (news := relayed.turn()) is not None:
        channel.send(news)
