"""The records that simulated peers see of each other, and how often they look: a DHT's stand-in."""

import math
from collections import deque
from collections.abc import Callable, Sequence

from core.run.control_traffic import CALL_BYTES, NODES_KEEPING, look_traffic
from core.run.look_schedule import PULL_SECONDS, SHARD_RENEWAL_SECONDS, STORED_SECONDS
from core.run.rules import SwarmRules
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedLine
from core.simulation.summaries import KnownSummary, SimulatedSummaries
from core.simulation.view import SimulatedView
from core.swarm.membership.cohorts import others_in
from core.swarm.membership.summary_choice import FollowedCommits
from core.swarm.membership.swarm_view import SwarmView, timely
from core.swarm.wire.records import ProgressRecord

_ROUND_TRIPS = 2.0
"""Round trips of a look, and of a store: to find the nodes that keep the key, and to ask them."""
_RECORDS_REMEMBERED = 4
_OF_PROCESSES = 0.05
"""Seconds of a look or a store in the processes of both sides."""


def call_seconds(delay: float) -> float:
    """Return the seconds of a look or a store on a line with that ``delay``, in seconds there and back."""
    return _ROUND_TRIPS * delay + _OF_PROCESSES


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

    def count_look(self, line: SimulatedLine, new_records: int) -> None:
        """Count the bytes of a look that brings ``new_records``, on the ``line`` of its peer and on the keepers'."""
        keeping = max(1, min(NODES_KEEPING, len(self.keepers)))
        look = look_traffic(new_records, keeping)
        self._count(line, look.up, look.down, keeping // 2 + 1)

    def count_pull(self, line: SimulatedLine, size: int) -> None:
        """Count a call for a newer summary on the ``line`` of its peer and a keeper's, of ``size`` bytes or 0."""
        self._count(line, CALL_BYTES, CALL_BYTES + size, 1)

    def _count(self, line: SimulatedLine, up: float, down: float, asked: int) -> None:
        line.count(sent=up, received=down)
        for _ in range(min(asked, len(self.keepers))):
            self._asked += 1
            keeper = self.keepers[self._asked % len(self.keepers)]
            keeper.count(sent=down / asked, received=up / asked)


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
    ) -> None:
        """Prepare to look at ``board``; `start` begins.

        Args:
            board: the records of all.
            rules: the run's rules, by which looks are more frequent when a round is near.
            line: the line whose bytes are counted.
            delay: seconds of the line there and back.
            react: called after each look.
        """
        self._board, self._rules, self._line, self._react = board, rules, line, react
        self._seconds = call_seconds(delay)
        self._record: Callable[[], ProgressRecord] | None = None
        self._pause, self._rests, self._stopped = 0.0, False, False
        self._looking, self._again = False, False
        self._next = board.queue.after(0.0, lambda: None)
        self._known: dict[bytes, float] = {}
        self._aside: dict[bytes, float] = {}
        self._summary: KnownSummary | None = None
        self._commits = FollowedCommits()
        self._stored = deque[ProgressRecord](maxlen=_RECORDS_REMEMBERED)
        """Records that this peer has stored last."""
        self._publishes = True
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
        queue, own = self._board.queue, self._record()
        began = SwarmView(queue.now(), seen_at=queue.now())
        longest = self._period(math.inf, own, self.view or began)
        longest = SHARD_RENEWAL_SECONDS if self.level else max(self._pause, longest)
        own = own.model_copy(update={"looks_every": longest})
        self._commits.note(own)
        self._looking, self._again = True, False
        if self._is_due(own):
            queue.after(self._seconds / 2, lambda: self._store(own))
        queue.after(self._seconds, lambda: self._looked(began, own))

    @property
    def level(self) -> int:
        """Level at which the record is stored; 0 while all records are read."""
        return self._summary.level if self._summary is not None else 0

    def _is_due(self, own: ProgressRecord) -> bool:
        """Return true if the record is stored at this look: in a large swarm it is only now and then."""
        is_due = self._publishes or own.time - self._stored[-1].time >= SHARD_RENEWAL_SECONDS
        return is_due or not self.level

    def _store(self, own: ProgressRecord) -> None:
        if not self._stopped:
            self._stored.append(own)
            self._publishes = False
            self._board.store(own)
            if self.level:
                self._board.count_look(self._line, 0)

    def _looked(self, began: SwarmView, own: ProgressRecord) -> None:
        self._looking = False
        if self._stopped:
            return
        if self.level:
            found = self._summarised(own)
        else:
            found = [item for item in timely(self._all(own), self._board.queue.now()) if not item.leaving]
        self._pull(own)
        self.view = self._sorted(began, found)
        now, target = self._board.queue.now(), self._rules.target_batch_size
        left = self.view.seconds_to_round(own, target, self._rules.round_seconds, now)
        self._pause = min(self._period(left, own, self.view), own.looks_every)
        if self._again:
            self._turn()
        elif not self._rests:
            self._next = self._board.queue.after(self._pause, self._turn)
        self._react()

    def _all(self, own: ProgressRecord) -> Sequence[ProgressRecord]:
        """Return all records of others, and count what is new among them."""
        found = [record for record in self._board.read() if record.peer_id != own.peer_id]
        new = sum(self._known.get(record.peer_id) != record.time for record in found)
        self._known = {record.peer_id: record.time for record in found}
        self._board.count_look(self._line, new)
        return found

    def _pull(self, own: ProgressRecord) -> None:
        before, self._summary = self._summary, self._board.summaries.known_to(own.peer_id)
        known = self._summary
        if known is not None:
            self._board.count_pull(self._line, known.size if known is not before else 0)

    def _summarised(self, own: ProgressRecord) -> Sequence[ProgressRecord]:
        """Return the cohorts of the newest summary that has come to this peer."""
        known = self._summary
        assert known is not None
        found = others_in(known.cohorts, own.peer_id, self._counted(known.time))
        return self._commits.applied(found, known.time, self._board.queue.now())

    def _counted(self, time: float) -> ProgressRecord | None:
        """Return the record of this peer's that a summary of that time has counted."""
        return next((record for record in reversed(self._stored) if record.time <= time), None)

    def _period(self, left: float, own: ProgressRecord, view: SwarmView) -> float:
        if self.level:
            return PULL_SECONDS
        return view.period(left, own, self._rules.target_batch_size, self._rules.round_seconds)

    def _sorted(self, view: SwarmView, records: Sequence[ProgressRecord]) -> SwarmView:
        now = self._board.queue.now()
        ignored = {peer for peer, until in self._aside.items() if until >= now}
        return SimulatedView(
            view.time,
            tuple(record for record in records if record.peer_id not in ignored),
            tuple(record for record in records if record.peer_id in ignored),
            seen_at=view.seen_at,
        )
