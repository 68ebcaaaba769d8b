"""The trainer waits for the answers of its averager's process, also across a time in which it was stopped."""

from collections.abc import Sequence

import pytest

from core.swarm.ending import answer


class StandInFuture:
    """A future that answers at its last look; ``seconds`` are those for which it was waited."""

    def __init__(self, answers_at: int | None) -> None:
        self._answers_at, self.seconds = answers_at, list[float]()

    def result(self, timeout: float) -> str:
        self.seconds.append(timeout)
        if not self.done():
            raise TimeoutError
        return "attached"

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


@pytest.mark.parametrize(("answers_at", "waits"), [(1, [1.0]), (3, [1.0] * 3), (30, [1.0] * 30)])
def test_an_answer_that_is_there_after_a_stop_is_read(answers_at: int, waits: Sequence[float]) -> None:
    future = StandInFuture(answers_at)
    assert answer(future, 30.0) == "attached"
    assert future.seconds == waits


@pytest.mark.parametrize("seconds", [0.3, 1.0, 20.5])
def test_no_answer_is_waited_for_no_longer_than_allowed(seconds: float) -> None:
    future = StandInFuture(None)
    with pytest.raises(TimeoutError):
        answer(future, seconds)
    assert sum(future.seconds) == pytest.approx(seconds)
    assert max(future.seconds) <= 1.0


def test_an_error_of_the_other_process_is_raised_at_once() -> None:
    future = FailedFuture()
    with pytest.raises(TimeoutError, match="gave up"):
        answer(future, 30.0)
    assert future.looks <= 2
