"""States on their way share the lines of those that give them."""

from collections.abc import Sequence

import pytest

from core.run.control_traffic import OVERHEAD
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedDownload, SimulatedLine

SIZE = 600.0 / OVERHEAD
"""Bytes of a state that are 600 on the wire."""


def line(up: float = 10.0, down: float = 20.0) -> SimulatedLine:
    return SimulatedLine(down=down, up=up, delay=0.05)


class Downloads:
    """A clock, and the times at which states came."""

    def __init__(self) -> None:
        self.queue, self.ended = EventQueue(), list[float]()

    def begin(self, reader: SimulatedLine, *donors: SimulatedLine) -> SimulatedDownload:
        return SimulatedDownload(
            self.queue, SIZE, reader, donors, lambda: self.ended.append(self.queue.now())
        )


@pytest.mark.parametrize(
    ("readers", "donors", "seconds"),
    [(1, 1, [60.0]), (2, 1, [120.0] * 2), (1, 2, [30.0]), (1, 4, [30.0]), (4, 4, [60.0] * 4)],
    ids=["one from one", "two from one", "one from two", "one's own line is full", "four from four"],
)
def test_lines_are_shared_by_all_states_that_they_give(
    readers: int, donors: int, seconds: Sequence[float]
) -> None:
    downloads, giving = Downloads(), [line() for _ in range(donors)]
    for _ in range(readers):
        downloads.begin(line(), *giving)
    downloads.queue.run(1000.0)
    assert downloads.ended == pytest.approx(seconds)


@pytest.mark.parametrize("later", [0.0, 30.0, 59.0])
def test_who_comes_later_slows_those_before_and_has_the_line_alone_once_they_have_ended(later: float) -> None:
    """The line is busy until the end, and passes no byte twice."""
    downloads, giving = Downloads(), line()
    downloads.begin(line(), giving)
    downloads.queue.after(later, lambda: downloads.begin(line(), giving))
    downloads.queue.run(1000.0)
    assert downloads.ended == pytest.approx([later + 2 * (60.0 - later), 120.0])
    assert giving.sent == pytest.approx(1200.0)


def test_bytes_are_counted_at_both_ends() -> None:
    downloads, reader, giving = Downloads(), line(), [line(), line()]
    download = downloads.begin(reader, *giving)
    downloads.queue.run(15.0)
    assert download.seconds == 15.0
    downloads.queue.run(100.0)
    assert reader.received == pytest.approx(600.0)
    assert [item.sent for item in giving] == pytest.approx([300.0, 300.0])
    assert not any(item.given for item in giving)
