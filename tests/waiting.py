"""Waiting for a condition to come true, with a deadline, in tests of things that take their time."""

import asyncio
import time
from collections.abc import Callable

DEADLINE = 60.0
"""Seconds for something to come up, or for a condition to come true; nobody waits that long but for a failure."""


def wait_until(condition: Callable[[], bool], otherwise: str, seconds: float = DEADLINE) -> None:
    """Return once it holds; fail if it does not within that time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.02)


async def eventually(condition: Callable[[], bool], otherwise: str, seconds: float = DEADLINE) -> None:
    """As `wait_until`, for a test whose loop has to go on."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        await asyncio.sleep(0.02)
