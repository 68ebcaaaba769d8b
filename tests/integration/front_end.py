"""Front ends of a volunteer's daemon: the command line, in this process, or in processes and terminals of its own."""

import contextlib
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from client.paths import HOME_VARIABLE
from tests import command_line
from tests.gate.served_gate import ServedGate
from tests.processes.process_tree import MARK
from tests.volunteer import PATIENCE, VolunteerMachine

FLAGS = ("--yes", "--no-measure", "--keep", "file")
"""Options that join a run without any question except the gate's."""


def environment(person: VolunteerMachine) -> Mapping[str, str]:
    own = {HOME_VARIABLE: str(person.home), "HOME": str(person.home), MARK: str(person.home)}
    return {**os.environ, **person.environment, **own}


def idlebrush(person: VolunteerMachine, *words: str, types: str = "") -> "subprocess.CompletedProcess[str]":
    with begun(person, *words) as process:
        out, err = process.communicate(types, PATIENCE)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def said(person: VolunteerMachine, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of theirs in this process, where one of its own would add nothing but its start."""
    return command_line.idlebrush(*words, environment=environment(person))


@contextmanager
def begun(person: VolunteerMachine, *words: str) -> Iterator["subprocess.Popen[str]"]:
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


def join(person: VolunteerMachine, gate: ServedGate, *words: str) -> str:
    """Run `idlebrush join`, enter the code that it shows, and return its output."""
    with begun(person, "join", gate.link(), *FLAGS, "--no-browser", *words) as joining:
        assert joining.stdout
        output = ""
        while not (code := re.search(r"enter the code (\S+) before", output)):
            line = joining.stdout.readline()
            assert line, f"{output}{joining.stderr and joining.stderr.read()}"
            output += line
        gate.hub.approve(code[1], person.home.name)
        rest, errors = joining.communicate(timeout=90)
    assert joining.returncode == 0, errors
    return output + rest


@dataclass
class Terminal:
    """A command in a terminal, which takes what is drawn at once, as terminals do: a full one would stop it."""

    process: "subprocess.Popen[bytes]"
    device: int
    _drawn: bytes = b""
    _more: threading.Condition = field(default_factory=threading.Condition)

    def read_until(self, words: str) -> None:
        """Return once it has drawn the words since the last call."""
        sought = words.encode()
        with self._more:
            assert self._more.wait_for(lambda: sought in self._drawn, PATIENCE), self._drawn
            self._drawn = self._drawn.rpartition(sought)[2]

    def take(self) -> None:
        """All that is drawn, until nobody is left who could draw."""
        with contextlib.suppress(OSError):
            while drawn := os.read(self.device, 65_536):
                with self._more:
                    self._drawn += drawn
                    self._more.notify_all()


@contextmanager
def in_terminal(person: VolunteerMachine, *words: str) -> Iterator[Terminal]:
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
        terminal = Terminal(process, device)
        reader = threading.Thread(target=terminal.take)
        reader.start()
        try:
            yield terminal
        finally:
            process.kill()
            reader.join()
            os.close(device)
