"""The commits of a simulated swarm: members look, write, wait and believe the winner, as real ones do."""

import functools
from collections import Counter
from collections.abc import Callable

from hivemind.p2p import PeerID

from core.run.control_traffic import OVERHEAD
from core.run.rules import SwarmRules
from core.simulation.board import call_seconds
from core.simulation.engine import EventQueue
from core.simulation.group import PlaceInChain, SimulatedGroup, SimulatedStep, nothing_to_commit
from core.simulation.round_traffic import RoundTraffic
from core.simulation.work import WHOLE
from core.swarm.rounds.commit import EAGER_WRITERS, winner
from core.swarm.rounds.round import (
    POLL_GROWTH,
    POLL_SECONDS,
    POLL_SECONDS_AT_LAST,
    RoundFailed,
    RoundOutcome,
    RoundStatus,
)
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord


class SimulatedCommits:
    """All commits of a swarm."""

    def __init__(
        self,
        queue: EventQueue,
        rules: SwarmRules,
        aggregates: int,
        traffic: RoundTraffic,
        note: Callable[[str, CommitRecord], None],
    ) -> None:
        """Begin without a commit.

        Args:
            queue: the events and the clock.
            rules: the run's rules.
            aggregates: bytes of the aggregates of a round.
            traffic: counts looks and stores.
            note: called with "committed" and the record of each commit when it is first written.
        """
        self._queue, self._rules, self._aggregates, self._note = queue, rules, aggregates, note
        self._traffic = traffic
        self._records: dict[PlaceInChain, dict[bytes, CommitRecord]] = {}
        self._writers = Counter[PlaceInChain]()
        self._names: dict[bytes, list[PeerID]] = {}
        """Peers that wrote each commit, by its root."""
        self._ends: dict[bytes, float] = {}
        """Times in seconds at which the records end that were written last, by their roots."""

    def after(self, place: PlaceInChain) -> CommitRecord | None:
        """Return the commit that counts now for the step from ``place``; None if there is none, or none any more."""
        now, written = self._queue.now(), self._records.get(place, {})
        return winner((record for root, record in written.items() if self._ends[root] > now), *place)

    def writers_of(self, record: CommitRecord) -> list[PeerID]:
        """Return the peers that wrote ``record``."""
        return self._names.get(record.root, [])

    def _look(self, step: SimulatedStep) -> CommitRecord | None:
        """Return what `after` returns for ``step``, which looks now; each record comes to it once."""
        written = self._writers[step.place]
        self._traffic.count_commit_read(step.line, written - step.commits_known)
        step.commits_known = written
        return self.after(step.place)

    def has_counted(self, record: CommitRecord) -> bool:
        """Return true if ``record`` counts among all that were ever written for its step, ended ones included."""
        place = record.epoch, record.parent
        chosen = winner(self._records.get(place, {}).values(), *place)
        return chosen is not None and chosen.root == record.root

    def settle(self, group: SimulatedGroup, first_rank: int) -> None:
        """Let the members of ``group`` commit its record, and those end that have nothing to commit.

        The rank of its first member among all that may write the record is ``first_rank``.
        """
        for index, step in enumerate(group.members):
            if index in group.gone:
                continue
            if step.sends and step.triggered:
                self._commit(group, index, first_rank + index)
            elif not step.sends:
                step.end(nothing_to_commit(group, step))

    def _commit(self, group: SimulatedGroup, index: int, rank: int) -> None:
        """Commit as `core.swarm.rounds.commit.commit` does: look, write, wait, look again, believe the winner."""
        step, record = group.members[index], group.record
        assert record is not None
        settle = group.limits_of(step, self._rules).settle_seconds
        call = call_seconds(step.line.delay)

        def look() -> None:
            if index in group.gone:
                return
            if self._look(step) is not None:
                self._queue.after(settle + call, conclude)
                return
            step.stores.append(call)
            self._traffic.count_commit(step.line)
            step.commits_known += 1
            self._queue.after(call, written)

        def written() -> None:
            self._write(record, step)
            self._queue.after(settle * (2 if call > settle else 1) + call, conclude)

        def conclude() -> None:
            self._conclude(group, step, self._look(step) or record)

        self._queue.after(call + (settle if rank >= EAGER_WRITERS else 0.0), look)

    def await_other(
        self, group: SimulatedGroup, step: SimulatedStep, until: float, pause: float = POLL_SECONDS
    ) -> None:
        """Let ``step``, of a ``group`` that failed, wait for another group's commit up to the time ``until``.

        It looks again after a ``pause`` in seconds, and less often each time.
        """
        if step.done() or step.is_lost:
            return
        chosen = self._look(step)
        if chosen is not None:
            wait = group.limits_of(step, self._rules).settle_seconds + call_seconds(step.line.delay)
            self._queue.after(wait, lambda: self._conclude(group, step, self._look(step) or chosen))
        elif self._queue.now() >= until:
            step.end(RoundFailed("A reducer was lost, and no member of the group had all parts."))
        else:
            longer = min(POLL_GROWTH * pause, POLL_SECONDS_AT_LAST)
            again = functools.partial(self.await_other, group, step, until, longer)
            self._queue.after(pause + call_seconds(step.line.delay), again)

    def _conclude(self, group: SimulatedGroup, step: SimulatedStep, chosen: CommitRecord) -> None:
        """Let ``step`` end with the commit ``chosen``, after it has fetched that of another group."""
        is_ours = group.record is not None and chosen.group == group.record.group
        lacking = 0 if is_ours else self._aggregates
        step.line.count(received=OVERHEAD * lacking)
        outcome = _outcome(group, group.members.index(step), chosen, is_ours=is_ours)
        self._queue.after(step.line.seconds_of(0, lacking), lambda: step.end(outcome))

    def _write(self, record: CommitRecord, step: SimulatedStep) -> None:
        self._names.setdefault(record.root, []).append(step.peer)
        self._writers[record.epoch, record.parent] += 1
        at = self._records.setdefault((record.epoch, record.parent), {})
        self._ends[record.root] = self._queue.now() + COMMIT_SECONDS
        if record.root not in at:
            at[record.root] = record
            self._note("committed", record)


def _outcome(group: SimulatedGroup, index: int, chosen: CommitRecord, *, is_ours: bool) -> RoundOutcome:
    step = group.members[index]
    is_included = is_ours and index in group.contributing
    is_alone = len(group.members) == 1
    return RoundOutcome(
        chosen.epoch,
        chosen.root,
        RoundStatus.AVERAGED if is_ours else RoundStatus.SUPERSEDED,
        WHOLE if is_included else frozenset(),
        chosen.samples,
        chosen.members,
        matchmaking_seconds=None if is_alone else step.matched_seconds,
        exchange_seconds=None if is_alone else group.exchange_seconds,
        store_seconds=tuple(step.stores),
        counted=is_included,
    )
