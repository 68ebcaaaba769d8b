"""A TCP relay in a process of its own, in front of a peer's port: it counts what really passes, and how unevenly."""

import asyncio
import multiprocessing
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.waiting import wait_until

_SPAWN = multiprocessing.get_context("spawn")
_CHUNK_BYTES = 16_384
_BUFFER_BYTES = 32_768
"""Small, so that a peer that does not read holds the other back soon."""
_SEGMENT_BYTES = 1448
"""Segment size of the Internet.

Loopback's 64 KiB are more than such buffers have, and TCP would wait for room for a whole segment.
"""


@dataclass(frozen=True)
class Passed:
    """The traffic in one direction through a relay."""

    bytes: int
    burst: float
    """The most bytes by which any stretch of time exceeded the rate that the relay was told."""


class Relay:
    """Forwards all connections to ``target`` (a port on loopback); ``up`` is what the peer there sends."""

    def __init__(self, target: int, rate: float) -> None:
        self._numbers: Any = _SPAWN.Array("d", 5, lock=False)
        self._process = _SPAWN.Process(target=_serve, args=(target, rate, self._numbers), daemon=True)
        self._process.start()
        wait_until(lambda: bool(self._numbers[4]), "the relay does not start", 30)

    @property
    def port(self) -> int:
        return int(self._numbers[4])

    @property
    def up(self) -> Passed:
        return Passed(int(self._numbers[0]), self._numbers[2])

    @property
    def down(self) -> Passed:
        return Passed(int(self._numbers[1]), self._numbers[3])

    def forget(self) -> None:
        """Count from here on."""
        for index in range(4):
            self._numbers[index] = 0

    def close(self) -> None:
        self._process.kill()
        self._process.join()


@contextmanager
def relayed(target: int, rate: float) -> Iterator[Relay]:
    relay = Relay(target, rate)
    try:
        yield relay
    finally:
        relay.close()


def _serve(target: int, rate: float, numbers: Any) -> None:
    asyncio.run(_listen(target, rate, numbers))


async def _listen(target: int, rate: float, numbers: Any) -> None:
    meters = [_Meter(numbers, way, rate) for way in (0, 1)]

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner = _socket()
        inner.setblocking(False)
        await asyncio.get_running_loop().sock_connect(inner, ("127.0.0.1", target))
        inner_reader, inner_writer = await asyncio.open_connection(sock=inner, limit=_CHUNK_BYTES)
        for end in (writer, inner_writer):
            end.transport.set_write_buffer_limits(high=_BUFFER_BYTES)
        await asyncio.gather(_pump(inner_reader, writer, meters[0]), _pump(reader, inner_writer, meters[1]))

    listener = _socket()  # what it accepts takes its settings over
    listener.bind(("127.0.0.1", 0))
    server = await asyncio.start_server(forward, sock=listener, limit=_CHUNK_BYTES)
    numbers[4] = listener.getsockname()[1]
    await server.serve_forever()


def _socket() -> socket.socket:
    made = socket.socket()
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        made.setsockopt(socket.SOL_SOCKET, option, _BUFFER_BYTES)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, _SEGMENT_BYTES)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class _Meter:
    """A bucket that leaks at the rate: its highest level is the burst."""

    def __init__(self, numbers: Any, way: int, rate: float) -> None:
        self._numbers, self._way, self._rate = numbers, way, rate
        self._level, self._at = 0.0, time.monotonic()

    def count(self, size: int) -> None:
        now = time.monotonic()
        if not self._numbers[self._way]:
            self._level = 0.0
        self._level = max(0.0, self._level - self._rate * (now - self._at)) + size
        self._at = now
        self._numbers[self._way] += size
        self._numbers[2 + self._way] = max(self._numbers[2 + self._way], self._level)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, meter: _Meter) -> None:
    try:
        while data := await reader.read(_CHUNK_BYTES):
            writer.write(data)
            await writer.drain()
            meter.count(len(data))
    except ConnectionError:
        pass
    finally:
        writer.close()
