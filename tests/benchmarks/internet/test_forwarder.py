"""A line delays packets, keeps their order, and loses those that it should, by a clock that a test turns."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from benchmarks.internet.forwarder import Direction, ForwarderOrder, LineState


@dataclass
class HandLoop:
    """An event loop whose time passes when a test says so."""

    now: float = 100.0
    due: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> object:
        self.due.append((when, call))
        return call

    def pass_until(self, moment: float) -> None:
        while self.due and min(self.due, key=lambda item: item[0])[0] <= moment:
            next_due = min(self.due, key=lambda item: item[0])
            self.due.remove(next_due)
            self.now = next_due[0]
            next_due[1]()
        self.now = moment


class WatchedLine:
    """One way of a line, and the packets that came out of it with their times."""

    def __init__(self, state: LineState) -> None:
        self.loop, self.came = HandLoop(), list[tuple[float, bytes]]()
        self.way = Direction(state, self._take, random.Random(3), cast(Any, self.loop))

    def _take(self, packet: bytes) -> None:
        self.came.append((self.loop.now - 100.0, packet))

    def send(self, count: int, every: float) -> None:
        for number in range(count):
            self.loop.pass_until(100.0 + number * every)
            self.way.take(bytes([number % 256]))
        self.loop.pass_until(1000.0)


def test_each_packet_is_late_by_the_delay() -> None:
    line = WatchedLine(LineState(delay=0.5, jitter=0.0, loss=0.0))
    line.send(4, every=0.2)
    assert [when for when, _ in line.came] == pytest.approx([0.5, 0.7, 0.9, 1.1])
    assert [packet[0] for _, packet in line.came] == [0, 1, 2, 3]


def test_jitter_delays_further_and_never_reorders() -> None:
    line = WatchedLine(LineState(delay=0.1, jitter=0.3, loss=0.0))
    line.send(200, every=0.01)
    assert [packet[0] for _, packet in line.came] == list(range(200))
    late = [when - 0.01 * number for number, (when, _) in enumerate(line.came)]
    assert 0.1 <= min(late) < 0.35 < max(late) <= 0.4


def test_the_described_share_is_lost() -> None:
    line = WatchedLine(LineState(delay=0.0, jitter=0.0, loss=0.25))
    line.send(4000, every=0.001)
    assert 2900 < len(line.came) < 3100


def test_what_is_on_its_way_when_a_line_is_cut_is_lost_as_well() -> None:
    line = WatchedLine(LineState(delay=1.0, jitter=0.0, loss=0.0))
    line.way.take(b"before")
    line.way.state = LineState(delay=1.0, jitter=0.0, loss=0.0, cut=True)
    line.way.take(b"meanwhile")
    line.loop.pass_until(110.0)
    line.way.state = LineState(delay=1.0, jitter=0.0, loss=0.0)
    line.way.take(b"after")
    line.loop.pass_until(120.0)
    assert [packet for _, packet in line.came] == [b"after"]


def test_an_order_is_read_as_it_was_written() -> None:
    order = ForwarderOrder(3, LineState(delay=0.1, jitter=0.0, loss=0.5, cut=True))
    assert ForwarderOrder.read(order.text()) == order
