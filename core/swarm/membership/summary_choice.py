"""Decides by which summary a peer knows its swarm, and follows commits that come later than the summary."""

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS
from pydantic import ValidationError

from core.swarm.lookup.gossip import AdmittedDeputies, pull
from core.swarm.membership.checking import confirms, contradiction
from core.swarm.membership.cohorts import moved_on
from core.swarm.membership.deputies import (
    DEPUTY_RULES,
    DeputyRules,
    Roster,
    accepted,
    admitted,
    is_due,
    roster_of,
)
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import SummaryRecord

_log = logging.getLogger(__name__)

_DOUBTED_SECONDS = 3600.0
"""Seconds for which a summariser is not believed whose summary was contradicted: chance may have contradicted it."""
_ASK_SECONDS = 60.0
"""Seconds between two calls for a summary in a swarm that has none so far."""
_CHECKED_SECONDS = 900.0
"""Seconds for which a deputy counts as checked: no two checks are further apart."""
_FOLLOWED_SECONDS = 80.0
"""Seconds after a commit for which summaries are taken to be of before it; peers publish at once after it."""


class SummaryChoice:
    """The summary that a peer goes by, of the summarisers that were not found to lie.

    It is the newest one of an entrance. Where none of those is fresh, it is the best one of a believed deputy.
    """

    def __init__(
        self,
        trusted: Collection[bytes],
        prefix: str,
        *,
        dht_clock: Callable[[], float] = get_dht_time,
        rules: DeputyRules = DEPUTY_RULES,
    ) -> None:
        """Begin with none.

        Args:
            trusted: ids of the peers by which one enters the swarm.
            prefix: the run's DHT prefix.
            dht_clock: gives the DHT time in seconds.
            rules: the rules by which deputies are drawn and believed.
        """
        self._trusted, self._prefix = frozenset(trusted), prefix
        self._dht_clock, self._rules = dht_clock, rules
        self._liars: dict[bytes, float] = {}
        """DHT times until which summarisers are not believed, by their ids."""
        self._checked: dict[bytes, float] = {}
        """DHT times until which summarisers count as checked, by their ids."""
        self._known: list[SummaryRecord] = []
        self._small_until = float("-inf")
        """DHT time up to which summaries by which the swarm is small do not count."""
        self._roster: Roster | None = None
        self._named_by: bytes | None = None
        """Id of the entrance whose summary named the roster; None where no summary did."""
        self._level_at = float("-inf")
        """DHT time of the summary that has stated the level."""
        self.level = 0
        """Level at which this peer stores its record: that of the last summary it went by, however old."""

    def take(self, values: Iterable[Any]) -> None:
        """Take in the plain ``values`` of the summaries that the node holds."""
        found = []
        for value in values:
            with suppress(ValidationError):
                found.append(SummaryRecord.model_validate(value))
        now = self._dht_clock()
        self._liars = {peer: until for peer, until in self._liars.items() if until > now}
        self._checked = {peer: until for peer, until in self._checked.items() if until > now}
        latest = now + MAX_DHT_TIME_DISCREPANCY_SECONDS
        self._known = [
            item
            for item in found
            if item.time <= latest
            and item.peer_id not in self._liars
            and (item.level or item.time > self._small_until)
        ]
        last = self._of_entrance
        if last is not None and (self._named_by is None or not self._is_older(last)):
            self._roster, self._named_by = roster_of(last), last.peer_id
        self._follow_level()

    def _is_older(self, summary: SummaryRecord) -> bool:
        return self._roster is not None and summary.time < self._roster.since

    def _follow_level(self) -> None:
        """Take the level of the summary to go by; one that is old does not take back what a later one has stated."""
        last = self.newest
        if last is not None and (self.fresh is not None or last.time > self._level_at):
            self.level, self._level_at = last.level, last.time

    @property
    def _of_entrance(self) -> SummaryRecord | None:
        """The newest summary of an entrance, however old; None without one."""
        found = (item for item in self._known if item.peer_id in self._trusted)
        return max(found, key=lambda item: item.time, default=None)

    @property
    def hears_entrance(self) -> bool:
        """True if a summary of an entrance tells of the swarm as it is."""
        last = self._of_entrance
        return last is not None and self._dht_clock() - last.time <= self._rules.fresh_seconds

    @property
    def writing(self) -> frozenset[bytes]:
        """Ids of the entrances whose summaries are held: those that summarised the swarm in the last ten minutes."""
        return frozenset(item.peer_id for item in self._known).intersection(self._trusted)

    @property
    def newest(self) -> SummaryRecord | None:
        """The summary to go by, or if there is none the newest one of an entrance, however old; None without one."""
        return self.fresh or self._of_entrance

    @property
    def fresh(self) -> SummaryRecord | None:
        """The summary to go by if it tells of the swarm as it is; None without one."""
        if self.hears_entrance:
            return self._of_entrance
        now = self._dht_clock()
        believed = accepted(self._known, self._roster, self._checked, self._prefix, now, self._rules)
        return next(iter(believed), None)

    @property
    def has_deputies(self) -> bool:
        """True if summaries of deputies are there, and no fresh one of an entrance."""
        return not self.hears_entrance and any(item.peer_id not in self._trusted for item in self._known)

    def check(self, drawn: Sequence[ProgressRecord], shards: int) -> None:
        """Drop the summarisers whose summary contradicts the records ``drawn`` from that number of ``shards``.

        The shards are of this peer's level: summaries that state another one cannot be held against them.
        """
        until = self._dht_clock() + _CHECKED_SECONDS
        for summary in (item for item in self._known if item.level == self.level):
            if (why := contradiction(summary, drawn, shards)) is not None:
                self._doubt(summary, why)
            elif confirms(summary, drawn, shards):
                self._checked[summary.peer_id] = until
        self._drop_liars()

    def follow(self, level: int) -> None:
        """Store records at ``level``, which records of the swarm show, and drop the summarisers who say level 0."""
        self._small_until = self._dht_clock()
        for summary in self._known:
            if summary.level == 0 and self._small_until - summary.time <= self._rules.fresh_seconds:
                self._doubt(
                    summary, f"by it the swarm is small, and its records belong in {1 << level} shards"
                )
        self._known = [item for item in self._known if item.level]
        self._drop_liars()
        self.level, self._level_at = level, self._small_until

    def _doubt(self, summary: SummaryRecord, why: str) -> None:
        self._liars[summary.peer_id] = self._dht_clock() + _DOUBTED_SECONDS
        self._checked.pop(summary.peer_id, None)
        _log.warning("Peer %s is not believed about the swarm for an hour: %s.", PeerID(summary.peer_id), why)

    def _drop_liars(self) -> None:
        self._known = [item for item in self._known if item.peer_id not in self._liars]
        if self._named_by in self._liars:
            self._roster, self._named_by = None, None
        self._follow_level()

    # --- deputies ---

    def draw_from(self, roster: Roster) -> None:
        """Draw deputies from ``roster``.

        Nothing changes where a summary of an entrance has named the peers, or the last roster is not too old.
        """
        last = self._roster
        is_old = last is not None and self._dht_clock() - last.since > self._rules.roster_seconds
        if self._named_by is None and (last is None or is_old):
            self._roster = roster

    @property
    def admitted(self) -> AdmittedDeputies:
        """The deputies whose summaries this peer holds and passes on; none while an entrance is heard."""
        if self.hears_entrance:
            return AdmittedDeputies()
        found = admitted(self._roster, self._prefix, self._dht_clock(), self._rules)
        return AdmittedDeputies(found.difference(self._liars), self._rules.least_seconds)

    def is_deputy(self, own: bytes) -> bool:
        """Return true if the peer with the id ``own`` is to summarise the swarm."""
        if self.hears_entrance:
            return False
        return is_due(own, self._roster, self._known, self._prefix, self._dht_clock(), self._rules)


class SummaryAsker:
    """Asks now and then whether there are summaries, without waiting for the answer: most swarms have none."""

    def __init__(self, dht: "hivemind.DHT", clock: Callable[[], float]) -> None:
        """Prepare to ask through ``dht``; ``clock`` gives monotonic seconds."""
        self._dht, self._clock = dht, clock
        self._asked: Future[tuple[list[Any], bool]] | None = None
        self._asked_at = float("-inf")

    def answered(self, deputies: AdmittedDeputies | None = None) -> list[Any]:
        """Return the plain values of the summaries, once an answer has come; ask again if it is time for that.

        ``deputies`` are those whose summaries are held, as for `pull`.
        """
        if self._asked is not None and self._asked.done():
            asked, self._asked = self._asked, None
            return asked.result()[0] if asked.exception() is None else []
        if self._asked is None and self._clock() - self._asked_at >= _ASK_SECONDS:
            self._asked_at, self._asked = self._clock(), pull(self._dht, deputies)
        return []


class FollowedCommits:
    """The last commits that this peer has followed, by which a summary from before them is read."""

    def __init__(self) -> None:
        """Begin without any."""
        self._last: ProgressRecord | None = None
        self._moves = deque[tuple[tuple[int, bytes], ProgressRecord]](maxlen=4)

    def note(self, own: ProgressRecord) -> None:
        """Note the place of this peer in its record ``own``."""
        last, self._last = self._last, own
        if last is not None and own.synchronised and last.synchronised and own.epoch == last.epoch + 1:
            self._moves.append(((last.epoch, last.head), own))

    def applied(self, others: Sequence[ProgressRecord], seen: float, now: float) -> Sequence[ProgressRecord]:
        """Return the ``others`` of a summary, those at the beginning of a commit moved to its end.

        Args:
            others: the cohorts.
            seen: DHT time in seconds at which they had been read.
            now: the present DHT time in seconds.
        """
        for before, own in self._moves:
            landed = own.time - own.epoch_seconds
            if seen < landed + _FOLLOWED_SECONDS and now >= landed:
                others = moved_on(others, before, own.model_copy(update={"time": landed}))
        return others
