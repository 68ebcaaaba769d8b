"""One of the coordinator's own peers in a process of its own, ended in order or killed as a test wants it."""

import os
import signal
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psutil
from pydantic import TypeAdapter

from coordinator.messages import FROM_BOOTSTRAP, FROM_PEER, PeerReady
from core.children.outcome import Outcome
from core.children.program import Program
from core.children.supervisor import Supervisor
from core.messages.children import BootstrapReady
from core.messages.lines import Message
from tests.processes.loop_thread import LoopThread
from tests.waiting import wait_until


class PeerProcess:
    """One life of it; ``messages`` are its messages so far."""

    def __init__(self, loop: LoopThread, name: str, start: Message, log: Path) -> None:
        self._loop, self._name, self.log = loop, name, log
        log.parent.mkdir(parents=True, exist_ok=True)
        self.messages: list[Message] = []
        is_bootstrap = name == "bootstrap"
        module = "coordinator.bootstrap" if is_bootstrap else f"coordinator.{name}.process"
        program = Program(name, module, start, log)
        self._supervisor = loop.do(self._supervise(program, FROM_BOOTSTRAP if is_bootstrap else FROM_PEER))
        self._run: Future[Outcome] = loop.begin(self._supervisor.run(self.messages.append))

    @staticmethod
    async def _supervise(program: Program, kinds: TypeAdapter[Any]) -> Supervisor[Any]:
        return Supervisor(program, kinds)

    def wait_until_ready(self) -> None:
        wait_until(lambda: self._is_ready() or self._run.done(), f"the {self._name} does not start", 60)
        assert self._is_ready(), self.log.read_text()

    def _is_ready(self) -> bool:
        return any(isinstance(message, PeerReady | BootstrapReady) for message in self.messages)

    def send(self, message: Message) -> None:
        self._loop.do(self._supervisor.send(message))

    def kill(self) -> None:
        """SIGKILL to the process that works; its guard ends what it had started."""
        assert self._supervisor.child is not None
        os.kill(self._supervisor.child, signal.SIGKILL)
        self._run.result(30)

    def descendants(self) -> list[psutil.Process]:
        """Return the processes that the process has started: they speak with the swarm."""
        assert self._supervisor.child is not None
        found = psutil.Process(self._supervisor.child).children(recursive=True)
        return [process for process in found if process.name() != "torch_shm_manager"]

    def outcome(self) -> Outcome:
        """Wait until it ends by itself, and return its outcome."""
        return self._run.result(60)

    def stop(self) -> Outcome:
        if not self._run.done():
            self._loop.do(self._supervisor.stop(timeout=30))
        return self._run.result(30)
