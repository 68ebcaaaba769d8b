"""A command under test with all the processes below it, found by a mark that they inherit, and reaped for sure."""

import os
import re
import select
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psutil

from core.children import processes

MARK = "IDLEBRUSH_TEST"


@dataclass
class ProcessTree:
    """A running command and what it has written so far."""

    process: subprocess.Popen[str]
    mark: str
    lines: list[str] = field(default_factory=list)

    def wait_for(self, pattern: str) -> str:
        """Read on until a line matches, and return it."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            if re.search(pattern, line):
                return line
        raise AssertionError(f"it ended without {pattern!r}:\n{self.output}")

    def end(self) -> int:
        """Read to the end; the exit status."""
        assert self.process.stdout
        self.lines.extend(self.process.stdout)
        return self.process.wait()

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def alive(self) -> set[int]:
        return {process.pid for process in processes.marked(MARK, self.mark)}

    def running(self, module: str) -> list[int]:
        """The processes that were started as that module; not what they forked."""
        found = {process.pid: process for process in processes.marked(MARK, self.mark)}
        running = {pid for pid in found if _module(pid) == module}
        return sorted(pid for pid in running if found[pid].parent not in running)

    def vanishes(self, pids: set[int], seconds: float) -> bool:
        """Return true if all of these end within that many seconds, and what they started meanwhile does too."""
        deadline = time.monotonic() + seconds
        while pids:
            if not all(_ends(pid, max(0.0, deadline - time.monotonic())) for pid in pids):
                return False
            pids = self.alive()
        return True

    def describe(self) -> str:
        """Return the processes that are alive, for the message of a failure."""
        return "\n".join(f"{pid} {_command_line_of(pid)}" for pid in self.alive())


@contextmanager
def started(*command: object) -> Iterator[ProcessTree]:
    """Run this Python with those arguments; nothing of it is left afterwards."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, MARK: mark},
    )
    tree = ProcessTree(process, mark)
    try:
        yield tree
    finally:
        for pid in tree.alive():
            processes.kill(pid)
        process.wait()
        assert process.stdout
        process.stdout.close()


def _ends(pid: int, seconds: float) -> bool:
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([watched], [], [], seconds)
    os.close(watched)
    return bool(ended)


def _module(pid: int) -> str | None:
    words = _command_line_of(pid)
    return words[words.index("-m") + 1] if "-m" in words else None


def _command_line_of(pid: int) -> list[str]:
    """Return the words of the command line of the process with that id; none once it has ended."""
    with suppress(psutil.NoSuchProcess):
        return command_line(psutil.Process(pid))
    return []


def command_line(process: psutil.Process) -> list[str]:
    """Return the words of a process's command line; none once it has ended."""
    with suppress(psutil.NoSuchProcess):
        return process.cmdline()
    return []
