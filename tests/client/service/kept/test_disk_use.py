"""The disk that runs take is counted now and then, and a disk that hangs holds up nothing."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.service.kept.accounting import COUNT_EVERY, DiskUse
from tests.waiting import DEADLINE, eventually

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass
class CountedDisk:
    """Each count finds a byte more, once it may end."""

    now: datetime = NOON
    counts: int = 0
    answers: threading.Event = field(default_factory=threading.Event)

    def count(self, _folder: Path) -> int:
        self.counts += 1
        assert self.answers.wait(DEADLINE)
        return self.counts

    def use(self) -> DiskUse:
        return DiskUse(Path("runs"), lambda: self.now, self.count)


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), DEADLINE))


def test_a_disk_that_hangs_holds_up_nobody_and_is_asked_once() -> None:
    async def script() -> None:
        disk = CountedDisk()
        use = disk.use()
        for _ in range(3):
            use.look()
            await eventually(lambda: disk.counts > 0, "it does not count")
            disk.now += COUNT_EVERY
        assert (disk.counts, use.bytes) == (1, 0)
        disk.answers.set()
        await eventually(lambda: use.bytes == 1, "what was counted is lost")

    play(script)


@pytest.mark.parametrize(
    ("later", "counts"),
    [
        (timedelta(), 1),
        (COUNT_EVERY - timedelta(seconds=1), 1),
        (COUNT_EVERY, 2),
        (timedelta(days=-365), 2),  # the clock was set back
    ],
)
def test_it_is_counted_again_after_a_while_whatever_the_clock_does(later: timedelta, counts: int) -> None:
    async def script() -> None:
        disk = CountedDisk()
        disk.answers.set()
        use = disk.use()
        use.look()
        await eventually(lambda: use.bytes == 1, "it is not counted")
        disk.now += later
        use.look()
        await eventually(lambda: use.bytes == counts, "it is not counted again")

    play(script)
