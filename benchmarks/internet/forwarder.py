"""Carries packets between the two ends of each emulated line, with its delay and its losses, as a process.

Each line is a pair of TUN devices, one at the backbone and one at the site. What the kernel sends into one comes out
of the other after the line's delay, unless it is lost. Rates are the kernel's own (tbf on both devices). Orders
arrive as lines of JSON on the standard input, whose end is the end of this process.
"""

import asyncio
import ctypes
import fcntl
import json
import os
import random
import struct
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_CLONE_NEWNET = 0x40000000
_LARGEST_PACKET = 1 << 16
_PACKETS_AT_A_TIME = 64


@dataclass(frozen=True)
class LineEnds:
    """The two TUN devices of a line: namespace and name of each."""

    backbone: tuple[str, str]
    site: tuple[str, str]


@dataclass(frozen=True)
class LineState:
    """The present behaviour of a line; rates are not the forwarder's."""

    delay: float
    """Delay in seconds, each way."""
    jitter: float
    """Largest further delay of a packet, in seconds."""
    loss: float
    """Share of the packets that are lost."""
    cut: bool = False
    """True if no packet passes."""


@dataclass(frozen=True)
class ForwarderOrder:
    """A new behaviour of one line."""

    line: int
    state: LineState

    def text(self) -> str:
        """Return the order as a line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> "ForwarderOrder":
        """Read a line that ``text`` returned."""
        found = json.loads(text)
        return cls(found["line"], LineState(**found["state"]))


class Direction:
    """One way of a line: packets wait here until they are due."""

    def __init__(
        self,
        state: LineState,
        send: Callable[[bytes], None],
        draw: random.Random,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Carry packets to ``send`` as ``state`` says, with losses and jitter from ``draw``."""
        self.state, self._send, self._draw, self._loop = state, send, draw, loop
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, packet: bytes) -> None:
        """Take a packet that the kernel sent; it is dropped if the line is cut or loses it."""
        state = self.state
        if state.cut or (state.loss and self._draw.random() < state.loss):
            return
        due = self._loop.time() + state.delay
        if state.jitter:
            due += self._draw.random() * state.jitter
        if self._waiting:
            due = max(due, self._waiting[-1][0])
        self._waiting.append((due, packet))
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._deliver)

    def _deliver(self) -> None:
        now = self._loop.time()
        while self._waiting and self._waiting[0][0] <= now:
            packet = self._waiting.popleft()[1]
            if not self.state.cut:
                self._send(packet)
        due = self._waiting[0][0] if self._waiting else None
        self._timer = None if due is None else self._loop.call_at(due, self._deliver)


class ForwardedLine:
    """Both ways of one line, between two TUN devices that are open."""

    def __init__(self, ends: tuple[int, int], state: LineState, seed: str) -> None:
        loop = asyncio.get_running_loop()
        self._directions = [
            Direction(state, _sender(ends[1 - way]), random.Random(f"{seed}/{way}"), loop) for way in (0, 1)
        ]
        for end, direction in zip(ends, self._directions, strict=True):
            loop.add_reader(end, _read, end, direction)

    def change(self, state: LineState) -> None:
        """Behave as ``state`` says from now on."""
        for direction in self._directions:
            direction.state = state


def _sender(end: int) -> Callable[[bytes], None]:
    def send(packet: bytes) -> None:
        # A device that is down, or whose queue is full, loses the packet, as a real line does.
        with suppress(OSError):
            os.write(end, packet)

    return send


def _read(end: int, direction: Direction) -> None:
    for _ in range(_PACKETS_AT_A_TIME):
        try:
            direction.take(os.read(end, _LARGEST_PACKET))
        except OSError:  # nothing is left, or the device is down
            return


def open_device(namespace: str, name: str) -> int:
    """Return a descriptor of the TUN device ``name`` in ``namespace``, where this process then is as well."""
    library = ctypes.CDLL(None, use_errno=True)
    with Path("/run/netns", namespace).open() as place:
        if library.setns(place.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"the namespace {namespace} cannot be entered")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return device


async def _forward(lines: list[tuple[LineEnds, LineState]], seed: int) -> None:
    """Carry packets until the standard input ends."""
    opened = [(open_device(*ends.backbone), open_device(*ends.site)) for ends, _ in lines]
    forwarded = [
        ForwardedLine(ends, state, f"{seed}/{number}")
        for number, (ends, (_, state)) in enumerate(zip(opened, lines, strict=True))
    ]
    print("ready", flush=True)
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while text := await reader.readline():
        order = ForwarderOrder.read(text.decode())
        forwarded[order.line].change(order.state)
        print("done", flush=True)


def main() -> None:
    """Read the lines from the first line of the input, and forward until the input ends."""
    given = json.loads(sys.stdin.buffer.readline())  # nothing follows before it is answered
    lines = [
        (LineEnds(tuple(item["backbone"]), tuple(item["site"])), LineState(**item["state"]))
        for item in given["lines"]
    ]
    asyncio.run(_forward(lines, given["seed"]))


if __name__ == "__main__":
    main()
