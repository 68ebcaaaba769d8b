"""Work that brings nothing is tried again ever more seldom, and at once after it has brought something."""

from coordinator.publisher.jobs import Job
from core.errors import CoreError
from tests.core.swarm.builders import HandClock
from tests.waiting import wait_until


def test_each_attempt_in_a_row_that_brings_nothing_waits_twice_as_long() -> None:
    clock = HandClock()
    job: Job[str | None] = Job("checkpoint", lambda error: None, clock=clock)

    def attempt(result: str | None) -> float:
        """Return the seconds after which the next attempt may be made."""
        job.start(lambda: result)
        wait_until(lambda: job.is_done, "the work never ends")
        if job.collect() is None:
            job.put_off()
        before = clock.now
        while not job.is_free:
            clock.now += 0.25
        return clock.now - before

    waits = [attempt(result) for result in (None, None, None, "a state", None)]
    job.close()
    assert waits == [0.75, 1.5, 3.0, 0.0, 0.75]


def test_an_error_that_ends_an_attempt_is_reported() -> None:
    errors: list[CoreError] = []
    job: Job[None] = Job("checkpoint", errors.append, clock=HandClock())

    def fail() -> None:
        raise CoreError("The disk is full.", "Make room.")

    job.start(fail)
    wait_until(lambda: job.is_done, "the work never ends")
    assert job.collect() is None
    job.close()
    assert [error.what for error in errors] == ["The disk is full."]
