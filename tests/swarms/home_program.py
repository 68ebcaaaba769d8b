"""Programs of the product on the computers of an emulated Internet, heard by the messages that they send."""

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any, TypeVar

import psutil
from pydantic import TypeAdapter

from benchmarks.internet.emulation import EmulatedComputer
from core.messages.lines import Message, decode, encode
from tests.waiting import wait_until

Kind = TypeVar("Kind")


class HomeProgram:
    """A child process as the daemon or the coordinator starts it, on another computer."""

    def __init__(
        self, computer: EmulatedComputer, module: str, start: Message, kinds: TypeAdapter[Any], log: Path
    ) -> None:
        """Start ``module`` with its first message; it speaks ``kinds``, and logs to ``log``."""
        self.log, self.heard = log, list[Any]()
        with log.open("a") as errors:
            self._process: Popen[str] = computer.start(
                (sys.executable, "-m", module), environment={"OMP_NUM_THREADS": "1"}, errors=errors
            )
        self.send(start)
        threading.Thread(target=self._listen, args=(kinds,), daemon=True).start()

    def send(self, message: Message) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(encode(message).decode())
        self._process.stdin.flush()

    def _listen(self, kinds: TypeAdapter[Any]) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.heard.append(decode(line.encode(), kinds))

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the messages of a kind so far."""
        return [message for message in tuple(self.heard) if isinstance(message, kind)]

    def wait_for(self, kind: type[Kind], seconds: float = 120.0) -> Kind:
        """Wait for the first message of a kind, and return it."""
        wait_until(
            lambda: bool(self.of(kind)) or self._process.poll() is not None,
            f"{self.log.stem} does not say {kind.__name__}",
            seconds,
        )
        assert self.of(kind), self.log.read_text()[-4000:]
        return self.of(kind)[0]

    def kill(self) -> None:
        """SIGKILL to the process and all that it started, as a computer's end is."""
        with suppress(psutil.NoSuchProcess):
            family = psutil.Process(self._process.pid).children(recursive=True)
            os.kill(self._process.pid, signal.SIGKILL)
            for process in family:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.communicate()
