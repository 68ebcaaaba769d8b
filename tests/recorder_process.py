"""A recorder in a process of its own, in a coordinator's folder, ended in order or killed as a test wants it."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.messages import FROM_PEER, PeerMessage, PeerReady, StartRecorder
from core.children.outcome import Outcome
from core.children.supervisor import Program, Supervisor
from core.lines import Message
from tests.loop_thread import LoopThread
from tests.waiting import wait_until


class RecorderProcess:
    """One life of a recorder; ``said`` are its messages so far."""

    def __init__(self, loop: LoopThread, home: Home, initial_peers: tuple[str, ...], **told: str) -> None:
        start = StartRecorder(
            home=home.root,
            initial_peers=initial_peers,
            database=told.pop("database", home.database_url({})),
            admission=told.pop("admission", None),
        )
        self._loop, self.log = loop, home.log("recorder")
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.said: list[PeerMessage] = []
        self._supervisor = loop.do(
            self._supervise(Program("recorder", "coordinator.recorder.process", start, self.log))
        )
        self._run: Future[Outcome] = loop.begin(self._supervisor.run(self.said.append))

    @staticmethod
    async def _supervise(program: Program) -> Supervisor[PeerMessage]:
        return Supervisor(program, FROM_PEER)

    def wait_until_ready(self) -> None:
        wait_until(lambda: self._is_ready() or self._run.done(), "the recorder does not start", 60)
        assert self._is_ready(), self.log.read_text()

    def _is_ready(self) -> bool:
        return any(isinstance(message, PeerReady) for message in self.said)

    def send(self, message: Message) -> None:
        self._loop.do(self._supervisor.send(message))

    def kill(self) -> None:
        """SIGKILL to the process that records; its guard ends what it had started."""
        assert self._supervisor.child is not None
        os.kill(self._supervisor.child, signal.SIGKILL)
        self._run.result(30)

    def stop(self) -> Outcome:
        if not self._run.done():
            self._loop.do(self._supervisor.stop(timeout=8))
        return self._run.result(30)


class Recorders:
    """Recorders of one folder, one after the other, and the database that they write to."""

    def __init__(self, home: Home, loop: LoopThread) -> None:
        self.home, self._loop = home, loop
        self.database = Database.open(home.database_url({}))
        self.lives: list[RecorderProcess] = []

    def start(self, initial_peers: tuple[str, ...], **told: str) -> RecorderProcess:
        self.lives.append(RecorderProcess(self._loop, self.home, initial_peers, **told))
        return self.lives[-1]


@contextmanager
def recorders(home: Home) -> Iterator[Recorders]:
    loop = LoopThread()
    found = Recorders(home, loop)
    try:
        yield found
    finally:
        for life in found.lives:
            life.stop()
        loop.end()
        found.database.close()
