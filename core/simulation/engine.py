"""The clock of a simulation: events in the order of their times, and chance that a seed decides."""

import gc
import hashlib
import heapq
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(eq=False, slots=True)
class ScheduledEvent:
    """An action at a time; events of the same time happen in the order in which they were scheduled."""

    time: float
    """Simulated seconds since the beginning."""
    action: Callable[[], object] | None
    """Action at the time; None once the event is called off."""

    def cancel(self) -> None:
        """Call the event off."""
        self.action = None


class EventQueue:
    """The events of a simulation that are still to come, and its clock."""

    def __init__(self) -> None:
        """Begin at time 0 without an event."""
        self._events: list[tuple[float, int, ScheduledEvent]] = []
        self._now, self._serial = 0.0, 0

    def now(self) -> float:
        """Return the simulated seconds since the beginning."""
        return self._now

    def after(self, seconds: float, action: Callable[[], object]) -> ScheduledEvent:
        """Schedule ``action`` after ``seconds``, and return the event, which can be called off."""
        self._serial += 1
        event = ScheduledEvent(self._now + max(0.0, seconds), action)
        heapq.heappush(self._events, (event.time, self._serial, event))  # tuples compare without Python code
        return event

    def run(self, until: float) -> None:
        """Let everything happen up to the time ``until``, in simulated seconds, at which the clock stands then."""
        while self._events and self._events[0][0] <= until:
            time, _, event = heapq.heappop(self._events)
            if event.action is not None:
                self._now = time
                event.action()
        self._now = max(self._now, until)


class DelayedExecutor(Executor):
    """Calls functions at once, and has their results after a time of the simulation."""

    def __init__(self, queue: EventQueue, seconds: float, then: Callable[[], object]) -> None:
        """Delay results by ``seconds`` of the clock of ``queue``, and call ``then`` after each."""
        self._queue, self._seconds, self._then = queue, seconds, then

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Return the future result of ``fn`` with the arguments ``args`` and ``kwargs``."""
        result: Future[R] = Future()
        found = fn(*args, **kwargs)

        def deliver() -> None:
            result.set_result(found)
            self._then()

        self._queue.after(self._seconds, deliver)
        return result


def randomness(seed: int, *purpose: Any) -> random.Random:
    """Return chance for one ``purpose`` alone, decided by ``seed``.

    Chance for one purpose stays the same whatever else is drawn, so that a change of one group of machines leaves the
    others as they were.
    """
    named = hashlib.sha256(repr((seed, *purpose)).encode()).digest()
    return random.Random(int.from_bytes(named[:8], "big"))


def exponential(chance: random.Random, an_hour: float) -> float:
    """Return the seconds until the next of events that happen ``an_hour`` times on average, drawn by ``chance``.

    They are infinite for 0.
    """
    return chance.expovariate(an_hour / 3600.0) if an_hour > 0 else float("inf")


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the garbage collector look for cycles a hundred times less often: most objects live as long as a peer."""
    before = gc.get_threshold()
    gc.set_threshold(100 * before[0], *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
