"""The records that simulated peers see of each other, and the bytes of looks at them: a DHT's stand-in."""

from core.run.control_traffic import CALL_BYTES, NODES_KEEPING, look_traffic
from core.run.look_schedule import STORED_SECONDS
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedLine
from core.simulation.summaries import SimulatedSummaries
from core.swarm.wire.records import ProgressRecord

_ROUND_TRIPS = 2.0
"""Round trips of a look, and of a store: to find the nodes that keep the key, and to ask them."""
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
