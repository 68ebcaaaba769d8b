"""How much of the disk the runs take: counted now and then, beside whatever else goes on.

A file system may take its time, or hang: the machine is looked at meanwhile, and what was counted last holds.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from client.machine.space import disk_used
from client.side_thread import in_thread

COUNT_EVERY = timedelta(minutes=10)


class DiskUse:
    """Of all files below a folder; its methods belong to the event loop's thread."""

    def __init__(
        self, folder: Path, now: Callable[[], datetime], count: Callable[[Path], int] = disk_used
    ) -> None:
        self.bytes = 0
        """As counted last; 0 before."""
        self._folder, self._now, self._count = folder, now, count
        self._began: datetime | None = None
        self._counting: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Begin to count anew if it is time to, and the last count is over."""
        if self._counting is not None and not self._counting.done():
            return
        if self._is_due():
            self._began = self._now()
            self._counting = asyncio.create_task(self._count_anew())

    def _is_due(self) -> bool:
        # a clock that was set back must not put it off
        return self._began is None or not timedelta() <= self._now() - self._began < COUNT_EVERY

    async def _count_anew(self) -> None:
        self.bytes = await in_thread(lambda: self._count(self._folder))
