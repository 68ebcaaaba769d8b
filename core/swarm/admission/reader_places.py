"""The places of those who read what a peer gives: one for each user, and none for those who do not read."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from hivemind.p2p import PeerID

from core.errors import SwarmError

_log = logging.getLogger(__name__)

_SILENT_SECONDS = 30.0
"""Seconds for which a reader may take nothing while another one waits: a chunk of 64 KiB takes 19 s at 28 kbit/s."""


class NoPlace(SwarmError):
    """All places of a peer are taken, or the user of the caller has one."""

    def __init__(self) -> None:
        super().__init__(
            "This peer gives to as many others as it can, or to another of your computers.",
            "Ask it again later.",
        )


class ReaderPlace:
    """The place of one reader, until the context ends."""

    def __init__(self, places: "ReaderPlaces", holder: bytes, reader: PeerID, read_at: float) -> None:
        """Make the place of the present task, which gives to ``reader``, a peer of the user ``holder``.

        ``places`` is what it belongs to, and ``read_at`` the present time in monotonic seconds.
        """
        task = asyncio.current_task()
        assert task is not None
        self._places, self.holder, self.reader = places, holder, reader
        self.task: asyncio.Task[Any] = task
        self.read_at = read_at
        """Monotonic seconds at which the reader took something last."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._places.leave(self)

    def note_read(self) -> None:
        """Note that the reader took something."""
        self.read_at = self._places.clock()

    @contextmanager
    def reading(self, seconds: float, what: str) -> Iterator[None]:
        """Cancel the task that gives to the reader if the context lasts longer than ``seconds``.

        ``what`` names for the log what the reader is to take meanwhile.
        """

        def cancel() -> None:
            _log.warning("%s did not take %s within %.0f s: it gets no more.", self.reader, what, seconds)
            self.task.cancel()

        timer = asyncio.get_running_loop().call_later(seconds, cancel)
        try:
            yield
        finally:
            timer.cancel()


class ReaderPlaces:
    """The places at one peer; all calls come from one event loop."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Give ``most`` places at a time; ``clock`` gives monotonic seconds."""
        self._most, self.clock = most, clock
        self._taken = dict[bytes, ReaderPlace]()

    def take(self, holder: bytes, reader: PeerID) -> ReaderPlace:
        """Return a place for the task that calls, which gives to ``reader``, a peer of the user ``holder``.

        The same reader takes its own place again: its connection was lost, or it never read. Where all are taken, one
        is taken from a reader that has taken nothing for long. A reader that loses its place has its task cancelled.

        Raises NoPlace if there is none.
        """
        own = self._taken.get(holder)
        if own is not None and own.reader != reader:
            raise NoPlace
        if own is not None:
            own.task.cancel()
        elif len(self._taken) >= self._most:
            self._end_silent()
        self._taken[holder] = place = ReaderPlace(self, holder, reader, self.clock())
        return place

    def leave(self, place: ReaderPlace) -> None:
        """Free a ``place`` unless another task has it by now."""
        if self._taken.get(place.holder) is place:
            del self._taken[place.holder]

    def _end_silent(self) -> None:
        longest = min(self._taken.values(), key=lambda place: place.read_at, default=None)
        if longest is None or self.clock() - longest.read_at < _SILENT_SECONDS:
            raise NoPlace
        _log.warning(
            "%s took nothing for %.0f s while others wait: it gets no more.",
            longest.reader,
            self.clock() - longest.read_at,
        )
        longest.task.cancel()
        self.leave(longest)
