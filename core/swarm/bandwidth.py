"""One peer's connection: how many bytes a second may pass each way, and how many have passed.

The trainer's process and the averager that it forked share it. The trainer may be frozen at any instant while
the averager continues, so there is no lock between them. Each number has one writer (the trainer for the
caps, the process that holds a limiter for its account), is eight bytes that no reader can see half written, and
is harmless when it is out of date.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator
from ctypes import Array, c_double
from enum import IntEnum
from multiprocessing.sharedctypes import RawArray

from core.run.control_traffic import OVERHEAD

UNKNOWN_RATE = 1_250_000
"""Bytes a second assumed for a peer that announces nothing: 10 Mbit/s, a modest home's upload."""
BURST_SECONDS = 0.5
"""Seconds of the line's capacity that an idle limiter may pass at once; one idle for longer has no share of it."""
AHEAD = 1.05
"""Pace at which others are asked to send, as a multiple of what a limit lets in: so that it never waits for them."""
_LEAST_SHARE = 0.1
"""Share of a cap that the limiters have at least: a round that never ends costs more than it saves."""
_PIECE_SECONDS = 0.1
_PIECE_BYTES = (1024, 65_536)


class Way(IntEnum):
    """A direction of the connection, seen from this peer."""

    UP = 0
    DOWN = 1


def reserve(
    paid_until: float, size: float, rate: float, now: float, credit: float = 0.0
) -> tuple[float, float]:
    """Reserve ``size`` bytes of a token bucket that fills at ``rate`` bytes a second.

    Args:
        paid_until: time until which earlier reservations have used the bucket, in seconds.
        size: bytes to reserve.
        rate: bytes a second.
        now: the present time, on the same clock.
        credit: depth of the bucket in seconds: that much unused time may be made up for.

    Returns:
        The new ``paid_until``, and the seconds to wait before the bytes may pass.
    """
    paid_until = max(paid_until, now - credit) + size / rate
    return paid_until, max(0.0, paid_until - now)


class StreamPace:
    """Holds back the bytes of one stream for a reader that limits the bytes a second that it takes."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Let ``rate`` bytes a second pass; as many as can be if it is no positive number, as a peer may send.

        ``clock`` gives monotonic seconds.
        """
        self.rate = rate if rate > 0 else math.inf
        """Bytes a second that may pass; infinite without a limit."""
        self._clock, self._paid_until = clock, 0.0

    async def passing(self, size: int) -> None:
        """Wait until ``size`` more bytes may pass; one caller at a time."""
        self._paid_until, wait = reserve(self._paid_until, size, self.rate, self._clock())
        if wait:
            await asyncio.sleep(wait)


def piece_bytes(rate: float) -> int:
    """Return the bytes that pass at a time at ``rate`` (bytes a second).

    A piece is a tenth of a second's worth, within bounds, so that a slow line never looks dead.
    """
    least, most = _PIECE_BYTES
    return int(min(max(rate * _PIECE_SECONDS, least), most))


def _shared() -> "Array[c_double]":
    """Return a number for each way, seen by all processes that are forked later."""
    found: Array[c_double] = RawArray(c_double, len(Way))
    return found


class WireCount:
    """All that the peer's libp2p daemon passes, with headers, the DHT's calls and its own; its writer measures it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._passed, self._beside = _shared(), _shared()

    def note(self, way: Way, passed: float, beside: float) -> None:
        """Take note of what one process has measured.

        Args:
            way: the direction.
            passed: bytes on the wire so far.
            beside: bytes a second at present beyond the averager's messages with their ``OVERHEAD``.
        """
        self._passed[way], self._beside[way] = passed, beside

    def passed(self, way: Way) -> int:
        """Return the bytes on the wire this ``way`` so far, as last measured."""
        return int(self._passed[way])

    def beside(self, way: Way) -> float:
        """Return the bytes a second this ``way`` that pass no limiter; a cap is shared after they are taken off."""
        return self._beside[way]


class Line:
    """The caps of both ways, and the limiters that all capped data passes; make it before anything is forked.

    The libp2p daemon's own messages and the DHT's can't be held back. They are measured, and the limiters share
    what they leave of a cap.
    """

    def __init__(
        self,
        upload: int | None = None,
        download: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Cap ``upload`` and ``download``, in bytes a second; None sets no cap.

        ``clock`` gives monotonic seconds. Raises ValueError if a cap is below one byte a second.
        """
        self._caps = _shared()
        self.limit(upload, download)
        self.wire = WireCount()
        """Count of all that the libp2p daemon passes; the DHT's process writes it."""
        self.averager = ProcessLimiter(self._caps, clock, self.wire.beside)
        """The limiter of the averager's process alone."""
        self.data = ProcessLimiter(self._caps, clock, self.wire.beside)
        """The limiter of the trainer's own reading from the Hub, in any of its threads."""
        self.averager.other, self.data.other = self.data, self.averager

    def limit(self, upload: int | None, download: int | None) -> None:
        """Cap ``upload`` and ``download`` from now on, in bytes a second; None removes the cap of that way.

        Raises ValueError if a cap is below one byte a second.
        """
        caps = ((Way.UP, upload), (Way.DOWN, download))
        for _, cap in caps:
            if cap is not None and cap < 1:
                raise ValueError(f"a cap of {cap} bytes a second lets nothing pass")
        for way, cap in caps:
            self._caps[way] = math.inf if cap is None else cap

    @property
    def announced(self) -> float | None:
        """The bandwidth to tell a group, in bytes a second: the lower cap.

        It is None unless the cap is below ``UNKNOWN_RATE``: a cap may be far above what the line can do.
        """
        cap = min(self._caps)
        return cap if cap < UNKNOWN_RATE else None

    @property
    def announced_download(self) -> float | None:
        """Bytes of messages a second that a group may send to this peer; None without a cap of downloads."""
        rate = self.averager.rate(Way.DOWN)
        return None if math.isinf(rate) else rate

    @property
    def sent(self) -> int:
        """Bytes of messages and their frames sent since the line was made, without ``OVERHEAD``."""
        return self.averager.passed(Way.UP) + self.data.passed(Way.UP)

    @property
    def received(self) -> int:
        """Bytes of messages and their frames received since the line was made, without ``OVERHEAD``."""
        return self.averager.passed(Way.DOWN) + self.data.passed(Way.DOWN)

    def on_wire(self, way: Way) -> int:
        """Return the bytes that have passed this ``way`` in all, as a router would count them.

        They are those of the libp2p daemon, as measured within the last second, and those of data.
        """
        messages = OVERHEAD * self.averager.passed(way)
        return int(max(self.wire.passed(way), messages) + OVERHEAD * self.data.passed(way))


class ProcessLimiter:
    """Limits one process's use of a line.

    While bytes pass both limiters of the line, each has half of a cap; alone, a limiter has all of it.
    """

    other: "ProcessLimiter"

    def __init__(
        self,
        caps: "Array[c_double]",
        clock: Callable[[], float],
        beside: Callable[[Way], float] = lambda way: 0.0,
    ) -> None:
        """Let bytes pass under the ``caps`` of the line, which may change at any time.

        ``other`` must be set before bytes are claimed.

        Args:
            caps: bytes a second for each Way (infinite: no cap), in memory shared by all processes.
            clock: gives monotonic seconds, the same in all of them.
            beside: gives the bytes a second that pass without a limiter, of which the cap has to hold as well.
        """
        self._caps, self._clock, self._beside = caps, clock, beside
        self._paid_until = _shared()
        self._passed, self._by_udp = _shared(), _shared()
        self._turns = tuple(asyncio.Lock() for _ in Way)
        self._claiming = threading.Lock()
        """Lock between the threads of the limiter's own process, which are frozen together."""

    def passed(self, way: Way) -> int:
        """Return the bytes that have passed this ``way`` so far."""
        return int(self._passed[way])

    def by_udp(self, way: Way) -> int:
        """Return the bytes that have passed this ``way`` by UDP so far."""
        return int(self._by_udp[way])

    def is_flowing(self, way: Way) -> bool:
        """Return true if bytes passed this ``way`` within the last ``BURST_SECONDS``, or wait to pass."""
        return self._clock() - self._paid_until[way] < BURST_SECONDS

    def claim(self, way: Way, size: int, *, by_udp: bool = False) -> float:
        """Count ``size`` bytes that are about to pass this ``way``; return the seconds to wait before they may.

        ``by_udp`` is true if they pass by UDP, of which the system does not tell.
        """
        with self._claiming:
            self._passed[way] += size
            self._by_udp[way] += size if by_udp else 0
            alone = not self.other.is_flowing(way)
            rate = self._rate(way, alone)
            if math.isinf(rate):
                return 0.0
            credit = BURST_SECONDS if alone else 0.0
            self._paid_until[way], wait = reserve(self._paid_until[way], size, rate, self._clock(), credit)
            return wait

    def rate(self, way: Way) -> float:
        """Return the bytes of messages a second that may pass this ``way`` at present; infinite without a cap."""
        return self._rate(way, not self.other.is_flowing(way))

    def _rate(self, way: Way, alone: bool) -> float:
        cap = self._caps[way]
        if math.isinf(cap):
            return cap
        left = max(cap - self._beside(way), _LEAST_SHARE * cap) / OVERHEAD
        return left if alone else left / 2

    async def passing(self, way: Way, size: int, *, by_udp: bool = False) -> None:
        """Wait until ``size`` bytes may pass this ``way``; ``by_udp`` is true if they do so by UDP.

        Callers are served in order, so that a reservation is never more than one piece ahead.
        """
        async with self._turns[way]:
            wait = self.claim(way, size, by_udp=by_udp)
            if wait:
                await asyncio.sleep(wait)

    def block(self, way: Way, size: int, sleep: Callable[[float], object] = time.sleep) -> None:
        """Hold a thread that has just passed ``size`` bytes this ``way`` until the cap allows for them.

        ``sleep`` is called with at most one second at a time. Bytes that other threads claim meanwhile come
        after these.
        """
        due = self.claim(way, size) + self._clock()
        while (wait := due - self._clock()) > 0:
            sleep(min(wait, 1.0))

    def pieces(self, way: Way, size: int, most: float = math.inf) -> Iterator[int]:
        """Yield the sizes of the pieces in which ``size`` bytes pass this ``way``; they follow changes of the cap.

        ``most`` are the bytes a second that their stream may pass.
        """
        while size > 0:
            piece = min(size, piece_bytes(min(self._caps[way], most)))
            yield piece
            size -= piece
