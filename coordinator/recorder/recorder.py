"""Follows one generation of a run: enters its epochs in the ledger, and says what the swarm does now."""

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol

from hivemind.p2p import PeerID
from sqlalchemy import func, select

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch, SwarmNow
from coordinator.ledger.credit import CommittedEpoch, of_unknown_class, operations_of
from coordinator.ledger.ledger import Ledger
from coordinator.peer_users import PeerUsers
from coordinator.recorder.claims import Claims, KnownMachines
from coordinator.recorder.epochs import LONGEST, EpochQueue, Point, walk_back
from coordinator.recorder.own_relays import warning_of_relays
from coordinator.recorder.progress import run_now
from coordinator.recorder.reader import Look
from coordinator.recorder.standstill import ConditionTimer, are_apart, half_wait, have_batch, holdup_of
from coordinator.run_now import RunNow, UsedUpRelay
from core.run.look_schedule import period
from core.run.manifest import RunManifest
from core.swarm.membership.majority import leading_place
from core.swarm.rounds.partition import Part
from core.swarm.rounds.summary import RoundSummary
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)

_LONGEST_TURN_SECONDS = 1.0
_GAP = timedelta(seconds=10)
"""Time for which missing epochs are asked for, before later ones are recorded without them."""
_FRESH = timedelta(seconds=5)
"""Time after which an unchanged state is written again: its readers see that the recorder lives."""

_BETWEEN = "\n\n"
"""Separator of two warnings, which makes each a paragraph."""


@dataclass(frozen=True)
class RecordedProgress:
    """The recorded state of a generation."""

    point: Point
    time: datetime
    """Time of its last commit."""
    loss: float | None
    exchanged_bytes: int

    @classmethod
    def from_ledger(cls, database: Database, manifest: RunManifest, now: datetime) -> "RecordedProgress":
        """Return the point to continue from, which is the generation's beginning if nothing is recorded.

        Raise DatabaseError if the record cannot be read.
        """
        with database.reading() as session:
            own = select(Epoch).where(Epoch.generation == manifest.state.generation)
            last = session.scalar(own.order_by(Epoch.epoch.desc()).limit(1))
            traffic = int(session.scalar(select(func.sum(Epoch.traffic))) or 0)
        if last is None:
            return cls(Point(manifest.state.epoch, manifest.genesis), now, None, traffic)
        return cls(Point(last.epoch, bytes.fromhex(last.root)), last.time, last.loss, traffic)


class RecordedSwarm(Protocol):
    """The part of `SwarmReader` that a recorder needs."""

    parts: tuple[Part, ...]

    async def look(self) -> Look: ...

    def want(self, peers: Iterable[bytes]) -> None: ...

    async def summary(self, root: bytes, donors: Sequence[PeerID]) -> RoundSummary | None: ...


class Recorder:
    """One turn looks at the swarm once; nothing of what a turn had found is lost by ending in the middle of it."""

    def __init__(
        self,
        manifest: RunManifest,
        database: Database,
        swarm: RecordedSwarm,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        used_up: Callable[[datetime], Mapping[str, UsedUpRelay]] = lambda _: {},
    ) -> None:
        """Continue the record from its last epoch; raise DatabaseError if it cannot be read.

        ``used_up`` returns the relays of the coordinator's own peers whose total of a day is used up at a time.
        """
        self._manifest, self._database, self._swarm, self._clock = manifest, database, swarm, clock
        self._recorded = RecordedProgress.from_ledger(database, manifest, clock())
        self._operations = float(operations_of(manifest.training.model))
        has_gate = manifest.contact.gate is not None
        checks = manifest.training.swarm.recomputed_share is not None
        ledger = Ledger(database, self._operations, has_gate=has_gate, checks_work=checks)
        self._peer_users = PeerUsers(database if has_gate else None)
        self._queue, self._claims, self._machines = EpochQueue(ledger.record), Claims(), KnownMachines()
        self._summaries: OrderedDict[bytes, RoundSummary] = OrderedDict()
        self._gap_since: datetime | None = None
        self._unproven: Point | None = None
        """The last place of the trainers that lacked votes."""
        self._still_since: datetime | None = None
        """Time since which trainers are there and made no epoch; None while there are none."""
        self._apart, self._batch, self._wait = ConditionTimer(), ConditionTimer(), ConditionTimer()
        self._used_up = used_up
        self._stored: RunNow | None = None
        self._warned: frozenset[str] = frozenset()
        """The present warnings that are in the log, without their numbers."""

    @property
    def newest(self) -> int:
        """The last epoch that was seen."""
        return self._recorded.point.epoch

    async def turn(self) -> float:
        """Look, record and tell; returns the seconds until the next turn.

        Raises SwarmError once the swarm cannot be looked at any more, DatabaseError while nothing can be reported.
        """
        look = await self._swarm.look()
        leading = leading_place(await asyncio.to_thread(self._peer_users.one_per_user, look.peers))
        self._claims.note(look.readings, leading)
        self._machines.note(look.readings)
        await self._follow(look, leading)
        await asyncio.to_thread(self._queue.settle)
        now = self._now(look)
        self._log_warnings((now.warning or "").split(_BETWEEN))
        await asyncio.to_thread(self._store, now)
        return min(period(now.seconds_to_next or 0.0), _LONGEST_TURN_SECONDS)

    # --- the chain ----------------------------------------------------------------------------------------------

    async def _follow(self, look: Look, leading: tuple[int, bytes] | None) -> None:
        recorded = self._recorded.point
        if leading is None or leading[0] <= recorded.epoch:
            return
        head = Point(*leading)
        if not look.has_quorum(head.epoch, head.root):
            self._note_without_quorum(head)
            return
        walk = await walk_back(head, recorded, partial(self._summary, look))
        if not walk.summaries or not (walk.is_whole or self._has_been_missing()):
            return
        self._gap_since = None
        if not walk.is_whole:
            first = walk.summaries[0].record.epoch
            _log.warning("No peer has epochs %d to %d any more.", recorded.epoch + 1, first)
        share = (self._clock() - self._recorded.time) / (head.epoch - recorded.epoch)
        for summary in walk.summaries:
            self._enter(summary, max(share, timedelta()))
            self._summaries.pop(summary.record.root, None)  # no walk goes back behind what is recorded

    def _note_without_quorum(self, head: Point) -> None:
        """Log that the trainers stand at a commit without the votes of more than half of the users, once for each."""
        if head != self._unproven:
            self._unproven = head
            _log.warning(
                "Epoch %d is not recorded yet: too few users voted for the commit %s that led to it.",
                head.epoch,
                head.root.hex()[:8],
            )

    def _has_been_missing(self) -> bool:
        """Return true if the missing epochs have been asked for long enough."""
        now = self._clock()
        self._gap_since = self._gap_since or now
        return now - self._gap_since > _GAP

    async def _summary(self, look: Look, root: bytes) -> RoundSummary | None:
        if root not in self._summaries:
            found = await self._swarm.summary(root, look.donors(root))
            if found is None:
                return None
            self._summaries[root] = found
            while len(self._summaries) > 2 * LONGEST:
                self._summaries.popitem(last=False)
        return self._summaries[root]

    def _enter(self, summary: RoundSummary, share: timedelta) -> None:
        """Note an epoch for the ledger; those found together share the time since the last one before them."""
        record = summary.record
        done, before = record.epoch + 1, self._recorded
        when = before.time + share * (done - before.point.epoch)
        loss, traffic = summary.loss(self._swarm.parts[-1]), self._traffic(summary.peers)
        peers = [item.peer_id for item in summary.contributors]
        claims, audit = self._claims.of(record.epoch, record.parent, peers, self._clock().timestamp())
        epoch = CommittedEpoch(
            generation=self._manifest.state.generation,
            epoch=done,
            time=when,
            seconds=share.total_seconds(),
            samples=summary.samples,
            root=record.root.hex(),
            loss=loss,
            contributors={PeerID(item.peer_id).to_base58(): item.weight for item in summary.contributors},
            claims=claims,
            audit=audit,
            machines=self._machines.of(peers),
            peers=summary.peers if len(peers) < summary.peers else None,
            traffic=traffic,
        )
        self._queue.add(epoch)
        unknown = of_unknown_class(epoch, self._operations)
        self._swarm.want(PeerID.from_base58(peer).to_bytes() for peer in unknown)
        point = Point(done, record.root)
        self._recorded = RecordedProgress(point, when, loss, before.exchanged_bytes + traffic)

    def _traffic(self, peers: int) -> int:
        """Return the bytes that the values and aggregates of a round take at least, as its ``peers`` reduce.

        Each value goes to one reducer, and each aggregate back. Where an auxiliary peer reduces, no contributor keeps
        its own values of a part, and more travels.
        """
        both_ways = sum(part.wire_bytes + part.aggregate_bytes for part in self._swarm.parts)
        return (peers - 1) * both_ways

    # --- reports ------------------------------------------------------------------------------------------------

    def _now(self, look: Look) -> RunNow:
        recorded, now = self._recorded, self._clock()
        if not any(peer.computes for peer in look.peers):
            self._still_since = None
        else:
            self._still_since = max(self._still_since or now, recorded.time)
        found = run_now(
            look.peers,
            self._manifest,
            time=now,
            epoch=recorded.point.epoch,
            loss=recorded.loss,
            exchanged_bytes=recorded.exchanged_bytes,
            still_seconds=(now - self._still_since).total_seconds() if self._still_since else 0.0,
        )
        relays = dict(self._used_up(now))
        warnings = (self._holdup(look.peers, now) or found.warning, warning_of_relays(relays))
        told = _BETWEEN.join(filter(None, warnings)) or None
        return found.model_copy(update={"warning": told, "used_up_relays": relays})

    def _holdup(self, peers: Sequence[ProgressRecord], now: datetime) -> str | None:
        swarm, place = self._manifest.training.swarm, leading_place(peers)
        by_samples = swarm.round_seconds is None  # else a round is due whatever was gathered
        is_due = by_samples and have_batch(peers, place, swarm.target_batch_size)
        return holdup_of(
            peers,
            place,
            apart_seconds=self._apart.seconds(are_apart(peers, place) or None, now),
            batch_seconds=self._batch.seconds(place if is_due else None, now),
            wait_seconds=self._wait.seconds(half_wait(peers) or None, now),
            round_seconds=swarm.averaging_seconds,
        )

    def _log_warnings(self, warnings: Sequence[str]) -> None:
        """Write each warning to the log when it comes up, not each time that its numbers change."""
        found = {re.sub(r"\d+", "", warning): warning for warning in warnings if warning}
        for words in found.keys() - self._warned:
            _log.warning("%s", found[words])
        if self._warned and not found:
            _log.info("The last warning is over.")
        self._warned = frozenset(found)

    def _store(self, now: RunNow) -> None:
        stored = self._stored
        is_news = stored is None or now.model_copy(update={"time": stored.time}) != stored
        if stored is not None and not is_news and now.time - stored.time < _FRESH:
            return
        row = SwarmNow(id=1, time=now.time, content=now.model_dump(mode="json"))
        self._database.retrying(lambda session: session.merge(row))
        self._stored = now
