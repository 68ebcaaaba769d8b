"""Tells all who watch the newest numbers: one reader of the database, and the same bytes for every listener."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.concurrency import run_in_threadpool

from coordinator.errors import CoordinatorError

_log = logging.getLogger(__name__)

_MOST_LISTENERS = 6000
_MOST_OF_A_CLIENT = 12
_HEARTBEAT_SECONDS = 15.0
"""Without news, after which all are told that the site lives: proxies end a connection on which nothing is said."""
_HEARTBEAT = b": still here\n\n"
_AT_ONCE = 50
"""Listeners that are told together; requests are answered between one such group and the next."""
_PAUSE_SECONDS = 0.05
"""Between two groups, so that thousands of listeners leave most of a core to everybody else."""


class Listener:
    """One who watches: holds the newest that was not sent yet."""

    def __init__(self) -> None:
        self._newest: bytes | None = None
        self._is_waiting = asyncio.Event()

    def give(self, newest: bytes | None) -> None:
        """Have this sent next, in place of what it overtook; None ends the stream."""
        self._newest = newest
        self._is_waiting.set()

    def remind(self) -> None:
        """Have a sign of life sent, unless something waits to be sent anyway."""
        if not self._is_waiting.is_set():
            self.give(_HEARTBEAT)

    async def next(self) -> bytes | None:
        await self._is_waiting.wait()
        self._is_waiting.clear()
        return self._newest


class Broadcast:
    """Reads once a second while anybody listens, and gives each listener the newest that it has not had.

    A thousand are told in a second; where more listen, each hears of fewer changes.
    """

    def __init__(
        self,
        read: Callable[[], str | None],
        seconds: Callable[[], float] = time.monotonic,
        interval: float = 1.0,
        most: int = _MOST_LISTENERS,
        most_of_a_client: int = _MOST_OF_A_CLIENT,
    ) -> None:
        """``read`` gives the newest as JSON on one line, None if there is nothing yet; it runs in a thread.

        ``seconds`` is a clock.
        """
        self._read = read
        self._seconds = seconds
        self._interval = interval
        self._most = most
        self._most_of_a_client = most_of_a_client
        self._listeners: set[Listener] = set()
        self._of_client: Counter[str] = Counter()
        self._newest: bytes | None = None
        self._told = seconds()
        self._reader: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is read, for want of listeners."""
        return self._reader is None

    def admits(self, client: str) -> bool:
        """Whether there is room for one more of this client's."""
        full = len(self._listeners) >= self._most or self._of_client[client] >= self._most_of_a_client
        return not (full or self._closed)

    @contextmanager
    def listening(self, client: str) -> Iterator[Listener]:
        """Has the newest, now and whenever it changes, until the site closes; nothing where there is no room."""
        listener = Listener()
        if not self.admits(client):
            listener.give(None)
            yield listener
            return
        self._enter(client, listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            self._of_client[client] -= 1
            self._of_client += Counter()  # forgets clients that have none left

    def _enter(self, client: str, listener: Listener) -> None:
        self._listeners.add(listener)
        self._of_client[client] += 1
        if self._newest is not None:
            listener.give(self._newest)
        if self._reader is None:
            self._reader = asyncio.create_task(self._keep_reading())

    def close(self) -> None:
        """End all streams; nobody is admitted any more."""
        self._closed = True
        if self._reader is not None:
            self._reader.cancel()
        for listener in self._listeners:
            listener.give(None)

    async def _keep_reading(self) -> None:
        try:
            while self._listeners:
                await self._look()
                await asyncio.sleep(self._interval)
        finally:
            self._reader = None

    async def _look(self) -> None:
        newest = await self._event()
        if newest is not None and newest != self._newest:
            self._newest = newest
            await self._tell_all(lambda listener: listener.give(newest))
        elif self._seconds() - self._told >= _HEARTBEAT_SECONDS:
            await self._tell_all(Listener.remind)

    async def _event(self) -> bytes | None:
        """The newest as all streams send it; None where there is none to be had."""
        try:
            found = await run_in_threadpool(self._read)
        except CoordinatorError as error:
            _log.warning("The newest numbers cannot be read: %s", error)
            return None
        return None if found is None else f"event: status\ndata: {found}\n\n".encode()

    async def _tell_all(self, tell: Callable[[Listener], None]) -> None:
        self._told = self._seconds()
        for number, listener in enumerate(list(self._listeners)):
            if number and number % _AT_ONCE == 0:
                await asyncio.sleep(_PAUSE_SECONDS)
            tell(listener)
