"""One peer's connection: how many bytes a second may pass each way, and how many have passed.

The trainer's process and the averager that it forked share it, and the former may be frozen at any instant while
the other goes on: so there is no lock between them. Each number has one writer (the caps the trainer, an account
the process that holds its tap), is eight bytes that no reader can see half written, and goes stale harmlessly.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator
from ctypes import Array, c_double
from enum import IntEnum
from multiprocessing.sharedctypes import RawArray

UNKNOWN_RATE = 1_250_000
"""Bytes a second that a peer which announces nothing is taken to manage: 10 Mbit/s, a modest home's upload."""
BURST_SECONDS = 0.5
"""A tap that was idle may pass at once what the line carries in that time; after it, it no longer shares the line."""
OVERHEAD = 1.07
"""What a byte of ours costs on the wire: libp2p's encryption and framing, headers of TCP and IP."""
_PIECE_SECONDS = 0.1
_PIECE_BYTES = (1024, 65_536)


class Way(IntEnum):
    """A direction of the connection, seen from this peer."""

    UP = 0
    DOWN = 1


def reserve(
    paid_until: float, size: float, rate: float, now: float, credit: float = 0.0
) -> tuple[float, float]:
    """Until when a token bucket is paid for with ``size`` more bytes, and the seconds to wait before they may pass.

    ``credit`` is the depth of the bucket in seconds: that much unused time may be made up for.
    """
    paid_until = max(paid_until, now - credit) + size / rate
    return paid_until, max(0.0, paid_until - now)


def piece_bytes(rate: float) -> int:
    """How much is passed at a time: a tenth of a second's worth, so that a slow line never looks dead."""
    least, most = _PIECE_BYTES
    return int(min(max(rate * _PIECE_SECONDS, least), most))


def _shared() -> "Array[c_double]":
    """A number for each way, seen by all processes that are forked later."""
    found: Array[c_double] = RawArray(c_double, len(Way))
    return found


class Line:
    """Both caps, and the taps through which all that is capped flows. Make it before anything is forked.

    Not in it: the DHT's own messages (some hundred bytes a second), and what the libp2p daemon says for itself.
    """

    def __init__(
        self,
        upload: int | None = None,
        download: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._caps = _shared()
        self.limit(upload, download)
        self.averager = Tap(self._caps, clock)
        """For the averager's process alone."""
        self.data = Tap(self._caps, clock)
        """For what the trainer's process reads from the Hub, in any of its threads."""
        self.averager.other, self.data.other = self.data, self.averager

    def limit(self, upload: int | None, download: int | None) -> None:
        """Cap the line from now on, in bytes a second; None leaves a direction as fast as it is."""
        for way, cap in ((Way.UP, upload), (Way.DOWN, download)):
            if cap is not None and cap < 1:
                raise ValueError(f"a cap of {cap} bytes a second lets nothing pass")
            self._caps[way] = math.inf if cap is None else cap

    @property
    def announced(self) -> float | None:
        """The bandwidth to tell a group, in bytes a second: the lower cap.

        None where that says nothing: a cap may be far above what the line can do, so it only ever lowers.
        """
        cap = min(self._caps)
        return cap if cap < UNKNOWN_RATE else None

    @property
    def sent(self) -> int:
        """Bytes of messages and their frames, without ``OVERHEAD``, since the line was made."""
        return self.averager.passed(Way.UP) + self.data.passed(Way.UP)

    @property
    def received(self) -> int:
        return self.averager.passed(Way.DOWN) + self.data.passed(Way.DOWN)


class Tap:
    """One process's end of a line. While both taps flow, each has half of a cap; alone, a tap has all of it."""

    other: "Tap"

    def __init__(self, caps: "Array[c_double]", clock: Callable[[], float]) -> None:
        self._caps, self._clock = caps, clock
        self._paid_until = _shared()
        self._passed = _shared()
        self._turns = tuple(asyncio.Lock() for _ in Way)
        self._claiming = threading.Lock()
        """Between threads of the tap's own process, which are frozen together."""

    def passed(self, way: Way) -> int:
        """Bytes so far."""
        return int(self._passed[way])

    def is_flowing(self, way: Way) -> bool:
        """Whether bytes passed a moment ago, or wait to."""
        return self._clock() - self._paid_until[way] < BURST_SECONDS

    def claim(self, way: Way, size: int) -> float:
        """Count bytes that are about to pass; returns the seconds to wait before they may."""
        with self._claiming:
            self._passed[way] += size
            cap = self._caps[way]
            if math.isinf(cap):
                return 0.0
            alone = not self.other.is_flowing(way)
            rate, credit = (cap, BURST_SECONDS) if alone else (cap / 2, 0.0)
            self._paid_until[way], wait = reserve(
                self._paid_until[way], size * OVERHEAD, rate, self._clock(), credit
            )
            return wait

    async def passing(self, way: Way, size: int) -> None:
        """Wait for bytes' turn, first come first served: a reservation is never more than one piece ahead."""
        async with self._turns[way]:
            wait = self.claim(way, size)
            if wait:
                await asyncio.sleep(wait)

    def block(self, way: Way, size: int, sleep: Callable[[float], object] = time.sleep) -> None:
        """Hold a thread that has just passed bytes until they are paid for, a second at a time.

        What other threads claim meanwhile is paid for after them.
        """
        due = self.claim(way, size) + self._clock()
        while (wait := due - self._clock()) > 0:
            sleep(min(wait, 1.0))

    def pieces(self, way: Way, size: int) -> Iterator[int]:
        """Sizes of the pieces in which so many bytes pass; follows the cap as it changes."""
        while size > 0:
            piece = min(size, piece_bytes(self._caps[way]))
            yield piece
            size -= piece
