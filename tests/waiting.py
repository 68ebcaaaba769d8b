"""Waiting for a condition to come true, with a deadline, in tests of things that take their time."""

import asyncio
import time
from collections.abc import Callable

DEADLINE = 60.0
"""Seconds for something to come up, or for a condition to come true: long, as it only tells a hang from an end."""
AT_ONCE = 5.0
"""Seconds for what a user was promised to happen at once: short, as it is the promise that is tested.

On a quiet machine it takes less than one; beside other tests and other programs it may take a few.
"""

CHEAP = 0.02
"""Seconds between two looks that cost next to nothing."""
COSTLY = 0.1
"""Seconds between two looks, each of which starts a program, reads about every process, or asks a whole screen."""


def wait_until(
    condition: Callable[[], bool], otherwise: str, seconds: float = DEADLINE, *, every: float = CHEAP
) -> None:
    """Return once it holds, looking every so many seconds; fail if it does not within that time."""
    deadline = time.monotonic() + seconds
    while not condition():
        left = deadline - time.monotonic()
        assert left > 0, otherwise
        time.sleep(min(every, left))


async def eventually(condition: Callable[[], bool], otherwise: str, seconds: float = DEADLINE) -> None:
    """Wait like `wait_until`, without blocking the test's loop."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        await asyncio.sleep(CHEAP)
