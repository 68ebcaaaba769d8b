"""Sources that are asked every second, with readings that a test dictates instead of seconds that it waits."""

import asyncio
from collections.abc import Sequence

import pytest

from client.api.errors import SourceLost
from client.machine.activity.polling import INTERVAL, PolledSource


@pytest.mark.parametrize(
    ("readings", "asked"),
    [
        ([300, 301, 302, 0.4], 4),
        ([300, 301, 302, 2], 4),  # the computer slept between two questions
        ([0.2, 1.2, 2.2, 0.1], 4),
        ([0, 0], 2),  # of one who has never stopped
        ([5, 5, 6, 7, 8, 0], 6),  # of a system that tells whole seconds
        ([1, 0.3], 2),
    ],
)
def test_activity_is_seen_as_soon_as_the_time_shrinks(readings: Sequence[float], asked: int) -> None:
    left = iter(readings)
    slept: list[float] = []

    async def idle_seconds() -> float:
        return next(left)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asyncio.run(PolledSource("a list", idle_seconds, sleep).until_active())
    assert slept == [INTERVAL] * (asked - 1)
    assert list(left) == []


def test_a_source_that_is_lost_while_polled_says_so() -> None:
    left = iter([300.0])

    async def idle_seconds() -> float:
        for idle in left:
            return idle
        raise SourceLost("It is gone.", "Wait.")

    async def sleep(seconds: float) -> None:
        pass

    with pytest.raises(SourceLost, match="It is gone"):
        asyncio.run(PolledSource("a list", idle_seconds, sleep).until_active())
