"""How a simulated peer publishes its record and looks at the others: by the schedule and the views of a real one."""

import math
from collections import deque
from collections.abc import Callable, Sequence

from core.run.look_schedule import PULL_SECONDS, SHARD_RENEWAL_SECONDS
from core.run.rules import SwarmRules
from core.simulation.board import SimulatedBoard, call_seconds
from core.simulation.line import SimulatedLine
from core.simulation.summaries import KnownSummary
from core.simulation.view import SimulatedView, SummarisedView
from core.swarm.membership.cohorts import others_in
from core.swarm.membership.summary_choice import FollowedCommits
from core.swarm.membership.swarm_view import SwarmView, timely
from core.swarm.wire.records import ProgressRecord

_RECORDS_REMEMBERED = 4
_SAME_SECONDS = 0.5
"""Seconds by which the time of a round may change without a new plan of the peer, which looks again at that time."""


class SimulatedTracker:
    """Publishes a peer's record and looks at the others', as often as a real peer does.

    It stands for `core.swarm.membership.progress.ProgressTracker`, by the same schedule and the same views.
    """

    lost = False

    def __init__(
        self,
        board: SimulatedBoard,
        rules: SwarmRules,
        line: SimulatedLine,
        delay: float,
        react: Callable[[], object],
        may_rest: Callable[[], bool] = lambda: False,
        *,
        follows_commits: bool = True,
    ) -> None:
        """Prepare to look at ``board``; `start` begins.

        Args:
            board: the records of all.
            rules: the run's rules, by which looks are more frequent when a round is near.
            line: the line whose bytes are counted.
            delay: seconds of the line there and back.
            react: called after each look that may change what the peer does.
            may_rest: returns true while the peer does nothing at a look that brings no news.
            follows_commits: false for a peer that judges states by what others report.
        """
        self._board, self._rules, self._line, self._react = board, rules, line, react
        self._may_rest, self._follows_commits = may_rest, follows_commits
        self._seconds = call_seconds(delay)
        self._record: Callable[[], ProgressRecord] | None = None
        self._pause, self._rests, self._stopped = 0.0, False, False
        self._looking, self._again = False, False
        self._next = board.queue.after(0.0, lambda: None)
        self._known: dict[bytes, float] = {}
        self._aside: dict[bytes, float] = {}
        self._summary: KnownSummary | None = None
        self._viewed: KnownSummary | None = None
        """The summary by which the view is."""
        self._commits, self._last_synchronised = FollowedCommits(), False
        self._stored = deque[ProgressRecord](maxlen=_RECORDS_REMEMBERED)
        """Records that this peer has stored last."""
        self._publishes = True
        self._due = math.inf
        """Time in seconds of the next round, by the last look."""
        self.view: SwarmView | None = None

    @property
    def is_quiet(self) -> bool:
        """True if nothing is published or looked up any more."""
        return self._rests and not self._looking

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to publish what ``record`` returns."""
        self._record = record
        self._turn()

    def publish(self) -> None:
        """Publish and look now; a rest is over."""
        self._rests, self._publishes = False, True
        self._turn()

    def rest(self) -> None:
        """Publish once more, and be quiet then."""
        self._rests, self._publishes = True, True
        self._turn()

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Ignore ``peers`` (their ids in bytes) for ``seconds``."""
        until = self._board.queue.now() + seconds
        self._aside.update(dict.fromkeys(peers, until))
        if self.view is not None:
            self.view = self._sorted(self.view, [*self.view.others, *self.view.aside])

    def stop(self) -> None:
        """Tell the others that this peer leaves, and look no more."""
        if self._record is not None and not self._stopped:
            self._board.store(self._record().model_copy(update={"leaving": True}))
        self.end()

    def end(self) -> None:
        """Look no more, without a word to the others."""
        self._stopped = True
        self._next.cancel()

    def _turn(self) -> None:
        if self._stopped or self._record is None:
            return
        if self._looking:
            self._again = True
            return
        self._next.cancel()
        queue, brings_news = self._board.queue, self._may_bring_news()
        self._looking, self._again = True, False
        if not brings_news and not self._renews(queue.now()):
            queue.after(self._seconds, self._asked)
            return
        own, began = self._record(), SwarmView(queue.now(), seen_at=queue.now())
        moved, is_due = self._publishes, self._is_due(own)
        if is_due:
            own = own.model_copy(update={"looks_every": self._renewed_after(own, self.view or began)})
            queue.after(self._seconds / 2, lambda: self._store(own))
        if self._follows_commits:
            self._commits.note(own)
        self._last_synchronised = own.synchronised
        queue.after(self._seconds, (lambda: self._looked(began, own, moved)) if brings_news else self._asked)

    def _may_bring_news(self) -> bool:
        """Return false if a look now would give the same view, by the same summary, to a peer that may rest.

        Most looks of a large swarm are such. A peer that moved publishes, so that its next look is a whole one.
        """
        is_same = self.level and self._viewed is self._summary and self._decides_by_clock
        return not (is_same and not self._publishes and self._last_synchronised and self._may_rest())

    def _asked(self) -> None:
        """Take the answer to the call for a newer summary, by which the next look is."""
        self._looking = False
        if not self._stopped:
            self._pull(self._stored[-1].peer_id)
            self._go_on()

    def _go_on(self) -> None:
        if self._again:
            self._turn()
        elif not self._rests:
            self._next = self._board.queue.after(self._pause, self._turn)

    @property
    def _decides_by_clock(self) -> bool:
        """True if no decision needs the others' samples, and no peer is ignored."""
        return self._rules.round_seconds is not None and not self._aside

    @property
    def level(self) -> int:
        """Level at which the record is stored; 0 while all records are read."""
        return self._summary.level if self._summary is not None else 0

    def _is_due(self, own: ProgressRecord) -> bool:
        """Return true if the record is stored at this look: in a large swarm it is only now and then."""
        return self._publishes or not self.level or self._renews(own.time)

    def _renews(self, now: float) -> bool:
        return now - self._stored[-1].time >= SHARD_RENEWAL_SECONDS

    def _store(self, own: ProgressRecord) -> None:
        if not self._stopped:
            self._stored.append(own)
            self._publishes = False
            self._board.store(own)
            if self.level:
                self._board.count_look(self._line, 0)

    def _looked(self, began: SwarmView, own: ProgressRecord, moved: bool) -> None:
        self._looking = False
        if self._stopped:
            return
        if not self.level:
            self._pull(own.peer_id)  # a newcomer of a large swarm asks before it reads
        self._viewed = self._summary
        if self.level:
            self.view = self._summarised(began, own)
        else:
            found = [item for item in timely(self._all(own), self._board.queue.now()) if not item.leaving]
            self.view = self._sorted(began, found)
        if self.level:
            self._pull(own.peer_id)
        self._pause = PULL_SECONDS if self.level else min(self._pause_after(own, self.view), own.looks_every)
        self._go_on()
        if self._changes_plan(self.view, own) or moved:
            self._react()

    def _changes_plan(self, view: SwarmView, own: ProgressRecord) -> bool:
        """Return false if the ``view`` leaves a peer that may rest in step, with its round at the same time."""
        if not isinstance(view, SummarisedView):
            return True
        rules = self._rules
        left = view.seconds_to_round(own, rules.target_batch_size, rules.round_seconds, own.time)
        before, self._due = self._due, own.time + left
        is_same = abs(self._due - before) <= _SAME_SECONDS
        return not (is_same and self._may_rest() and view.is_in_step(own))

    def _all(self, own: ProgressRecord) -> Sequence[ProgressRecord]:
        """Return all records of others, and count what is new among them."""
        found = [record for record in self._board.read() if record.peer_id != own.peer_id]
        new = sum(self._known.get(record.peer_id) != record.time for record in found)
        self._known = {record.peer_id: record.time for record in found}
        self._board.count_look(self._line, new)
        return found

    def _pull(self, own: bytes) -> None:
        before, self._summary = self._summary, self._board.summaries.known_to(own)
        known = self._summary
        if known is not None:
            self._board.count_pull(self._line, known.size if known is not before else 0)

    def _summarised(self, began: SwarmView, own: ProgressRecord) -> SwarmView:
        """Return the view by the newest summary that has come to this peer."""
        known, now = self._summary, self._board.queue.now()
        assert known is not None
        counted = self._counted(known.time)
        if self._decides_by_clock:
            return known.seen_by(began, own.peer_id, counted, self._commits, now)
        found = others_in(known.cohorts, own.peer_id, counted)
        return self._sorted(began, self._commits.applied(found, known.time, now))

    def _counted(self, time: float) -> ProgressRecord | None:
        """Return the record of this peer's that a summary of that time has counted."""
        return next((record for record in reversed(self._stored) if record.time <= time), None)

    def _pause_after(self, own: ProgressRecord, view: SwarmView) -> float:
        target, now = self._rules.target_batch_size, self._board.queue.now()
        left = view.seconds_to_round(own, target, self._rules.round_seconds, now)
        return view.period(left, own, target, self._rules.round_seconds)

    def _renewed_after(self, own: ProgressRecord, view: SwarmView) -> float:
        """Return the most seconds until the record ``own`` is renewed, as the peer states it in the record."""
        if self.level:
            return SHARD_RENEWAL_SECONDS
        rules = self._rules
        return max(self._pause, view.period(math.inf, own, rules.target_batch_size, rules.round_seconds))

    def _sorted(self, view: SwarmView, records: Sequence[ProgressRecord]) -> SwarmView:
        now = self._board.queue.now()
        self._aside = {peer: until for peer, until in self._aside.items() if until >= now}
        ignored = self._aside
        return SimulatedView(
            view.time,
            tuple(record for record in records if record.peer_id not in ignored),
            tuple(record for record in records if record.peer_id in ignored),
            seen_at=view.seen_at,
        )
