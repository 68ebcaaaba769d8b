"""Reads all records of a swarm and signs their summary, on a peer by which others enter the swarm, or a deputy."""

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass

import hivemind
from hivemind.utils import get_dht_time

from core.failure_series import FailureSeries
from core.run.look_schedule import SUMMARY_SECONDS
from core.swarm.averaging.ending import answer
from core.swarm.lookup import gossip
from core.swarm.membership.shards import ShardReader
from core.swarm.membership.summarising import summarise
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import bounded
from core.swarm.wire.summaries import SUMMARY_STORED_SECONDS, level_for

_log = logging.getLogger(__name__)

_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_END_SECONDS = 5.0
_MOST_SHARING = 3
"""Entrances that take turns: the summary of one that is left alone must stay fresh until it notices."""
_TERM_SECONDS = 5.0
"""Seconds after which a peer that has no turn as a deputy asks again whether it has."""


@dataclass(frozen=True)
class DeputyTerm:
    """The times at which a deputy has its turn, and the level at which it then finds the records."""

    is_due: Callable[[], bool]
    """Returns true while this peer is to summarise; called by the summariser's thread."""
    level: Callable[[], int]
    """Gives the level at which peers store their records; called by the same thread."""


class Summariser:
    """A thread that reads the swarm now and then, and signs a summary while it is large.

    It rests before its process may be stopped, as `ProgressTracker` does.
    """

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        identity: PeerIdentity,
        *,
        chance: random.Random | None = None,
        seconds: float = SUMMARY_SECONDS,
        level_of: Callable[[int, int], int] = level_for,
        term: DeputyTerm | None = None,
        certificate: OwnCertificate = OPEN_RUN,
    ) -> None:
        """Prepare the thread; `start` starts it.

        Args:
            dht: a running DHT node of this peer, to which others can connect.
            prefix: the run's DHT prefix.
            identity: this peer's identity, whose key signs the summaries.
            chance: draws the peers that are named.
            seconds: seconds from one summary to the next.
            level_of: gives the level for a number of peers and the present level.
            term: says when a deputy has its turn; None for a peer by which others enter the swarm, which always has.
            certificate: the certificate of the summaries.
        """
        self._certificate = certificate
        self._dht, self._prefix, self._identity, self._seconds = dht, prefix, identity, seconds
        self._chance, self._level_of, self._term = chance or random.Random(), level_of, term
        self._reader = self._new_reader()
        self._stopping = threading.Event()
        self._rests, self._is_at_work = False, False
        self._has_published = False
        self._turns = FailureSeries(_log, "Summarising the swarm")
        self._thread = threading.Thread(target=self._run, name="summariser", daemon=True)

    def _new_reader(self) -> ShardReader:
        if self._term is None:
            own = self._identity.peer_id.to_bytes()
            return ShardReader(self._dht, self._prefix, own=own, level_of=self._level_of)
        return ShardReader(self._dht, self._prefix, stated=self._term.level, level_of=self._level_of)

    def start(self) -> None:
        """Begin to read and to summarise, unless it has begun."""
        if self._thread.ident is None:
            self._thread.start()

    def rest(self) -> None:
        """Begin no further reading until `resume`, and end one that is under way.

        It ends once nothing is asked for any more: a process that is stopped before it has read what it asked for
        keeps the DHT's process from answering others.
        """
        self._rests = True
        self._reader.end_soon()

    def resume(self) -> None:
        """Read and summarise again after `rest`."""
        if self._rests:
            self._reader, self._rests = self._new_reader(), False

    @property
    def is_quiet(self) -> bool:
        """True if nothing is read or signed until `resume`."""
        return self._rests and not self._is_at_work

    def stop(self) -> None:
        """End the thread; one that waits for an answer ends with the process."""
        self._stopping.set()
        self._reader.close()
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        pause = self._seconds if self._term is None else 0.0
        while not self._stopping.wait(pause):
            self._is_at_work = True  # before the look at what `rest` has set, which looks at this afterwards
            try:
                has_turn = not self._rests and (self._term is None or self._term.is_due())
                pause = self._seconds if has_turn or self._term is None else min(self._seconds, _TERM_SECONDS)
                if has_turn:
                    self.turn()
                    self._turns.succeeded()
                    pause *= self._sharing
                else:
                    self._reader = self._new_reader()  # what the last one knows is too old by the next turn
            except Exception as error:  # noqa: BLE001 - one that is not foreseen must not end the thread
                if not self._rests:
                    self._turns.failed(error)
            finally:
                self._is_at_work = False

    @property
    def _sharing(self) -> int:
        """Number of entrances that summarise the swarm; together they do it as often as one alone would.

        Each summary goes to all peers, and each reader takes in all records: twice as many would cost twice as much.
        """
        if self._term is not None:
            return 1
        return min(len(self._reader.writing | {self._identity.peer_id.to_bytes()}), _MOST_SHARING)

    def turn(self) -> None:
        """Read the swarm, and sign its summary if it is large, or was."""
        records = self._reader.read()
        level = self._reader.levels.present
        if not level and not self._has_published:
            return
        if not self._has_published:
            _log.info("The swarm has %d peers: summaries of it begin.", len(records))
        self._has_published = True
        summary = summarise(
            records,
            peer_id=self._identity.peer_id.to_bytes(),
            level=level,
            now=get_dht_time(),
            chance=self._chance,
        )
        now = get_dht_time()
        certified, expires = self._certificate.on(summary, now=now, until=now + SUMMARY_STORED_SECONDS)
        value = bounded(certified.pack())
        answer(gossip.publish(self._dht, self._identity.owner, value, expires), _ANSWER_SECONDS)
