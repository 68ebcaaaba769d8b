"""Memory that connections which send nothing take at a bootstrap peer, and whether other peers still enter.

The peer is a DHT node of the swarm on loopback. A process opens the connections to its libp2p daemon at once and
waits until the daemon has closed all of them. Memory is the daemon's resident set: before, and its highest value
while they are open. Another node enters the swarm before they are opened (*alone*), and again right after (*beside*).
"""

import argparse
import multiprocessing
import resource
import selectors
import socket
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

import hivemind
import psutil

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity

COUNTS = (500, 5000)
REPEATS = 3
"""Nodes that are measured for each number of connections."""
_PREFIX = "benchmark"
_EPOCHS = 1000
_LOOK_SECONDS = 0.1
_LONGEST_SECONDS = 120.0
_SPARE_FILES = 100
_MB = 1e6


@dataclass(frozen=True)
class Silence:
    """Measurements of a number of silent connections."""

    opened_seconds: float
    """Seconds in which all were opened."""
    closed_seconds: float
    """Seconds from the moment when the last was opened until the daemon had closed all."""
    highest_rss: int
    """The daemon's largest resident set meanwhile, in bytes."""


def keep_silent(daemon: int, port: int, count: int, pipe: Pipe) -> None:
    """Open the connections, send True by the pipe, and send the measurements once all are closed."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count + _SPARE_FILES, hard), hard))
    began = time.monotonic()
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(count):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            selector.register(connection, selectors.EVENT_READ)
        opened = time.monotonic()
        pipe.send(True)
        highest = _await_closed(selector, psutil.Process(daemon), opened)
        pipe.send(Silence(opened - began, time.monotonic() - opened, highest))


def _await_closed(selector: selectors.BaseSelector, daemon: psutil.Process, opened: float) -> int:
    highest = daemon.memory_info().rss
    while selector.get_map():
        if time.monotonic() - opened > _LONGEST_SECONDS:
            raise TimeoutError(f"{len(selector.get_map())} connections were still open.")
        for key, _ in selector.select(_LOOK_SECONDS):
            assert isinstance(key.fileobj, socket.socket)
            if _has_ended(key.fileobj):
                selector.unregister(key.fileobj)
        highest = max(highest, daemon.memory_info().rss)
    return highest


def _has_ended(connection: socket.socket) -> bool:
    """Tell whether the other side has closed the connection; what it sends before is dropped."""
    try:
        return not connection.recv(4096)
    except ConnectionResetError:
        return True


def measure(count: int, folder: Path) -> dict[str, Any]:
    """Return a row of the report, measured at a new node."""
    first = _node(folder / "first", ())
    try:
        address = str(first.get_visible_maddrs()[0])
        alone = _entry_seconds(folder / "alone", address)
        daemon = _daemon_of(first)
        before = daemon.memory_info().rss
        silence, beside = _beside(daemon.pid, address, count, folder)
    finally:
        first.shutdown()
    return {
        "connections": count,
        "rss_mb_before": rounded(before / _MB),
        "rss_mb_highest": rounded(silence.highest_rss / _MB),
        "grown_mb": rounded((silence.highest_rss - before) / _MB, 3),
        "opened_in_s": rounded(silence.opened_seconds, 3),
        "closed_after_s": rounded(silence.closed_seconds, 3),
        "entered_alone_s": rounded(alone, 3),
        "entered_beside_s": rounded(beside, 3),
    }


def _beside(daemon: int, address: str, count: int, folder: Path) -> tuple[Silence, float]:
    """Return the measurements of the silent connections, and the seconds of an entry meanwhile."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    port = int(address.split("/tcp/")[1].split("/")[0])
    silent = context.Process(target=keep_silent, args=(daemon, port, count, sender), daemon=True)
    silent.start()
    sender.close()  # the receiver is at its end as soon as that process is
    assert receiver.recv()
    entered = _entry_seconds(folder / "beside", address)
    silence = receiver.recv()
    silent.join()
    assert isinstance(silence, Silence)
    return silence, entered


def _entry_seconds(folder: Path, address: str) -> float:
    began = time.monotonic()
    node = _node(folder, (address,))
    seconds = time.monotonic() - began
    node.shutdown()
    return seconds


def _node(folder: Path, initial_peers: Sequence[str]) -> hivemind.DHT:
    network = Network(initial_peers=tuple(initial_peers), check_identity=False)
    identity = PeerIdentity.load_or_create(folder)
    return start_dht(network, identity, prefix=_PREFIX, total_epochs=_EPOCHS)


def _daemon_of(node: hivemind.DHT) -> psutil.Process:
    """Return the libp2p daemon below the node's process."""
    [daemon] = [child for child in psutil.Process(node.pid).children() if "p2pd" in child.name()]
    return daemon


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    report = BenchmarkReport("silent_connections", __doc__ or "")
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            measure(count, Path(folder) / f"{count}-{repeat}")
            for count in COUNTS
            for repeat in range(REPEATS)
        ]
    report.write(rows, folder=given.out)


if __name__ == "__main__":
    main()
