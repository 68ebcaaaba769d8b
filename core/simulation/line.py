"""The line of a simulated machine with the bytes that have passed, and states that share lines on their way."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.run.control_traffic import OVERHEAD
from core.simulation.engine import EventQueue, ScheduledEvent


@dataclass(eq=False)
class SimulatedLine:
    """A line with its rates, and the bytes that have passed, headers included."""

    down: float
    """Bytes a second towards the machine."""
    up: float
    """Bytes a second from the machine."""
    delay: float
    """Seconds to the Internet's middle and back."""
    sent: float = 0.0
    """Bytes sent so far."""
    received: float = 0.0
    """Bytes received so far."""
    given: dict["SimulatedDownload", None] = field(default_factory=dict, repr=False)
    """States that are being given by the line now, in the order in which they began."""

    def count(self, *, sent: float = 0.0, received: float = 0.0) -> None:
        """Count bytes that were ``sent`` and ``received``, on the wire."""
        self.sent += sent
        self.received += received

    def seconds_of(self, sent: float, received: float) -> float:
        """Return the seconds in which ``sent`` and ``received`` bytes of messages pass, both ways at once."""
        return OVERHEAD * max(sent / self.up, received / self.down)


class SimulatedDownload:
    """A state on its way over several donors' lines, each of which is shared by all states that it gives."""

    def __init__(
        self,
        queue: EventQueue,
        size: float,
        reader: SimulatedLine,
        donors: Sequence[SimulatedLine],
        done: Callable[[], None],
    ) -> None:
        """Begin.

        Args:
            queue: the clock.
            size: bytes of the state.
            reader: the line to which it comes.
            donors: the lines from which it comes.
            done: called when it is whole.
        """
        self._queue, self._reader, self._donors, self._done = queue, reader, tuple(donors), done
        self._size, self._left = size, OVERHEAD * size
        self._began = self._since = queue.now()
        self._rate = 0.0
        self._end: ScheduledEvent | None = None
        for line in self._donors:
            line.given[self] = None
        self._share_anew()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return self._queue.now() - self._began

    def _share_anew(self) -> None:
        """Plan the ends of all states that pass one of the donors' lines."""
        for download in dict.fromkeys(other for line in self._donors for other in line.given):
            download._plan()

    def _plan(self) -> None:
        rate = min(self._reader.down, sum(line.up / len(line.given) for line in self._donors))
        if math.isclose(rate, self._rate):
            return
        now = self._queue.now()
        self._left -= self._rate * (now - self._since)
        self._rate, self._since = rate, now
        if self._end is not None:
            self._end.cancel()
        self._end = self._queue.after(self._left / rate, self._finish)

    def _finish(self) -> None:
        for line in self._donors:
            del line.given[self]
            line.count(sent=OVERHEAD * self._size / len(self._donors))
        self._reader.count(received=OVERHEAD * self._size)
        self._share_anew()
        self._done()


def longest_round_trip(line: SimulatedLine, others: Sequence[SimulatedLine]) -> float:
    """Return the longest seconds from ``line`` to one of the ``others`` and back: both lines' delays add up."""
    return line.delay + max((other.delay for other in others if other is not line), default=0.0)
