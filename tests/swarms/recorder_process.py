"""Recorders of a coordinator's folder, one after the other, and the database that they write to."""

from collections.abc import Iterator
from contextlib import contextmanager

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.messages import StartRecorder
from tests.processes.loop_thread import LoopThread
from tests.swarms.peer_process import PeerProcess


class Recorders:
    """Those of one folder."""

    def __init__(self, home: Home, loop: LoopThread) -> None:
        self.home, self._loop = home, loop
        self.database = Database.open(home.database_url({}))
        self.lives: list[PeerProcess] = []

    def start(self, initial_peers: tuple[str, ...], **told: str) -> PeerProcess:
        start = StartRecorder(
            home=self.home.root,
            initial_peers=initial_peers,
            database=told.pop("database", self.home.database_url({})),
            admission=told.pop("admission", None),
        )
        self.lives.append(PeerProcess(self._loop, "recorder", start, self.home.log("recorder")))
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
