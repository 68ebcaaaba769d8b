"""Programs of the product on the computers of an emulated Internet, heard by the messages that they send."""

import multiprocessing
import os
import runpy
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

import psutil
from pydantic import TypeAdapter

from benchmarks.internet.emulation import EmulatedComputer
from core.messages.lines import Message, decode, encode
from tests.swarms.hivemind_locks import own_locks
from tests.swarms.networked_process import enter
from tests.waiting import DEADLINE, wait_until

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["core.trainer.train"])  # as for trainer processes: there is one such server
Kind = TypeVar("Kind")


class HomeProgram:
    """A child process as the daemon or the coordinator starts it, on another computer.

    It is forked by a server that has imported PyTorch and hivemind, which takes most of a start, and runs the program
    from its first line, with input, output and locks of its own.
    """

    def __init__(
        self, computer: EmulatedComputer, module: str, start: Message, kinds: TypeAdapter[Any], log: Path
    ) -> None:
        """Start ``module`` with its first message; it speaks ``kinds``, and logs to ``log``."""
        self.log, self.heard = log, list[Any]()
        orders, self._orders = _CONTEXT.Pipe(duplex=False)
        self._messages, messages = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=_run, args=(computer.namespace, module, orders, messages, log)
        )
        self._process.start()
        orders.close()
        messages.close()
        self.send(start)
        threading.Thread(target=self._listen, args=(kinds,), daemon=True).start()

    def send(self, message: Message) -> None:
        os.write(self._orders.fileno(), encode(message))

    def _listen(self, kinds: TypeAdapter[Any]) -> None:
        with os.fdopen(os.dup(self._messages.fileno()), "rb") as lines:
            for line in lines:
                self.heard.append(decode(line, kinds))

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the messages of a kind so far."""
        return [message for message in tuple(self.heard) if isinstance(message, kind)]

    def wait_for(self, kind: type[Kind], seconds: float = 120.0) -> Kind:
        """Wait for the first message of a kind, and return it."""
        wait_until(
            lambda: bool(self.of(kind)) or not self._process.is_alive(),
            f"{self.log.stem} does not say {kind.__name__}",
            seconds,
        )
        assert self.of(kind), self.log.read_text()[-4000:]
        return self.of(kind)[0]

    def kill(self) -> None:
        """SIGKILL to the process and all that it started, as a computer's end is."""
        with suppress(psutil.NoSuchProcess):
            family = psutil.Process(self._process.pid).children(recursive=True)
            self._process.kill()
            for process in family:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.join(DEADLINE)


def _run(namespace: str, module: str, orders: Connection, messages: Connection, log: Path) -> None:
    """Run ``module`` in the network ``namespace``, as ``python -m`` would."""
    multiprocessing.set_start_method("fork", force=True)  # for what it starts itself: hivemind forks
    own_locks()
    enter(namespace)
    with log.open("a") as errors:
        for given, standard in ((orders, 0), (messages, 1), (errors, 2)):
            os.dup2(given.fileno(), standard)
    orders.close()
    messages.close()
    runpy.run_module(module, run_name="__main__", alter_sys=True)
