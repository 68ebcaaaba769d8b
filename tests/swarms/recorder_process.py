"""Recorders of a coordinator's folder, one after the other, and the database that they write to."""

from collections.abc import Iterator
from contextlib import contextmanager

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.messages import StartRecorder
from coordinator.settings import Settings
from tests.processes.loop_thread import LoopThread
from tests.swarms.peer_process import PeerProcess


class Recorders:
    """The recorders of one folder, which write to the database at that address."""

    def __init__(self, home: Home, loop: LoopThread, address: str) -> None:
        self.home, self._loop, self._address = home, loop, address
        self.database = Database.open(address)
        if not home.settings.exists():
            Settings().save(home.settings)
        self.lives: list[PeerProcess] = []

    def start(self, initial_peers: tuple[str, ...], **options: str) -> PeerProcess:
        start = StartRecorder(
            home=self.home.root,
            initial_peers=initial_peers,
            database=options.pop("database", self._address),
            admission=options.pop("admission", None),
        )
        self.lives.append(PeerProcess(self._loop, "recorder", start, self.home.log("recorder")))
        return self.lives[-1]


@contextmanager
def recorders(home: Home, address: str | None = None) -> Iterator[Recorders]:
    """Recorders that write to the database at ``address``, or else to the file in the coordinator's folder."""
    loop = LoopThread()
    found = Recorders(home, loop, address or home.database_url({}))
    try:
        yield found
    finally:
        for life in found.lives:
            life.stop()
        loop.end()
        found.database.close()
