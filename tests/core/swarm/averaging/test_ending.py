"""The trainer waits for the answers of its averager's process, also across a time in which it was stopped."""

import multiprocessing
import threading

import pytest

from core.swarm.averaging.ending import SharedPipe, answer
from tests.moved_clock import MovedClock


class StandInFuture:
    """A future that answers at a look; all processes are stopped for an hour during the look ``stopped_at``."""

    def __init__(self, clock: MovedClock[float], answers_at: int | None, stopped_at: int = 0) -> None:
        self._clock, self._answers_at, self._stopped_at = clock, answers_at, stopped_at
        self.seconds: list[float] = []

    def result(self, timeout: float) -> str:
        self.seconds.append(timeout)
        if self.done():
            return "attached"
        self._clock.now += 3600 if len(self.seconds) == self._stopped_at else timeout
        raise TimeoutError

    def done(self) -> bool:
        return self._answers_at is not None and len(self.seconds) >= self._answers_at


class FailedFuture:
    """A future whose own error is that something took too long."""

    looks = 0

    def result(self, timeout: float) -> None:
        self.looks += 1
        raise TimeoutError("the other process gave up")

    def done(self) -> bool:
        return True


@pytest.mark.parametrize(("seconds", "answers_at"), [(30.0, 1), (30.0, 30), (0.3, 1), (20.5, 21)])
def test_an_answer_in_time_is_returned(seconds: float, answers_at: int) -> None:
    clock = MovedClock(0.0)
    assert answer(StandInFuture(clock, answers_at), seconds, clock) == "attached"


@pytest.mark.parametrize(("seconds", "stopped_at"), [(30.0, 1), (30.0, 30), (1.0, 1)])
def test_a_stop_is_no_wait(seconds: float, stopped_at: int) -> None:
    clock = MovedClock(0.0)
    assert answer(StandInFuture(clock, stopped_at + 1, stopped_at), seconds, clock) == "attached"


@pytest.mark.parametrize("seconds", [0.3, 1.0, 20.5])
def test_an_answer_is_waited_for_no_longer_than_allowed(seconds: float) -> None:
    clock = MovedClock(0.0)
    future = StandInFuture(clock, None)
    with pytest.raises(TimeoutError):
        answer(future, seconds, clock)
    assert sum(future.seconds) == pytest.approx(seconds)
    assert max(future.seconds) <= 1.0


def test_an_error_of_the_other_process_is_raised_at_once() -> None:
    future = FailedFuture()
    with pytest.raises(TimeoutError, match="gave up"):
        answer(future, 30.0)
    assert future.looks <= 2


def test_messages_of_several_threads_arrive_whole() -> None:
    """The check of a state sends its question while the training loop sends its orders."""
    taking, giving = multiprocessing.Pipe()
    shared, orders = SharedPipe(giving), [bytes([number]) * (1 << 20) for number in range(4)]
    found = list[bytes]()

    def give(order: bytes) -> None:
        for _ in range(8):
            shared.send(order)

    def take() -> None:
        found.extend(taking.recv() for _ in range(8 * len(orders)))

    for order in orders:
        threading.Thread(target=give, args=[order], daemon=True).start()
    reader = threading.Thread(target=take, daemon=True)
    reader.start()
    reader.join(60)
    assert sorted(found) == sorted(8 * orders)
