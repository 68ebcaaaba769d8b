"""No stretch of time passes more than a cap allows, whoever shares it, and whatever happens to the others."""

import asyncio
import math
import multiprocessing
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.run.control_traffic import OVERHEAD
from core.swarm.bandwidth import (
    BURST_SECONDS,
    UNKNOWN_RATE,
    Line,
    ProcessLimiter,
    StreamPace,
    Way,
    piece_bytes,
    reserve,
)
from tests.core.swarm.builders import FIFTY_EXAMPLES
from tests.moved_clock import MovedClock


@pytest.mark.parametrize(
    ("paid_until", "size", "rate", "credit", "expected"),
    [
        (100.0, 500, 1000, 0.0, (100.5, 0.5)),  # at 100: half a second's worth takes half a second
        (90.0, 500, 1000, 0.0, (100.5, 0.5)),  # time that was not used is gone
        (90.0, 500, 1000, 1.0, (99.5, 0.0)),  # but for what the bucket holds
        (90.0, 2000, 1000, 1.0, (101.0, 1.0)),  # and no more than that
        (100.3, 500, 1000, 1.0, (100.8, 0.8)),  # what is owed is paid first
        (100.0, 500, math.inf, 0.0, (100.0, 0.0)),
    ],
)
def test_a_reservation(
    paid_until: float, size: int, rate: float, credit: float, expected: tuple[float, float]
) -> None:
    assert reserve(paid_until, size, rate, 100.0, credit) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(1, 1024), (10_240, 1024), (125_000, 12_500), (10_000_000, 65_536), (math.inf, 65_536)],
)
def test_a_piece_is_a_tenth_of_a_second_within_reason(rate: float, expected: int) -> None:
    assert piece_bytes(rate) == expected


# --- any pattern of two users -----------------------------------------------------------------------------------


@dataclass
class TapUser:
    """Passes pieces through a limiter, as its turns come, with rests between them."""

    limiter: ProcessLimiter
    rests: list[float]
    due: float = 1000.0
    """The time at which the claimed piece may pass, or at which the rest period ends."""
    passed: list[tuple[float, float]] = field(default_factory=list)
    """The times and the bytes on the wire of the pieces that passed."""

    def go_on(self, clock: MovedClock[float], rate: int) -> None:
        clock.now = max(clock.now, self.due)
        clock.now += self.rests.pop(0)
        size = piece_bytes(rate)
        self.due = clock.now + self.limiter.claim(Way.DOWN, size)
        self.passed.append((self.due, size * OVERHEAD))


rests = st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.05, 0.4, 0.6, 3.0]), min_size=1, max_size=40)


@FIFTY_EXAMPLES
@given(st.sampled_from([5_000, 200_000, 5_000_000]), rests, rests)
def test_two_users_never_pass_more_than_the_cap_and_a_burst(
    rate: int, first: list[float], second: list[float]
) -> None:
    clock = MovedClock(1000.0)
    line = Line(download=rate, clock=clock)
    users = [TapUser(line.averager, first), TapUser(line.data, second)]
    while waiting := [user for user in users if user.rests]:
        min(waiting, key=lambda user: user.due).go_on(clock, rate)
    events = sorted(event for user in users for event in user.passed)
    slack = rate * BURST_SECONDS + 3 * piece_bytes(rate) * OVERHEAD
    level, at = 0.0, 0.0
    for when, size in events:  # a bucket that leaks at the cap never holds more than a burst
        level, at = max(0.0, level - rate * (when - at)) + size, when
        assert level <= slack
    assert line.received == piece_bytes(rate) * len(events)


def test_a_user_alone_has_the_whole_cap_and_two_have_half_each() -> None:
    clock = MovedClock(1000.0)
    line, burst = Line(download=100_000, clock=clock), int(100_000 * BURST_SECONDS / OVERHEAD)
    assert line.averager.claim(Way.DOWN, burst) == 0.0
    assert line.averager.claim(Way.DOWN, 10_000) == pytest.approx(0.1 * OVERHEAD, rel=1e-3)
    assert line.data.claim(Way.DOWN, 10_000) == pytest.approx(0.2 * OVERHEAD)
    assert line.data.claim(Way.UP, 10_000) == 0.0, "only the download is capped"
    clock.now += 10
    assert line.averager.claim(Way.DOWN, burst + 10_000) == pytest.approx(0.1 * OVERHEAD, rel=1e-3)


def test_caps_change_while_bytes_flow() -> None:
    line, burst = Line(clock=MovedClock(1000.0)), int(1000 * BURST_SECONDS / OVERHEAD)
    assert [line.averager.claim(Way.UP, 10**9) for _ in range(3)] == [0.0] * 3
    line.limit(1000, None)
    line.averager.claim(Way.UP, burst)
    assert line.averager.claim(Way.UP, 1000) == pytest.approx(OVERHEAD, rel=1e-2)
    line.limit(None, None)
    assert line.averager.claim(Way.UP, 10**9) == 0.0
    assert line.sent == 4 * 10**9 + 1000 + burst


@pytest.mark.parametrize(
    ("upload", "download", "expected"),
    [
        (None, None, None),
        (200_000, None, 200_000),
        (300_000, 200_000, 200_000),
        (None, 50, 50),
        (10**9, 10**9, None),  # a cap says how slow a line is at least, never how fast
        (UNKNOWN_RATE, None, None),
    ],
)
def test_the_bandwidth_that_a_group_is_given(
    upload: int | None, download: int | None, expected: float | None
) -> None:
    assert Line(upload, download).announced == expected


@pytest.mark.parametrize(
    ("upload", "download", "expected"),
    [
        (None, None, None),
        (200_000, None, None),  # of what it sends, others need know nothing
        (None, 107_000, 100_000),  # headers are part of the cap
    ],
)
def test_the_limit_of_downloads_that_a_group_is_given(
    upload: int | None, download: int | None, expected: float | None
) -> None:
    assert Line(upload, download).announced_download == (
        None if expected is None else pytest.approx(expected)
    )


def test_what_passes_beside_the_messages_is_taken_off_the_limit_that_a_group_is_given() -> None:
    line = Line(download=107_000)
    line.wire.note(Way.DOWN, 0.0, 53_500.0)
    assert line.announced_download == pytest.approx(50_000)


@pytest.mark.parametrize("cap", [0, -1])
def test_a_cap_that_lets_nothing_pass_is_refused(cap: int) -> None:
    with pytest.raises(ValueError, match="lets nothing pass"):
        Line(upload=cap)
    line = Line(upload=2000, download=3000)
    with pytest.raises(ValueError, match="lets nothing pass"):
        line.limit(1000, cap)
    assert line.announced == 2000, "nothing of what was refused holds"


# --- a stream's own pace ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [0.0, -5.0, math.nan, math.inf])
def test_a_pace_that_is_no_positive_number_holds_nothing_back(rate: float) -> None:
    assert StreamPace(rate).rate == math.inf


def test_a_stream_keeps_its_pace() -> None:
    pace = StreamPace(100_000)

    async def work() -> float:
        began = time.monotonic()
        for _ in range(4):
            await pace.passing(10_000)
        return time.monotonic() - began

    assert asyncio.run(work()) >= 0.4


# --- waiting ----------------------------------------------------------------------------------------------------


def test_streams_take_turns() -> None:
    line, order = Line(upload=1_000_000), list[int]()

    async def stream(number: int) -> None:
        for _ in range(3):
            await line.averager.passing(Way.UP, 10_000)
            order.append(number)

    async def work() -> None:
        line.averager.claim(Way.UP, 600_000)  # the burst is used up
        await asyncio.gather(stream(0), stream(1))

    asyncio.run(work())
    assert order == [0, 1, 0, 1, 0, 1]


def test_who_gives_up_waiting_frees_the_turn() -> None:
    line = Line(upload=1_000)

    async def work() -> None:
        patient = asyncio.create_task(line.averager.passing(Way.UP, 10_000))
        await asyncio.sleep(0)
        patient.cancel()
        await asyncio.gather(patient, return_exceptions=True)
        line.limit(None, None)
        await asyncio.wait_for(line.averager.passing(Way.UP, 10_000), 10)

    asyncio.run(work())


def test_a_thread_is_held_until_its_bytes_are_paid_for() -> None:
    clock = MovedClock(1000.0)
    line, slept = Line(download=1000, clock=clock), list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds

    line.data.block(Way.DOWN, 3000, sleep)
    assert sum(slept) == pytest.approx(3 * OVERHEAD - BURST_SECONDS)
    assert max(slept) <= 1.0


def test_a_thread_does_not_wait_for_what_others_claim_after_it() -> None:
    clock = MovedClock(1000.0)
    line, slept = Line(download=1000, clock=clock), list[float]()

    def sleep(seconds: float) -> None:
        if not slept:
            line.data.claim(Way.DOWN, 5000)  # as another thread does meanwhile
        slept.append(seconds)
        clock.now += seconds

    line.data.block(Way.DOWN, 3000, sleep)
    assert sum(slept) == pytest.approx(3 * OVERHEAD - BURST_SECONDS)


def test_what_several_threads_claim_at_once_is_all_paid_for() -> None:
    claims, size, rate = 400, 1000, 100_000

    def clock() -> float:
        time.sleep(0)  # lets another thread run where a claim has been read and is not yet written
        return 1000.0

    line = Line(download=rate, clock=clock)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: line.data.claim(Way.DOWN, size), range(claims)))
    assert line.received == claims * size
    assert line.data.claim(Way.DOWN, 0) == pytest.approx(claims * size * OVERHEAD / rate - BURST_SECONDS)


# --- several processes ------------------------------------------------------------------------------------------


def _pass_for_ever(line: Line) -> None:
    while True:
        line.data.block(Way.DOWN, 10_000)


def test_a_frozen_process_neither_blocks_the_other_nor_keeps_its_half() -> None:
    """The child is stopped at a hundred instants of its arithmetic; what it holds then is a number, not a lock."""
    line = Line(download=50_000_000)
    child = multiprocessing.get_context("fork").Process(target=_pass_for_ever, args=(line,))
    child.start()
    try:
        assert child.pid is not None
        for _ in range(100):
            os.kill(child.pid, signal.SIGSTOP)
            before = line.received
            line.averager.block(Way.DOWN, 1000)
            assert line.received >= before + 1000
            os.kill(child.pid, signal.SIGCONT)
        os.kill(child.pid, signal.SIGSTOP)
        while line.data.is_flowing(Way.DOWN):
            line.averager.block(Way.DOWN, 1_000_000)
        line.averager.block(Way.DOWN, 40_000_000)
        assert line.averager.claim(Way.DOWN, 50_000_000) == pytest.approx(OVERHEAD, abs=0.9), "all of the cap"
    finally:
        child.kill()
        child.join()
