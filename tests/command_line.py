"""The command line: as a process, or inside this one where a process would add nothing but time."""

import os
import resource
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from subprocess import CompletedProcess, Popen
from typing import Any

import psutil
from typer.testing import CliRunner

from client import cli
from tests.waiting import DEADLINE

COMMAND = (sys.executable, "-c", "import sys; from client.cli import main; sys.argv[0] = 'idlebrush'; main()")
"""The command that starts it like the installed `idlebrush`, whose name appears in its output."""


def idlebrush(
    *arguments: object, environment: Mapping[str, str] = os.environ, types: str = ""
) -> CompletedProcess[str]:
    """Run `idlebrush` with a standard input that is no terminal, and return its output and exit status."""
    words = [str(argument) for argument in arguments]
    runner = CliRunner(env=environment)
    with runner.isolation(types) as (out, err, _):
        status = _status(words)
        sys.stdout.flush()
        sys.stderr.flush()
        return CompletedProcess(words, status, out.getvalue().decode(), err.getvalue().decode())


def _status(words: list[str]) -> int:
    try:
        cli.main(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


@contextmanager
def ended_by_then(
    process: "Popen[Any]", cpu_seconds: float, wall_seconds: float = DEADLINE
) -> Iterator[None]:
    """Fail unless a process ends, and takes at most so many seconds of the processor from the start of the context.

    On a busy machine more seconds pass, but what the process computes meanwhile stays the same. The seconds of the
    wall tell a process that waits from one that ends.
    """
    took = -sum(psutil.Process(process.pid).cpu_times()[:4]) - _cpu_seconds_of_ended()
    began = time.monotonic()
    yield
    process.wait(DEADLINE)
    assert time.monotonic() - began < wall_seconds, "it waited for a while"
    took += _cpu_seconds_of_ended()
    assert took < cpu_seconds, "it went on for a while"


def _cpu_seconds_of_ended() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime
