"""Reads all records of a swarm and signs their summary, on one of the peers by which others enter the swarm."""

import logging
import random
import threading
from collections.abc import Callable

import hivemind
from hivemind.utils import get_dht_time

from core.failure_series import FailureSeries
from core.run.look_schedule import SUMMARY_SECONDS
from core.swarm.ending import answer
from core.swarm.lookup import gossip
from core.swarm.membership.shards import ShardReader
from core.swarm.membership.summarising import summarise
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import bounded
from core.swarm.wire.summaries import SUMMARY_STORED_SECONDS, level_for

_log = logging.getLogger(__name__)

_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_END_SECONDS = 5.0


class Summariser:
    """A thread that reads the swarm every half a minute, and signs a summary while it is large."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        identity: PeerIdentity,
        *,
        chance: random.Random | None = None,
        seconds: float = SUMMARY_SECONDS,
        level_of: Callable[[int, int], int] = level_for,
    ) -> None:
        """Prepare the thread; `start` starts it.

        Args:
            dht: a running DHT node of this peer, by which others enter the swarm.
            prefix: the run's DHT prefix.
            identity: this peer's identity, whose key signs the summaries.
            chance: draws the peers that are named.
            seconds: seconds from one summary to the next.
            level_of: gives the level for a number of peers and the present level.
        """
        self._dht, self._identity, self._seconds = dht, identity, seconds
        self._chance = chance or random.Random()
        self._reader = ShardReader(dht, prefix, level_of=level_of)
        self._stopping = threading.Event()
        self._has_published = False
        self._turns = FailureSeries(_log, "Summarising the swarm")
        self._thread = threading.Thread(target=self._run, name="summariser", daemon=True)

    def start(self) -> None:
        """Begin to read and to summarise."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; one that waits for an answer ends with the process."""
        self._stopping.set()
        self._reader.close()
        self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while not self._stopping.wait(self._seconds):
            try:
                self.turn()
                self._turns.succeeded()
            except Exception as error:  # noqa: BLE001 - one that is not foreseen must not end the thread
                self._turns.failed(error)

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
        expires = get_dht_time() + SUMMARY_STORED_SECONDS
        value = bounded(summary.pack())
        answer(gossip.publish(self._dht, self._identity.owner, value, expires), _ANSWER_SECONDS)
