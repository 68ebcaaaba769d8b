"""Sends a daemon random and mutated messages, and measures that it neither ends, nor grows, nor gives a secret away.

Beside them, front ends that watch and never read, and one that never finishes its line, are there all the time.
Memory is the daemon's resident set, first read once a tenth of the messages has been sent. The daemon is a
process of its own, in folders that are removed afterwards. It is not sent whole requests to quit, nor to leave its
run, nor to sign in or out or to draw, for each of which it would start a process. With --run it trains that run
whenever it was not told to pause last, and has to train once the noise is over; the results are then named
``control_fuzz_training``.
"""

import argparse
import os
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.subjects.control_noise import SECRET, Noise
from client.api.answers import ANSWERS, Status
from client.api.commands import Generate, Join, Leave, Quit, Resume, SetPreference, SignIn, SignOut
from client.api.connection import Connection
from client.api.endpoint import local_endpoint
from client.api.launch import DaemonProgram, ensure_daemon
from client.api.questions import GetStatus, Watch
from client.api.requests import AnyRequest
from client.api.snapshot import Activity
from client.paths import HOME_VARIABLE, Paths
from core.messages.lines import decode, encode

BURST = 8
"""Malformed lines of one connection, all of which are read before the daemon ends it."""
_PARTS = 10
_NON_READERS = 8
_SECONDS = 30.0
_SPARED = (Quit, SignIn, SignOut, Leave, Generate)
_MIB = 2**20


class GaveAway(AssertionError):
    """An answer held the secret."""


@dataclass(frozen=True)
class ProcessReading:
    """The daemon's process after some messages."""

    messages: int
    answers: dict[str, int]
    rss_mib: float
    files: int
    threads: int
    cpu_seconds: float


def attack(
    paths: Paths, messages: int, seed: int, spared: tuple[type[AnyRequest], ...]
) -> Iterator[ProcessReading]:
    """Send that many messages to the daemon, and read it after each tenth; raises as soon as it misbehaves."""
    noise, answers = Noise(seed, spared), Counter[str]()
    daemon = _daemon(paths)
    with bystanders(paths):
        for part in range(1, _PARTS + 1):
            for _ in range(messages // _PARTS // BURST):
                answers += _burst(paths, b"".join(noise.line() for _ in range(BURST)))
            if _daemon(paths).pid != daemon.pid:
                raise AssertionError("the daemon was replaced")
            yield _reading(daemon, messages * part // _PARTS, answers)


def _burst(paths: Paths, lines: bytes) -> Counter[str]:
    """Send the lines by a connection of their own, and count the answers by their kind."""
    answers, received = Counter[str](), b""
    with local_endpoint(paths.socket).connect(_SECONDS) as connection:
        try:
            connection.sendall(lines)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
        except (BrokenPipeError, ConnectionResetError):
            answers["cut off"] += 1  # by the daemon, before it had read all
    if SECRET.encode() in received:
        raise GaveAway(received)
    answers.update(decode(line, ANSWERS).type for line in received.splitlines(keepends=True))
    return answers


def _daemon(paths: Paths) -> psutil.Process:
    """Return the process that answers in time, as every user of the daemon would see it."""
    with Connection.open(paths.socket, _SECONDS) as connection:
        answer = connection.ask(GetStatus(), _SECONDS)
    assert isinstance(answer, Status)
    return psutil.Process(answer.snapshot.pid)


@contextmanager
def bystanders(paths: Paths) -> Iterator[None]:
    """Keep front ends that watch and never read, and one that never finishes its first line, within the block."""
    with ExitStack() as stack:
        for line in [*[encode(Watch())] * _NON_READERS, b'{"type": "sta']:
            connection = stack.enter_context(local_endpoint(paths.socket).connect(_SECONDS))
            connection.sendall(line)
        yield


def _reading(daemon: psutil.Process, messages: int, answers: Counter[str]) -> ProcessReading:
    times = daemon.cpu_times()
    return ProcessReading(
        messages=messages,
        answers=dict(answers),
        rss_mib=rounded(daemon.memory_info().rss / _MIB),
        files=daemon.num_fds(),
        threads=daemon.num_threads(),
        cpu_seconds=rounded(times.user + times.system),
    )


@contextmanager
def training(paths: Paths, run: Path) -> Iterator[None]:
    """Let the daemon train the run in the folder ``run``, both before the block and after it."""
    with Connection.open(paths.socket, _SECONDS) as connection:
        connection.ask(SetPreference(name="run-mode", value="always"))
        connection.ask(Join(folder=str(run)))
    yield
    with Connection.open(paths.socket, _SECONDS) as connection:
        connection.ask(Resume(), _SECONDS)
        for snapshot in connection.watch():
            if snapshot.activity is Activity.TRAINING:
                return


@contextmanager
def daemon_of(module: str, folder: Path) -> Iterator[Paths]:
    """Start a daemon of ``module`` in ``folder``, yield its paths, and end it with the block."""
    environment = {
        **os.environ,
        HOME_VARIABLE: str(folder),
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "HF_ENDPOINT": "http://127.0.0.1:9",
    }
    paths = Paths.of_user(environment)
    with ensure_daemon(paths, _SECONDS, program=DaemonProgram(module, environment)) as connection:
        answer = connection.ask(GetStatus())
        assert isinstance(answer, Status)
        daemon = psutil.Process(answer.snapshot.pid)
    try:
        yield paths
        with Connection.open(paths.socket) as connection:
            connection.ask(Quit(), _SECONDS)
        daemon.wait(_SECONDS)
    finally:
        if daemon.is_running():
            daemon.kill()
            daemon.wait(_SECONDS)


def _row(reading: ProcessReading, seconds: float) -> dict[str, Any]:
    return {
        "messages": reading.messages,
        **{f"answers_{kind}": reading.answers.get(kind, 0) for kind in ("done", "refused", "snapshot")},
        "cut_off": reading.answers.get("cut off", 0),
        "rss_mib": reading.rss_mib,
        "open_files": reading.files,
        "threads": reading.threads,
        "daemon_cpu_seconds": reading.cpu_seconds,
        "seconds": rounded(seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", default="client.daemon", help="what is run as the daemon")
    parser.add_argument(
        "--run", type=Path, help="the folder of a run that was joined, for the daemon to train"
    )
    arguments = parser.parse_args()
    report = BenchmarkReport("control_fuzz_training" if arguments.run else "control_fuzz", __doc__ or "")
    start = time.monotonic()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        paths = stack.enter_context(daemon_of(arguments.module, Path(folder)))
        if arguments.run:
            stack.enter_context(training(paths, arguments.run))
        rows = [
            _row(reading, time.monotonic() - start)
            for reading in attack(paths, arguments.messages, arguments.seed, _SPARED)
        ]
    report.write(
        rows,
        folder=arguments.out,
        seed=arguments.seed,
        module=arguments.module,
        trains=bool(arguments.run),
        grown_mib=rounded(rows[-1]["rss_mib"] - rows[0]["rss_mib"]),
    )


if __name__ == "__main__":
    main()
