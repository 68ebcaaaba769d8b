"""Runs one program to its end, within a time limit, with its output in a log."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.excerpt import excerpt

_OUTPUT = 65_536
"""Bytes of the output's end that are returned."""
_LOG = 16 << 20
"""Bytes of the log at which it begins again."""
_POLL = 0.05
_FOREIGN = ("PYTHON", "PIP_", "UV_", "VIRTUAL_ENV", "CONDA_")
"""Beginnings of variables that would lead an installer or Python elsewhere."""


@dataclass(frozen=True)
class ProgramEnd:
    """The end of a program."""

    status: int | None
    """Exit status, negative after a signal; None: it took longer than it may, and was killed."""
    output: str
    """The end of its standard output and error."""

    @property
    def last_line(self) -> str:
        """The last line that says something, for people; empty: none does."""
        lines = [line for line in self.output.splitlines() if line.strip()]
        return excerpt(lines[-1].strip()) if lines else ""


class ProgramRunner:
    """Starts programs that know nothing of this process's own Python."""

    def __init__(
        self,
        log: Path,
        temporary: Path,
        environment: Mapping[str, str] = os.environ,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare to run programs.

        Args:
            log: File that their output is appended to.
            temporary: Folder for their temporary files; it is made.
            environment: Variables of this process, from which theirs are made.
            check: Called several times a second while a program runs; whatever it raises ends the program.
        """
        self._log, self._check = log, check
        self.temporary = temporary
        """Folder for the programs' temporary files."""
        self._environment = {
            name: value for name, value in environment.items() if not name.upper().startswith(_FOREIGN)
        }

    def run(
        self, command: Sequence[str], seconds: float, tick: Callable[[], None] = lambda: None
    ) -> ProgramEnd:
        """Run a program and wait for its end.

        Args:
            command: Program and arguments.
            seconds: Time limit, after which it is killed.
            tick: Called several times a second while it runs.

        Raises OSError if it cannot be started.
        """
        self.temporary.mkdir(parents=True, exist_ok=True)
        names = ("TMPDIR", "TEMP", "TMP")
        variables = {**self._environment, **dict.fromkeys(names, str(self.temporary))}
        with self._log.open("ab") as log:
            if log.tell() > _LOG:
                log.truncate(0)
            log.write(f"$ {subprocess.list2cmdline(command)}\n".encode())
            log.flush()
            begin = self._log.stat().st_size
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=variables
            )
            status = self._wait(process, seconds, tick)
        return ProgramEnd(status, self._output(begin))

    def _wait(
        self, process: "subprocess.Popen[bytes]", seconds: float, tick: Callable[[], None]
    ) -> int | None:
        until = time.monotonic() + seconds
        try:
            while process.poll() is None:
                if time.monotonic() >= until:
                    return None
                self._check()
                tick()
                time.sleep(_POLL)
            return process.returncode
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()

    def _output(self, begin: int) -> str:
        with self._log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(begin, end - _OUTPUT))
            return log.read(_OUTPUT).decode(errors="replace")
