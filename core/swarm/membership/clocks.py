"""Tells a wrong clock from peers that are gone: both make the times in the others' records wrong."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS

from core.errors import SET_THE_CLOCK
from core.run.look_schedule import alive_seconds
from core.swarm.membership.swarm_view import timely
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)

_LATE_SECONDS = 2.0
"""Seconds for which a look may miss a record that is just being stored."""


@dataclass(frozen=True)
class ClockDifference:
    """A difference between the clock of this computer and those of all other peers that are present."""

    seconds: float
    """Seconds by which this computer's clock is ahead of theirs; negative if it is behind."""
    trainers: int
    """Number of trainers among the others."""


@dataclass(frozen=True)
class _Written:
    """Times of a record by two clocks: its writer's, and the monotonic one of this process."""

    time: float
    """DHT time of the writer at which it wrote the record."""
    after: float
    """Monotonic time in seconds after which the record was written."""
    before: float
    """Monotonic time in seconds before which the record was written."""

    def ahead(self, now: float, dht_now: float) -> float:
        """Return the least seconds by which this computer's clock must be ahead of the writer's.

        They are negative if it is behind, and 0 if the difference is one that the swarm tolerates.
        """
        age = dht_now - self.time
        least, most = age - (now - self.after) - _LATE_SECONDS, age - (now - self.before)
        if least > MAX_DHT_TIME_DISCREPANCY_SECONDS:
            return least
        return most if most < -MAX_DHT_TIME_DISCREPANCY_SECONDS else 0.0


class OthersClocks:
    """Compares the times in the records of other peers with the monotonic clock of this computer."""

    def __init__(self) -> None:
        """Start without any record."""
        self._written: dict[bytes, _Written] = {}
        self._looked_at = float("-inf")
        self._differ = False

    def difference(
        self, records: Sequence[ProgressRecord], *, began: float, now: float, dht_now: float
    ) -> ClockDifference | None:
        """Return the difference of the clocks if other peers are present and all of their records have a wrong time.

        The first look that finds one warns of it.

        Args:
            records: the others' newest records at a look that was answered, also those whose time is wrong.
            began: monotonic seconds at which the look began.
            now: monotonic seconds.
            dht_now: the DHT time, which is the computer's clock.
        """
        self._note(records, now, dht_now)
        self._looked_at = began
        difference = self._difference(records, now, dht_now)
        if difference is not None and not self._differ:
            _log.warning(
                "This computer's clock is %.0f seconds %s that of the swarm. Until it is right, this peer makes no "
                "epoch alone. %s",
                abs(difference.seconds),
                "ahead of" if difference.seconds > 0 else "behind",
                SET_THE_CLOCK,
            )
        self._differ = difference is not None
        return difference

    def _difference(
        self, records: Sequence[ProgressRecord], now: float, dht_now: float
    ) -> ClockDifference | None:
        if timely(records, dht_now):
            return None
        there = {
            record.peer_id: self._written[record.peer_id].ahead(now, dht_now)
            for record in records
            if now - self._written[record.peer_id].before <= alive_seconds(record.looks_every)
        }
        apart = {peer_id: seconds for peer_id, seconds in there.items() if seconds}
        if not apart:
            return None
        trainers = sum(record.computes for record in records if record.peer_id in apart)
        return ClockDifference(median(apart.values()), trainers)

    def _note(self, records: Sequence[ProgressRecord], now: float, dht_now: float) -> None:
        known, self._written = self._written, {}
        right = {record.peer_id for record in timely(records, dht_now)}
        for record in records:
            written = known.get(record.peer_id)
            if written is None:
                age = max(0.0, dht_now - record.time) if record.peer_id in right else float("inf")
                written = _Written(record.time, now - age, now)
            elif written.time != record.time:
                written = _Written(record.time, self._looked_at, now)
            self._written[record.peer_id] = written
