"""Bounds what a caller can take of the peer that it calls, before that peer knows anything of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from hivemind.p2p import PeerID
from hivemind.utils.asyncio import asingle

_AHEAD = 5
"""Requests of a stream that are read before the handler asks for them."""
HELD_SECONDS = 2.0
"""Seconds for which a refusal is held back."""
MOST_HELD = 1024
"""Refusals of calls that were read to their end, of which some are held back at a time, for some 10 kB each."""
MOST_HELD_STREAMS = 64
"""Refusals of streams that are held back at a time: each has a socket, and what its caller has sent."""


@dataclass(frozen=True)
class StreamLimits:
    """Limits of what a caller may take: bytes, time and streams."""

    request_bytes: int = 1 << 16
    """Bytes of the request of a call that has just one.

    The longest names the parts of a round that are missing, in 4 bytes each: 64 KiB name 8 GiB of parts.
    """
    request_seconds: float = 60.0
    """Seconds until such a request has ended."""
    taking_seconds: float = 120.0
    """Seconds within which a caller takes something of an answer: two buffers of 64 KiB at 9 kbit/s."""
    streams: int = 32
    """Streams that a caller has open at a time; an honest one has one for each call, and makes few at once."""
    refused_seconds: float = HELD_SECONDS
    """Seconds for which the refusal of a further one is held back."""


class CallRefused(Exception):
    """A caller asked for more than it may; the text is for the caller."""


async def single(requests: AsyncIterator[Any], seconds: float) -> Any:
    """Return the only message of ``requests``, once they have ended; raises CallRefused unless there is just one.

    They must end within so many ``seconds``.
    """
    try:
        async with asyncio.timeout(seconds):
            return await asingle(requests)
    except TimeoutError as error:
        raise CallRefused(f"The request did not end within {seconds:.0f} s.") from error
    except ValueError as error:
        raise CallRefused("A request must be one message.") from error


class Requests:
    """The messages of a caller on their way to the handler.

    Each is read when the handler asks for it. Only a handler that has asked for a second one has looked at the first
    and taken the caller in: some are read ahead from then on.
    """

    def __init__(self) -> None:
        self._room, self._read = asyncio.Semaphore(0), asyncio.Queue[Any]()

    async def room(self) -> None:
        """Wait until a message may be read."""
        await self._room.acquire()

    def put(self, message: Any) -> None:
        """Pass on a ``message`` that was read; None ends them."""
        self._read.put_nowait(message)

    async def __aiter__(self) -> AsyncIterator[Any]:
        for more in chain((1, 1 + _AHEAD), repeat(1)):
            for _ in range(more):
                self._room.release()
            if (message := await self._read.get()) is None:
                return
            yield message


class PatientWriter:
    """Writes to a stream for as long as the caller takes it: ``drain`` raises TimeoutError after that."""

    def __init__(self, writer: asyncio.StreamWriter, seconds: float) -> None:
        """Write with ``writer``; the caller must take something within these ``seconds``."""
        self.stream, self._seconds = writer, seconds
        self.write = writer.write

    async def drain(self) -> None:
        """Return once there is room for more."""
        async with asyncio.timeout(self._seconds):
            await self.stream.drain()


class OpenStreams:
    """The streams that other peers have open at this one."""

    def __init__(self, most: int) -> None:
        """Let each peer have ``most``."""
        self._most, self._open = most, Counter[PeerID]()

    @contextmanager
    def one_of(self, caller: PeerID) -> Iterator[None]:
        """Count a stream of the ``caller`` within the context; raises CallRefused if it has too many."""
        if self._open[caller] >= self._most:
            raise CallRefused(f"This peer has {self._most} streams of yours open already.")
        self._open[caller] += 1
        try:
            yield
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]


class HeldRefusals:
    """Lets those who call too often, or have too many calls open, wait for their refusals.

    One that calls again as soon as it is refused would keep a slow computer busy with refusing.
    """

    def __init__(
        self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, *, most: int = MOST_HELD
    ) -> None:
        """Hold nothing yet, and never more than ``most``; ``sleep`` waits for some seconds."""
        self._sleep, self._most, self._held = sleep, most, 0

    async def hold(self, seconds: float = HELD_SECONDS) -> None:
        """Wait for some ``seconds`` before a refusal, unless enough others wait already."""
        if self._held >= self._most:
            return
        self._held += 1
        try:
            await self._sleep(seconds)
        finally:
            self._held -= 1
