"""Measures a line from a computer at its end: round-trip time, and bytes a second each way, by TCP.

``python -m benchmarks.internet.probe serve`` answers on any computer; ``... measure HOST SECONDS`` prints one line of
JSON, as `ProbeResult` has it.
"""

import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.internet.emulation import EmulatedComputer

PORT = 7007
_ECHOES = 7
_WARM_UP_SECONDS = 1.0
_CHUNK = bytes(1 << 16)
_ECHO, _UP, _DOWN = b"e", b"u", b"d"


@dataclass(frozen=True)
class ProbeResult:
    """The line of one computer, as TCP finds it."""

    round_trip: float
    """Seconds of the median round trip on the idle line."""
    up: float
    """Mbit/s of data from the computer, without the headers of TCP and IP."""
    down: float
    """Mbit/s of data to the computer."""


def measure(host: str, seconds: float) -> ProbeResult:
    """Measure the line to ``host``, where `serve` answers, for about ``seconds`` each way."""
    return ProbeResult(_round_trip(host), _up(host, seconds), _down(host, seconds))


def _round_trip(host: str) -> float:
    taken = []
    with _connected(host, _ECHO) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(_ECHOES):
            began = time.monotonic()
            connection.sendall(b"?")
            connection.recv(1)
            taken.append(time.monotonic() - began)
    return median(taken)


def _up(host: str, seconds: float) -> float:
    """Send for some seconds; the other side counts what arrives, until all has."""
    with _connected(host, _UP) as connection:
        deadline = time.monotonic() + _WARM_UP_SECONDS + seconds
        while time.monotonic() < deadline:
            connection.sendall(_CHUNK[: 1 << 13])
        connection.shutdown(socket.SHUT_WR)
        counted = json.loads(b"".join(_all(connection)))
        return float(counted["bytes"] * 8e-6 / counted["seconds"])


def _down(host: str, seconds: float) -> float:
    with _connected(host, _DOWN) as connection:
        _received(connection, _WARM_UP_SECONDS)  # which fills buffers faster than the line is
        _take_what_waits(connection)
        return _received(connection, seconds)


def _received(connection: socket.socket, seconds: float) -> float:
    """Receive for that long; return the Mbit/s. Raises ConnectionError if the other side ends."""
    began, received = time.monotonic(), 0
    while time.monotonic() < began + seconds:
        data = connection.recv(1 << 16)
        if not data:
            raise ConnectionError("the other side of the measurement has ended")
        received += len(data)
    return received * 8e-6 / (time.monotonic() - began)


def _take_what_waits(connection: socket.socket) -> None:
    """Receive what has arrived already.

    A process that had to wait for a core would count it as of the time that follows, and find a line too fast.
    """
    timeout = connection.gettimeout()
    connection.setblocking(False)
    with suppress(BlockingIOError):
        while connection.recv(1 << 16):
            pass
    connection.settimeout(timeout)


@contextmanager
def _connected(host: str, kind: bytes) -> Iterator[socket.socket]:
    with socket.create_connection((host, PORT), timeout=60) as connection:
        connection.sendall(kind)
        yield connection


def _all(connection: socket.socket) -> Iterator[bytes]:
    while data := connection.recv(1 << 16):
        yield data


def serve() -> None:
    """Answer measurements until the process is killed; "ready" is printed first."""
    with socket.create_server(("0.0.0.0", PORT)) as server:
        print("ready", flush=True)
        while True:
            connection, _ = server.accept()
            threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    with connection, suppress(OSError):
        kind = connection.recv(1)
        if kind == _ECHO:
            while data := connection.recv(1):
                connection.sendall(data)
        elif kind == _DOWN:
            while True:
                connection.sendall(_CHUNK)
        elif kind == _UP:
            connection.sendall(_count(connection))


def _count(connection: socket.socket) -> bytes:
    """Receive to the end; return as JSON what came after the first second, which fills buffers, and in what time."""
    began = time.monotonic()
    while time.monotonic() < began + _WARM_UP_SECONDS and connection.recv(1 << 16):
        pass
    _take_what_waits(connection)
    began, received = time.monotonic(), 0
    while data := connection.recv(1 << 16):
        received += len(data)
    return json.dumps({"bytes": received, "seconds": time.monotonic() - began}).encode()


@contextmanager
def served(computer: "EmulatedComputer") -> Iterator[None]:
    """Answer measurements on ``computer`` meanwhile."""
    server = computer.start((sys.executable, "-m", "benchmarks.internet.probe", "serve"))
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        yield
    finally:
        server.kill()
        server.communicate()


def measured_from(computer: "EmulatedComputer", host: str, seconds: float) -> ProbeResult:
    """Return what `measure` finds when it runs on ``computer``."""
    command = (sys.executable, "-m", "benchmarks.internet.probe", "measure", host, str(seconds))
    return ProbeResult(**json.loads(computer.run(*command, seconds=10 * seconds + 60)))


def main() -> None:
    """Serve, or measure and print the result."""
    match sys.argv[1:]:
        case ["serve"]:
            serve()
        case ["measure", host, seconds]:
            print(json.dumps(asdict(measure(host, float(seconds)))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
