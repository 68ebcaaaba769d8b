"""Front ends of a volunteer's daemon: the command line, in processes and terminals of its own."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from client.paths import HOME_VARIABLE
from tests.process_tree import MARK
from tests.volunteer import PATIENCE, Volunteer


def environment(person: Volunteer) -> Mapping[str, str]:
    own = {HOME_VARIABLE: str(person.home), "HOME": str(person.home), MARK: str(person.home)}
    return {**os.environ, **person.environment, **own}


def idlebrush(person: Volunteer, *words: str, types: str = "") -> "subprocess.CompletedProcess[str]":
    with begun(person, *words) as process:
        out, err = process.communicate(types, PATIENCE)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


@contextmanager
def begun(person: Volunteer, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """The command while it runs; it is gone afterwards."""
    with subprocess.Popen(
        [sys.executable, "-m", "client.cli", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(person),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@dataclass
class Terminal:
    """A command in a terminal, and what it has drawn."""

    process: "subprocess.Popen[bytes]"
    device: int
    drawn: str = ""

    def read_until(self, words: str) -> None:
        """Return once it has drawn the words since the last call."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.drawn:
            assert time.monotonic() < deadline, self.drawn
            if select.select([self.device], [], [], 1.0)[0]:
                self.drawn += os.read(self.device, 65_536).decode(errors="replace")
        self.drawn = self.drawn.rpartition(words)[2]


@contextmanager
def in_terminal(person: Volunteer, *words: str) -> Iterator[Terminal]:
    """The command in a terminal of its own, gone afterwards."""
    device, end = pty.openpty()
    own = {**environment(person), "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(
        [sys.executable, "-m", "client.cli", *words],
        stdin=end,
        stdout=end,
        stderr=end,
        env=own,
        start_new_session=True,
    ) as process:
        os.close(end)
        try:
            yield Terminal(process, device)
        finally:
            process.kill()
            os.close(device)
