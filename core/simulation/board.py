"""The records that simulated peers see of each other, and the bytes of looks at them: a DHT's stand-in."""

from core.run.control_traffic import CALL_BYTES, NODES_KEEPING, look_traffic
from core.run.look_schedule import STORED_SECONDS
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedLine
from core.simulation.summaries import SimulatedSummaries
from core.swarm.lookup.reader import majority
from core.swarm.wire.records import ProgressRecord

_OF_PROCESSES = 0.02
"""Seconds of a call in the processes of both sides: homes' stores took 0.06 to 0.09 s on lines of 50 ms."""


def call_seconds(delay: float) -> float:
    """Return the seconds of a call of a node that keeps records, on a line with that ``delay`` there and back.

    The nodes are known from earlier calls. A store calls all of them at the same time.
    """
    return delay + _OF_PROCESSES


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

    @property
    def _keeping(self) -> int:
        """Number of nodes that keep a record."""
        return max(1, min(NODES_KEEPING, len(self.keepers)))

    def look_seconds(self, delay: float) -> float:
        """Return the seconds of a look at a key on a line with that ``delay``: a majority is asked one by one."""
        return majority(self._keeping) * call_seconds(delay)

    def count_store(self, line: SimulatedLine, size: float, times: int = 1) -> None:
        """Count a number of ``times`` a store of ``size`` bytes on the ``line`` of its peer and on the keepers'."""
        calls = times * self._keeping
        self._count(line, calls * (CALL_BYTES + size), calls * CALL_BYTES, self._keeping)

    def count_read(self, line: SimulatedLine, new_bytes: float, times: int = 1) -> None:
        """Count a number of ``times`` a look on ``line``; in all it brings ``new_bytes``, from the first node."""
        calls = times * majority(self._keeping)
        self._count(line, calls * CALL_BYTES, calls * CALL_BYTES + new_bytes, majority(self._keeping))

    def count_whole_read(self, line: SimulatedLine, new_bytes: float) -> None:
        """Count a look on ``line`` that asks all keepers at the same time, each of which gives ``new_bytes``."""
        calls = self._keeping
        self._count(line, calls * CALL_BYTES, calls * (CALL_BYTES + new_bytes), calls)

    def count_look(self, line: SimulatedLine, new_records: int) -> None:
        """Count the bytes of a look that brings ``new_records``, on the ``line`` of its peer and on the keepers'."""
        look = look_traffic(new_records, self._keeping)
        self._count(line, look.up, look.down, majority(self._keeping))

    def count_pull(self, line: SimulatedLine, size: int) -> None:
        """Count a call for a newer summary on the ``line`` of its peer and a keeper's, of ``size`` bytes or 0."""
        self._count(line, CALL_BYTES, CALL_BYTES + size, 1)

    def _count(self, line: SimulatedLine, up: float, down: float, asked: int) -> None:
        line.count(sent=up, received=down)
        for _ in range(min(asked, len(self.keepers))):
            self._asked += 1
            keeper = self.keepers[self._asked % len(self.keepers)]
            keeper.count(sent=down / asked, received=up / asked)
