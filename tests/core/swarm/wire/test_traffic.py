"""All that passes on the wire is counted, and what no limiter holds back is taken off a cap before it is shared."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from core.run.control_traffic import OVERHEAD, TYPICAL_RATE
from core.swarm.bandwidth import BURST_SECONDS, Line, Way
from core.swarm.wire.connections import ConnectionCount, WireBytes
from core.swarm.wire.traffic import ACKNOWLEDGED_SHARE, TrafficCount
from tests.moved_clock import MovedClock


@dataclass
class OneConnection:
    """Stands in for the system: it tells of one connection, or of none."""

    passed: WireBytes = field(default_factory=WireBytes)
    tells: bool = True

    def look(self) -> Mapping[int, WireBytes]:
        if not self.tells:
            raise OSError("not permitted")
        return {1: self.passed}


def _counted(seen: OneConnection, line: Line, clock: MovedClock[float]) -> TrafficCount:
    return TrafficCount(line, ConnectionCount(seen.look), clock)


def test_what_is_beside_messages_is_known_as_a_rate_and_as_a_sum() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    for _ in range(100):
        clock.now += 1.0
        line.averager.claim(Way.UP, 10_000)
        seen.passed += WireBytes(OVERHEAD * 10_000 + 300, 700)
        count.turn()
    assert line.wire.beside(Way.UP) == pytest.approx(300, rel=0.01)
    assert line.wire.beside(Way.DOWN) == pytest.approx(700, rel=0.01)
    line.data.claim(Way.DOWN, 1_000)
    assert line.on_wire(Way.UP) == pytest.approx(100 * (OVERHEAD * 10_000 + 300), abs=1)
    assert line.on_wire(Way.DOWN) == pytest.approx(100 * 700 + OVERHEAD * 1_000, abs=1)


def test_messages_that_buffers_hold_for_a_while_count_for_nothing_else() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    for turn in range(60):
        clock.now += 1.0
        if turn % 4 == 0:
            line.averager.claim(Way.UP, 40_000)
        seen.passed += WireBytes(OVERHEAD * 10_000, 0)
        count.turn()
    assert line.wire.beside(Way.UP) < 2_500, "a quarter of what passed, though all came four seconds late"


def test_messages_that_no_told_connection_passes_are_counted() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    clock.now += 1.0
    line.averager.claim(Way.UP, 1_000_000)
    count.turn()
    assert line.on_wire(Way.UP) == OVERHEAD * 1_000_000
    assert line.wire.beside(Way.UP) == 0


@pytest.mark.parametrize("turns", [1, 60])
def test_messages_by_udp_count_beside_all_that_the_system_tells(turns: int) -> None:
    """Their connections are not told of, and what those that are told of pass is none of these messages."""
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    for _ in range(turns):
        clock.now += 1.0
        line.averager.claim(Way.UP, 20_000, by_udp=True)
        line.averager.claim(Way.UP, 10_000)
        seen.passed += WireBytes(OVERHEAD * 10_000 + 3_000, 0)
        count.turn()
    assert line.on_wire(Way.UP) == pytest.approx(turns * (OVERHEAD * 30_000 + 3_000), abs=1)
    expected = 3_000 * (1 - math.exp(-turns / 10))
    assert line.wire.beside(Way.UP) == pytest.approx(expected, rel=0.001)


def test_messages_by_udp_count_where_the_system_does_not_tell() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(tells=False), Line()
    line.averager.claim(Way.DOWN, 1_000, by_udp=True)
    count = _counted(seen, line, clock)
    for _ in range(10):
        clock.now += 1.0
        line.averager.claim(Way.DOWN, 1_000, by_udp=True)
        count.turn()
    assert line.on_wire(Way.DOWN) == pytest.approx(10 * TYPICAL_RATE + 11 * OVERHEAD * 1_000, abs=1)


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize(("way", "other"), [(Way.DOWN, Way.UP), (Way.UP, Way.DOWN)])
def test_acknowledgements_of_what_comes_by_udp_count_the_other_way(way: Way, other: Way, tells: bool) -> None:
    """They are beside the averager's messages, so that a cap of the other way has room for them."""
    clock, seen, line = MovedClock(100.0), OneConnection(tells=tells), Line()
    count = _counted(seen, line, clock)
    for _ in range(100):
        clock.now += 1.0
        line.averager.claim(way, 300_000, by_udp=True)
        count.turn()
    assumed, acknowledged = 0 if tells else TYPICAL_RATE, ACKNOWLEDGED_SHARE * OVERHEAD * 300_000
    assert line.on_wire(way) == pytest.approx(100 * (assumed + OVERHEAD * 300_000), abs=1)
    assert line.on_wire(other) == pytest.approx(100 * (assumed + acknowledged), abs=1)
    assert line.wire.beside(way) == pytest.approx(assumed, rel=0.001)
    assert line.wire.beside(other) == pytest.approx(assumed + acknowledged, rel=0.001)


def test_acknowledgements_of_what_passed_before_the_count_began_are_in_it() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    line.averager.claim(Way.DOWN, 1_000_000, by_udp=True)
    count = _counted(seen, line, clock)
    for _ in range(2):
        clock.now += 1.0
        seen.passed += WireBytes(500, 500)
        count.turn()
    assert line.on_wire(Way.UP) == pytest.approx(ACKNOWLEDGED_SHARE * OVERHEAD * 1_000_000 + 1_000, abs=1)
    assert line.wire.beside(Way.UP) < 500, "they passed before"


def test_what_comes_by_tcp_has_no_estimated_acknowledgements() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    clock.now += 1.0
    line.averager.claim(Way.DOWN, 1_000_000)
    seen.passed += WireBytes(20_000, OVERHEAD * 1_000_000)
    count.turn()
    assert line.on_wire(Way.UP) == 20_000


def test_where_the_system_does_not_tell_an_estimate_is_counted() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(tells=False), Line()
    count = _counted(seen, line, clock)
    for _ in range(100):
        clock.now += 1.0
        line.averager.claim(Way.UP, 1_000)
        count.turn()
    assert line.on_wire(Way.UP) == pytest.approx(100 * (TYPICAL_RATE + OVERHEAD * 1_000), rel=0.01)
    assert line.wire.beside(Way.DOWN) == pytest.approx(TYPICAL_RATE, rel=0.01)


def test_a_count_never_goes_back_while_the_system_does_not_tell() -> None:
    before = 5_000_000_000
    clock, seen, line = MovedClock(100.0), OneConnection(WireBytes(before, before)), Line()
    count = _counted(seen, line, clock)
    totals, rates = list[int](), list[float]()
    for turn in range(30):
        clock.now += 1.0
        line.averager.claim(Way.UP, 10_000_000)
        seen.passed += WireBytes(OVERHEAD * 10_000_000 + 1_000, 1_000)
        seen.tells = turn not in (10, 11)
        count.turn()
        totals.append(line.wire.passed(Way.UP))
        rates.append(line.wire.beside(Way.UP))
    assert totals == sorted(totals)
    assert totals[-1] == pytest.approx(before + 30 * (OVERHEAD * 10_000_000 + 1_000), rel=1e-6)
    assert max(rates) < 1.1 * TYPICAL_RATE, "no rate beside messages was higher, nor estimated so"


def test_after_an_error_nothing_is_left_of_a_cap_for_a_rate_of_before() -> None:
    clock, seen, line = MovedClock(100.0), OneConnection(), Line()
    count = _counted(seen, line, clock)
    clock.now += 1.0
    seen.passed += WireBytes(50_000, 50_000)
    count.turn()
    assert line.wire.beside(Way.UP) > 0
    count.forget_rates()
    assert line.wire.beside(Way.UP) == 0
    assert line.wire.passed(Way.UP) == 50_000


@pytest.mark.parametrize(
    ("cap", "beside", "left"),
    [(10_000, 0.0, 10_000), (10_000, 4_000.0, 6_000), (10_000, 20_000.0, 1_000), (None, 4_000.0, math.inf)],
)
def test_taps_share_what_is_left_of_a_cap(cap: int | None, beside: float, left: float) -> None:
    clock = MovedClock(1000.0)
    line = Line(upload=cap, clock=clock)
    line.wire.note(Way.UP, 0, beside)
    line.averager.claim(Way.UP, 100_000)
    began, passed = clock.now, 0
    while passed < 50_000:
        clock.now += line.averager.claim(Way.UP, 1_000)
        passed += 1_000
    assert clock.now - began == pytest.approx(OVERHEAD * 150_000 / left, abs=BURST_SECONDS + 0.1)
