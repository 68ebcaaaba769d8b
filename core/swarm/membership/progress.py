"""Publishes the peer's own progress record and reads the others', about as often as there is news."""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Self

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.failure_series import FailureSeries
from core.run.look_schedule import DEPUTY_SECONDS, PULL_SECONDS, SHARD_RENEWAL_SECONDS
from core.run.manifest import RunManifest
from core.swarm.admission.admission import Admission
from core.swarm.admission.set_aside import UsersSetAside
from core.swarm.averaging.ending import answer
from core.swarm.lookup.reader import LOOK_SECONDS
from core.swarm.membership.clocks import ClockDifference, OthersClocks
from core.swarm.membership.looks import SwarmLooks
from core.swarm.membership.summariser import DeputyTerm, Summariser
from core.swarm.membership.swarm_view import MissedTrainers, SwarmView, log_changes, timely
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import Voter, voter_of

_log = logging.getLogger(__name__)

_ANSWER_SECONDS = LOOK_SECONDS + 8.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_RETRY_SECONDS = 1.0
"""Seconds, at least, until the next look after one that failed."""
_END_SECONDS = 2.0
"""Seconds for which a look that is under way may keep the end waiting, and then the last record as long again."""
_UNANSWERED = 3
"""Number of consecutive unanswered calls after which the DHT's process counts as hanging."""


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
        follows_commits: bool = True,
        deputy: PeerIdentity | None = None,
        certificate: OwnCertificate = OPEN_RUN,
        clock: Callable[[], float] = time.monotonic,
        dht_clock: Callable[[], float] = get_dht_time,
    ) -> None:
        """Prepare the thread; `start` starts it.

        Args:
            dht: a running DHT node of this peer.
            prefix: the run's DHT prefix.
            owner: this peer's owner key, under which its record is stored.
            target_batch_size: samples of all peers that make an epoch; looks are more frequent towards its end.
            round_seconds: seconds between rounds, where the clock decides; None where samples do.
            answer_seconds: seconds after which a call to the DHT's process counts as unanswered.
            ask_in_reach: begins to ask if any peer of the swarm is known, so that those that are not seen can be
                missed; None: they never are.
            follows_commits: false for a peer that judges states by what others report, as for `SwarmLooks`.
            deputy: the identity of a peer that others connect to, which signs summaries while no entrance does; None:
                it never does.
            certificate: the certificate of this peer's records.
            clock: gives monotonic seconds.
            dht_clock: gives the DHT time in seconds.
        """
        self._ask_in_reach, self._missed = ask_in_reach, MissedTrainers()
        self._clocks = OthersClocks()
        self._clock, self._dht_clock = clock, dht_clock
        self._answer_seconds, self._unanswered, self.lost = answer_seconds, 0, False
        self._dht, self._target, self._round_seconds, self._pause = dht, target_batch_size, round_seconds, 0.0
        self._swarm = SwarmLooks(
            dht,
            prefix,
            owner,
            answer_seconds=answer_seconds,
            follows_commits=follows_commits,
            can_deputise=deputy is not None,
            certificate=certificate,
            clock=clock,
            dht_clock=dht_clock,
        )
        self._deputy = self._as_deputy(deputy, prefix, certificate) if deputy is not None else None
        self._looks = FailureSeries(_log, "Publishing progress and looking at the others", clock)
        self._record: Callable[[], ProgressRecord] | None = None
        self._users_aside = UsersSetAside(clock)
        self._viewing = threading.Lock()
        """Lock for changes of the view and of the ignored peers: `set_aside` is called from another thread."""
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
        follows_commits: bool = True,
        deputy: PeerIdentity | None = None,
        admission: Admission | None = None,
    ) -> Self:
        """Return the tracker of a peer in a run.

        Args:
            dht: a running DHT node of this peer.
            manifest: the run's manifest.
            owner: this peer's owner key, under which its record is stored.
            ask_in_reach: begins to ask if any peer of the swarm is known, as for the tracker itself.
            follows_commits: false for a peer that judges states, as for the tracker itself.
            deputy: the identity of a peer that may sign summaries, as for the tracker itself.
            admission: admission of this peer, by which its records are certified; None in an open run.
        """
        swarm = manifest.training.swarm
        return cls(
            dht,
            manifest.dht_prefix,
            owner,
            swarm.target_batch_size,
            round_seconds=swarm.round_seconds,
            ask_in_reach=ask_in_reach,
            follows_commits=follows_commits,
            deputy=deputy,
            certificate=OwnCertificate(admission),
        )

    def _as_deputy(self, identity: PeerIdentity, prefix: str, certificate: OwnCertificate) -> Summariser:
        term = DeputyTerm(lambda: self._swarm.is_deputy, lambda: self._swarm.level)
        return Summariser(
            self._dht, prefix, identity, seconds=DEPUTY_SECONDS, term=term, certificate=certificate
        )

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to publish what ``record`` returns, which is called from the tracker's thread."""
        self._record = record
        self._thread.start()

    def publish(self) -> None:
        """Publish and look now rather than at the next turn; a rest is over."""
        self._rests = False
        if self._deputy is not None:
            self._deputy.resume()
        self._news.set()

    def rest(self) -> None:
        """Publish once more, and be quiet then."""
        self._rests = True
        self._rests_asked += 1
        if self._deputy is not None:
            self._deputy.rest()
        self._news.set()

    @property
    def is_quiet(self) -> bool:
        """True if the tracker rests, and has published since it was last asked to."""
        if self._deputy is not None and self._rests and not self._deputy.is_quiet:
            return False
        return not self._thread.is_alive() or (self._rests and self._rests_begun == self._rests_asked)

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Ignore all peers of the users of ``peers`` (ids in bytes): what they claimed could not be had from them.

        It is for ``seconds`` at first, and for longer each time. A peer whose record names no user is its own.
        """
        with self._viewing:
            for user in self._users_of(peers):
                lasting = self._users_aside.add(user, seconds)
                name = f"User {user}" if isinstance(user, str) else f"Peer {PeerID(user)}"
                _log.info("%s is ignored for %.0f s: what it claimed was not to be had.", name, lasting)
            if self.view is not None:
                self.view = self._sorted(self.view, [*self.view.others, *self.view.aside])

    def _users_of(self, peers: Sequence[bytes]) -> list[Voter]:
        view = self.view or SwarmView(0.0)
        known = {record.peer_id: voter_of(record, record.peer_id) for record in (*view.others, *view.aside)}
        return list(dict.fromkeys(known.get(peer, peer) for peer in peers))

    def stop(self) -> None:
        """Tell the swarm that this peer leaves, and end the thread; one that waits for an answer is left behind."""
        self._stopping.set()
        self._news.set()
        if self._deputy is not None:
            self._deputy.stop()
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)
            self._publish_leaving(_END_SECONDS if self._thread.is_alive() else self._answer_seconds)

    def _run(self) -> None:
        is_asked = True
        while True:
            self._news.clear()
            if self._stopping.is_set():
                return
            rests, asked = self._rests, self._rests_asked
            try:
                self._turn(publishes=is_asked or rests)
                self._unanswered = 0
                self._looks.succeeded()
                if rests:
                    self._rests_begun = asked
                is_asked = self._news.wait(None if rests else self._pause)
            except TimeoutError:
                self._unanswered, is_asked = self._unanswered + 1, True
                _log.warning("The DHT's process did not answer for the %d. time in a row.", self._unanswered)
                self.lost = not self._dht.is_alive() or self._unanswered >= _UNANSWERED
                if self.lost:
                    return
            except Exception as error:  # noqa: BLE001 - one that is not foreseen must not end the thread
                if self._has_failed(error):
                    return
                is_asked = True

    def _has_failed(self, error: Exception) -> bool:
        """Note that a look failed, and wait for the next one; return true if there is none without the process."""
        self.lost = not self._dht.is_alive()
        self._looks.failed(error)
        if not self.lost:
            self._news.wait(max(self._pause, _RETRY_SECONDS))
        return self.lost

    def _publish_leaving(self, seconds: float) -> None:
        assert self._record is not None
        with contextlib.suppress(TimeoutError, OSError):  # the DHT's process may be gone
            self._swarm.leave(self._record().model_copy(update={"leaving": True}), seconds)

    def _turn(self, *, publishes: bool) -> None:
        """Publish and look; the pause until the next turn follows from both.

        In a large swarm the record is only published now and then, or if ``publishes``.
        """
        assert self._record is not None
        began, own = SwarmView(self._dht_clock(), seen_at=self._clock()), self._record()
        own = own.model_copy(update={"looks_every": self._renewed_after(own)})
        look = self._swarm.look(own, publishes=publishes)
        if self._swarm.is_deputy and self._deputy is not None:
            self._deputy.start()
        if look.is_summary:
            before, view, missed = self.view, self._sorted(began, look.others), self._count_missed_of_many()
        else:
            difference = self._compare_clocks(look.others, began.seen_at) if look.is_answered else None
            before, view = self.view, self._seen(began, look.others)
            missed = self._count_missed(view, difference, is_answered=look.is_answered)
        with self._viewing:  # peers may have been set aside meanwhile
            self.view = self._sorted(replace(view, missed=missed), [*view.others, *view.aside])
        if look.is_summary:
            _log.debug("The swarm has %d other trainers at work.", self.view.trainers() - 1)
        else:
            log_changes(before, self.view, self._leaving)
        self._pause = min(self._pause_after(own, self.view), own.looks_every)  # the others count on that

    def _count_missed(self, view: SwarmView, difference: ClockDifference | None, *, is_answered: bool) -> int:
        if self._ask_in_reach is None:
            return 0
        knows_others: bool = answer(self._ask_in_reach(), self._answer_seconds)
        in_reach = knows_others and is_answered and difference is None
        trainers = frozenset(record.peer_id for record in view.others if record.computes)
        missed = self._missed.look(trainers, in_reach, view.seen_at, frozenset(self._leaving))
        return missed if difference is None else max(missed, difference.trainers)

    def _count_missed_of_many(self) -> int:
        """Return the trainers that are missed in a large swarm: all that were there, while no peer is in reach.

        A summary names others each time, so that no single one of them can be missed.
        """
        if self._ask_in_reach is None or answer(self._ask_in_reach(), self._answer_seconds):
            return 0
        last = self.view or SwarmView(0.0)
        return max(last.missed, last.trainers() - 1)

    def _compare_clocks(self, records: Sequence[ProgressRecord], began: float) -> ClockDifference | None:
        return self._clocks.difference(records, began=began, now=self._clock(), dht_now=self._dht_clock())

    def _pause_after(self, own: ProgressRecord, view: SwarmView) -> float:
        if self._swarm.level:
            return PULL_SECONDS
        left = view.seconds_to_round(own, self._target, self._round_seconds, self._dht_clock())
        return view.period(left, own, self._target, self._round_seconds)

    def _renewed_after(self, own: ProgressRecord) -> float:
        """Return the most seconds until the record ``own`` is renewed: the longest pause of its epoch."""
        if self._swarm.level:
            return SHARD_RENEWAL_SECONDS
        view = self.view or SwarmView(0.0)
        return max(self._pause, view.period(math.inf, own, self._target, self._round_seconds))

    def _seen(self, began: SwarmView, records: Sequence[ProgressRecord]) -> SwarmView:
        present = timely(records, self._dht_clock())
        self._leaving = {record.peer_id for record in present if record.leaving}
        return self._sorted(began, [record for record in present if not record.leaving])

    def _sorted(self, view: SwarmView, records: Sequence[ProgressRecord]) -> SwarmView:
        """Return ``view`` with ``records``, those of ignored users apart."""
        has = self._users_aside.has
        ignored = {item.peer_id for item in records if has(item.peer_id) or has(voter_of(item, item.peer_id))}
        heard = tuple(record for record in records if record.peer_id not in ignored)
        aside = tuple(record for record in records if record.peer_id in ignored)
        return replace(view, others=heard, aside=aside)
