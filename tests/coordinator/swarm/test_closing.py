"""The coordinator's peers end in order while a call of theirs is unanswered, and none of their threads crashes."""

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from coordinator.home import Home
from coordinator.messages import StartPublisher, StartRecorder
from coordinator.settings import Settings
from core.children.outcome import Ending
from core.messages.children import StartBootstrap
from core.messages.lines import Message
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.membership.summariser import Summariser
from core.swarm.wire.identity import PeerIdentity
from tests.processes.loop_thread import LoopThread
from tests.swarms.peer_process import PeerProcess
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import wait_until

ANY_PORT = "/ip4/127.0.0.1/tcp/0"
PATIENCE = 30.0
"""Seconds in which each must have ended in order, even if its own processes hang, which hivemind waits for."""
SILENT_SECONDS = 2.5
"""Seconds after which a peer waits for an answer: it looks about every second, and a call takes three."""
PROCESSES = {"recorder": 2, "publisher": 3, "bootstrap": 3}
"""Processes of each peer that speak with the swarm: the DHT's, its libp2p daemon, and the averager's."""


class SilentEntrance:
    """A node by which others enter, whose processes the test stops: it takes connections and answers nothing."""

    def __init__(self, folder: Path, manifest: RunManifest) -> None:
        identity = PeerIdentity.load_or_create(folder / "entrance")
        self.dht = start_dht(
            Network((ANY_PORT,), check_identity=False, upnp=False),
            identity,
            prefix=manifest.dht_prefix,
            total_epochs=manifest.training.schedule.total_epochs,
        )
        self.addresses = tuple(map(str, self.dht.get_visible_maddrs()))
        node = psutil.Process(self.dht.pid)
        self.processes = [node, *node.children(recursive=True)]

    def close(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
        self.dht.shutdown()


def silence(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        process.send_signal(signal.SIGSTOP)


@pytest.fixture
def crashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the threads that ended with an error."""
    found = list[str]()
    monkeypatch.setattr(threading, "excepthook", lambda told: found.append(str(told.thread)))
    return found


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    write_tiny_run(made.manifest.parent)
    Settings().save(made.settings)
    return made


@pytest.fixture
def entrance(tmp_path: Path, home: Home) -> Iterator[SilentEntrance]:
    made = SilentEntrance(tmp_path, RunManifest.load(home.manifest))
    yield made
    made.close()


@contextmanager
def running(home: Home, entrance: SilentEntrance, name: str) -> Iterator[PeerProcess]:
    """The peer of that name in a process of its own, once it has entered."""
    loop = LoopThread()
    process = PeerProcess(loop, name, _start(home, entrance, name), home.log(name))
    try:
        process.wait_until_ready()
        yield process
    finally:
        process.stop()
        loop.end()


def _start(home: Home, entrance: SilentEntrance, name: str) -> Message:
    if name == "bootstrap":
        return StartBootstrap(
            manifest=home.manifest,
            listen=(ANY_PORT,),
            identity=home.root / "bootstrap",
            initial_peers=entrance.addresses,
            auxiliary=True,
        )
    root, known, database = home.root, entrance.addresses, home.database_url({})
    if name == "publisher":
        return StartPublisher(home=root, initial_peers=known, listen=(ANY_PORT,), database=database)
    return StartRecorder(home=root, initial_peers=known, database=database)


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("recorder", "the entrance's"),
        ("publisher", "its own"),
        *(
            pytest.param(name, whose, marks=pytest.mark.exhaustive)
            for name, whose in (
                ("recorder", "its own"),
                ("publisher", "the entrance's"),
                ("bootstrap", "the entrance's"),
                ("bootstrap", "its own"),
            )
        ),
    ],
)
def test_it_ends_in_order_while_a_call_is_under_way(
    home: Home, entrance: SilentEntrance, name: str, whose: str
) -> None:
    with running(home, entrance, name) as process:
        wait_until(lambda: len(process.descendants()) >= PROCESSES[name], "not all processes are there")
        time.sleep(1.0)  # until the last of them is at work
        silence(process.descendants() if whose == "its own" else entrance.processes)
        time.sleep(SILENT_SECONDS)
        began = time.monotonic()
        outcome = process.stop()
        took = time.monotonic() - began
    log = process.log.read_text()
    assert (outcome.ending, outcome.status) == (Ending.STOPPED, 0), log
    assert took < PATIENCE, log
    assert "Traceback" not in log
    assert "Exception in thread" not in log


def test_a_summariser_ends_in_the_middle_of_a_reading(
    home: Home, entrance: SilentEntrance, tmp_path: Path, crashed: list[str]
) -> None:
    """The node behind it ends at once afterwards, as in the bootstrap peer."""
    manifest = RunManifest.load(home.manifest)
    identity = PeerIdentity.load_or_create(tmp_path / "summariser")
    network = Network((ANY_PORT,), entrance.addresses, check_identity=False, upnp=False)
    node = start_dht(network, identity, prefix=manifest.dht_prefix, total_epochs=9)
    try:
        summariser = Summariser(node, manifest.dht_prefix, identity, seconds=0.05)
        silence(entrance.processes)
        summariser.start()
        time.sleep(SILENT_SECONDS)
        began = time.monotonic()
        summariser.stop()
    finally:
        node.shutdown()
    assert time.monotonic() - began < PATIENCE
    wait_until(
        lambda: not any(thread.name == "summariser" for thread in threading.enumerate()), "its thread stays"
    )
    assert not node.is_alive()
    assert not crashed
