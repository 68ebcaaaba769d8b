"""Real DHT nodes on loopback: what they store, what they refuse, and how failing to start is explained."""

import asyncio
import gc
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.util import Finalize, register_after_fork
from pathlib import Path
from typing import Any

import hivemind
import msgpack
import psutil
import pytest
import torch
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.children import logs
from core.errors import SwarmError
from core.swarm.dht import Network, start_dht
from core.swarm.membership.progress import ProgressTracker
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import (
    ProgressRecord,
    bounded,
    commit_key,
    parse_all,
    progress_key,
)
from tests.core.swarm.builders import commit_record, progress
from tests.swarms.hivemind_locks import locks_held
from tests.waiting import AT_ONCE, DEADLINE, wait_until

_log = logging.getLogger(__name__)

PREFIX, TOTAL = "tiny-0123456789abcdef-0", 200


class Node:
    """An honest node of the run."""

    def __init__(self, folder: Path, number: int, known: list[str], prefix: str = PREFIX) -> None:
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        self.dht = start_dht(
            Network(initial_peers=tuple(known)), self.identity, prefix=prefix, total_epochs=TOTAL
        )

    def addresses(self) -> list[str]:
        return [str(item) for item in self.dht.get_visible_maddrs()]

    def found(self, key: str = progress_key(PREFIX)) -> dict[Any, Any]:
        """All that this node gets for a key, raw."""
        answer = self.dht.get(key, latest=True)
        return {owner: item.value for owner, item in answer.value.items()} if answer else {}

    def own_progress(self, **changed: Any) -> dict[str, Any]:
        return progress(peer_id=self.identity.peer_id.to_bytes(), **changed).pack()

    def store(self, value: object, *, key: str = progress_key(PREFIX), owner: bytes | None = None) -> bool:
        stored: bool = self.dht.store(
            key, subkey=owner or self.identity.owner, value=value, expiration_time=get_dht_time() + 60
        )
        return stored


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Node]]:
    with two_nodes(tmp_path_factory.mktemp("nodes"), PREFIX) as pair:
        yield pair


@contextmanager
def two_nodes(folder: Path, prefix: str) -> Iterator[tuple[Node, Node]]:
    """Two nodes of the run with that DHT prefix."""
    first = Node(folder, 0, [], prefix)
    second = Node(folder, 1, first.addresses(), prefix)
    yield first, second
    for node in (second, first):
        node.dht.shutdown()


class Liar(Node):
    """A node that signs what it says, but checks nothing: it can send whatever it wants."""

    def __init__(self, folder: Path, number: int, known: list[str]) -> None:
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        self.dht = hivemind.DHT(
            initial_peers=known,
            identity_path=str(self.identity.path),
            record_validators=[RSASignatureValidator(self.identity.private_key)],
            start=True,
        )


@pytest.fixture(scope="module")
def liar(nodes: tuple[Node, Node], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Liar]:
    found = Liar(tmp_path_factory.mktemp("liar"), 9, nodes[0].addresses())
    yield found
    found.dht.shutdown()


def test_an_honest_record_is_seen_by_the_other(nodes: tuple[Node, Node]) -> None:
    first, second = nodes
    assert first.store(first.own_progress(samples=11))
    record = ProgressRecord.model_validate(second.found()[first.identity.owner])
    assert (record.peer_id, record.samples) == (first.identity.peer_id.to_bytes(), 11)


LIES: dict[str, Callable[[Liar, Node], tuple[str, bytes, object]]] = {
    "the progress of another peer": lambda liar, victim: (
        progress_key(PREFIX),
        liar.identity.owner,
        victim.own_progress(samples=99),
    ),
    "progress under another peer's mark": lambda liar, victim: (
        progress_key(PREFIX),
        victim.identity.owner,
        victim.own_progress(samples=99),
    ),
    "progress under no mark": lambda liar, victim: (
        progress_key(PREFIX),
        b"anybody",
        liar.own_progress(samples=99),
    ),
    "an absurd epoch": lambda liar, victim: (
        progress_key(PREFIX),
        liar.identity.owner,
        liar.own_progress(epoch=1_000_000),
    ),
    "a commit beyond the schedule": lambda liar, victim: (
        commit_key(PREFIX, 1_000_000),
        liar.identity.owner,
        commit_record(epoch=1_000_000).pack(),
    ),
    "an oversized record": lambda liar, victim: (
        progress_key(PREFIX),
        liar.identity.owner,
        {**liar.own_progress(), "more": bytes(12_500)},
    ),
    "an oversized record elsewhere": lambda liar, victim: ("anything", b"x", bytes(12_500)),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=list(LIES))
def test_what_a_liar_sends_is_not_stored_by_others(
    nodes: tuple[Node, Node], liar: Liar, lie: Callable[[Liar, Node], tuple[str, bytes, object]]
) -> None:
    first, second = nodes
    key, owner, value = lie(liar, first)
    liar.store(value, key=key, owner=owner)
    assert value not in first.found(key).values()
    assert value not in second.found(key).values()


def test_the_liars_honest_record_is_stored(nodes: tuple[Node, Node], liar: Liar) -> None:
    """The refusals above are for the content of a record, not for its author."""
    assert liar.store(liar.own_progress(samples=5))
    assert nodes[1].found()[liar.identity.owner]["samples"] == 5


def test_the_nodes_survive_all_of_it(nodes: tuple[Node, Node], liar: Liar) -> None:
    first, second = nodes
    assert all(node.dht.is_alive() for node in nodes)
    assert second.store(second.own_progress(samples=12))
    assert first.found()[second.identity.owner]["samples"] == 12


def test_a_record_that_would_kill_the_dht_process_does_not_reach_it(nodes: tuple[Node, Node]) -> None:
    first, _ = nodes
    with pytest.raises(SwarmError, match="too large for the DHT"):
        first.store(bounded({**first.own_progress(), "more": bytes(20_000)}))
    assert first.store(bounded(first.own_progress(samples=13)))
    assert first.found()[first.identity.owner]["samples"] == 13


# --- the tracker ----------------------------------------------------------------------------------------------

TRACKED = "tracked"
"""Another run: the DHT prefers records that expire later, and those above do."""


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Node]]:
    with two_nodes(tmp_path_factory.mktemp("tracked"), TRACKED) as pair:
        yield pair


class Told:
    """The record that a peer's tracker publishes, which tests change."""

    def __init__(self, node: Node) -> None:
        self.peer = node.identity.peer_id.to_bytes()
        self.samples = 0

    def __call__(self) -> ProgressRecord:
        return progress(peer_id=self.peer, samples=self.samples, time=get_dht_time())


def seen(tracker: ProgressTracker, peer: bytes) -> ProgressRecord | None:
    others = tracker.view.others if tracker.view else ()
    return next((record for record in others if record.peer_id == peer), None)


def eventually(tracker: ProgressTracker, holds: Callable[[], bool]) -> bool:
    """Return true if it holds before the deadline; each time it does not, have the tracker look again."""
    deadline = time.monotonic() + DEADLINE
    while not holds():
        if time.monotonic() > deadline:
            return False
        tracker.publish()
        before = tracker.view
        while tracker.view is before and not holds() and time.monotonic() < deadline:
            time.sleep(0.01)
    return True


@pytest.fixture
def trackers(tracked: tuple[Node, Node]) -> Iterator[tuple[ProgressTracker, ProgressTracker]]:
    pair = tuple(ProgressTracker(node.dht, TRACKED, node.identity.owner, 64) for node in tracked)
    yield pair[0], pair[1]
    for tracker in pair:
        tracker.stop()


def test_trackers_see_each_other_set_aside_and_leave(
    tracked: tuple[Node, Node],
    trackers: tuple[ProgressTracker, ProgressTracker],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "core.swarm")
    records = [Told(node) for node in tracked]
    assert trackers[0].view is None
    for tracker, record in zip(trackers, records, strict=True):
        tracker.start(record)
    first, second = trackers
    other = records[1].peer
    assert eventually(first, lambda: seen(first, other) is not None)
    assert seen(first, records[0].peer) is None, "a peer does not see itself"

    records[1].samples = 21
    second.publish()
    assert eventually(first, lambda: (found := seen(first, other)) is not None and found.samples == 21)

    first.set_aside([other], seconds=600)
    assert seen(first, other) is None
    first.set_aside([other], seconds=-1)
    assert eventually(first, lambda: seen(first, other) is not None)

    second.stop()
    assert eventually(first, lambda: seen(first, other) is None)
    entry = _StoredEntry(tracked[0].found(progress_key(TRACKED))[tracked[1].identity.owner])
    left = parse_all(ProgressRecord, {b"": entry})[b""]
    assert left.leaving
    of_the_other = f"Peer {tracked[1].identity.peer_id}"
    for words in ("is in the swarm, at epoch", "is ignored for 600 s", "left the swarm"):
        assert f"{of_the_other} {words}" in caplog.text
    assert "fell silent" not in caplog.text


def test_a_tracker_that_rests_tells_a_last_time_and_is_quiet_until_it_goes_on(
    tracked: tuple[Node, Node], trackers: tuple[ProgressTracker, ProgressTracker]
) -> None:
    first, second = trackers
    record = Told(tracked[1])
    first.start(Told(tracked[0]))
    second.start(record)
    for samples in (7, 8):
        record.samples = samples
        second.rest()
        wait_until(lambda: second.is_quiet, "the tracker never rests")
        known = second.view
        assert eventually(
            first,
            lambda: (found := seen(first, record.peer)) is not None and found.samples == samples,  # noqa: B023
        )
        assert second.view is known, "it looks around while it rests"
        second.publish()
        assert not second.is_quiet
        assert eventually(second, lambda: second.view is not known)  # noqa: B023


@pytest.fixture
def left_behind(tmp_path: Path) -> Iterator[tuple[Node, Node]]:
    with two_nodes(tmp_path, "left behind") as pair:
        yield pair


def test_a_record_that_was_left_behind_for_long_puts_nobody_into_the_swarm(
    left_behind: tuple[Node, Node],
) -> None:
    first, second = left_behind
    key, peer = progress_key("left behind"), second.identity.peer_id.to_bytes()
    assert second.store(second.own_progress(time=get_dht_time() - 3600), key=key)
    tracker = ProgressTracker(first.dht, "left behind", first.identity.owner, 64)
    tracker.start(Told(first))
    assert eventually(tracker, lambda: tracker.view is not None)
    assert second.identity.owner in first.found(key)
    assert seen(tracker, peer) is None
    assert second.store(second.own_progress(time=get_dht_time()), key=key)
    assert eventually(tracker, lambda: seen(tracker, peer) is not None)
    tracker.stop()


class _StoredEntry:
    def __init__(self, value: object) -> None:
        self.value = value


def test_a_tracker_that_never_started_stops_at_once(nodes: tuple[Node, Node]) -> None:
    ProgressTracker(nodes[0].dht, PREFIX, nodes[0].identity.owner, 64).stop()


def test_the_death_of_the_dht_is_noticed_and_holds_nothing_up(tmp_path: Path) -> None:
    node = Node(tmp_path, 5, [])
    tracker = ProgressTracker(node.dht, PREFIX, node.identity.owner, 64, answer_seconds=2.0)
    tracker.start(Told(node))
    assert eventually(tracker, lambda: tracker.view is not None)
    process = psutil.Process(node.dht.pid)
    family = [process, *process.children(recursive=True)]
    with locks_held():
        for member in family:
            member.kill()
    node.dht.join(10)
    tracker.publish()
    assert eventually(tracker, lambda: tracker.lost)
    began = time.monotonic()
    tracker.stop()
    assert time.monotonic() - began < AT_ONCE, "it waits for an answer"


def test_a_dht_that_hangs_is_given_up(tmp_path: Path) -> None:
    node = Node(tmp_path, 6, [])
    tracker = ProgressTracker(node.dht, PREFIX, node.identity.owner, 64, answer_seconds=2.0)
    tracker.start(Told(node))
    assert eventually(tracker, lambda: tracker.view is not None)
    process = psutil.Process(node.dht.pid)
    with locks_held():
        process.suspend()
    assert eventually(tracker, lambda: tracker.lost)
    tracker.stop()
    process.resume()


def test_progress_in_the_dht_is_small(nodes: tuple[Node, Node]) -> None:
    largest = nodes[0].own_progress(sketch=[0.1] * 32, samples=99_999_999)
    assert len(msgpack.packb(largest)) < 1000


# --- failing to start -----------------------------------------------------------------------------------------


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    """Whatever a failed start forked is gone within seconds."""
    torch.zeros(1).share_memory_()  # torch keeps a process for this, from the first time on
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    _, alive = psutil.wait_procs(left, timeout=10)
    for child in alive:
        with suppress(psutil.NoSuchProcess):
            child.kill()
    assert not alive


def start(folder: Path, **network: Any) -> None:
    identity = PeerIdentity.load_or_create(folder / "identity")
    start_dht(Network(**network), identity, prefix=PREFIX, total_epochs=TOTAL).shutdown()


ENTERS = """
import os, sys
from pathlib import Path
from core.children.child import postpone
postpone("scipy.optimize")
from core.errors import ClockError
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
folder, prefix, *peers = sys.argv[1:]
identity = PeerIdentity.load_or_create(Path(folder) / "identity")
for off in sys.stdin.read().split():
    os.environ["FAKETIME"] = off  # as for the processes that it starts
    try:
        start_dht(Network(initial_peers=tuple(peers)), identity, prefix=prefix, total_epochs=9).shutdown()
        print("enters")
    except ClockError as error:
        print(str(error).replace("\\n", " "))
"""
CLOCKS = {"+61s": (61, "ahead of"), "-3600s": (3600, "behind"), "-6s": (6, "behind"), "+1s": None}
"""Clocks that are off, and by how many seconds they are found to be."""


def test_a_clock_that_is_off_is_named(nodes: tuple[Node, Node], tmp_path: Path) -> None:
    """One process tries all: importing what a node needs takes most of the time."""
    entering = subprocess.run(
        ["faketime", "-f", "+0s", sys.executable, "-c", ENTERS, str(tmp_path), PREFIX, *nodes[0].addresses()],
        env={**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"},
        input=" ".join(CLOCKS),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for said, (off, found) in zip(entering.stdout.splitlines(), CLOCKS.items(), strict=True):
        stated = re.search(r"(\d+) seconds (ahead of|behind)", said)
        if found is None:
            assert said == "enters", off
            continue
        assert stated is not None, said
        assert stated[2] == found[1], off
        assert abs(int(stated[1]) - found[0]) <= 2, "a call on a busy machine takes as long"


@pytest.mark.usefixtures("leaves_nothing")
def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            SwarmError, match=rf"Port {port} on 127.0.0.1 cannot be used.*choose another port"
        ):
            start(tmp_path, listen=(f"/ip4/127.0.0.1/tcp/{port}",))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:31337",
        "/ip4/127.0.0.1",
        "/ip6/::1/udp/0",
        "/dns4/localhost/tcp/0",
        "/ip4/localhost/tcp/1",
        "/ip4/1.2.3.4/tcp/70000",
    ],
)
def test_an_address_that_cannot_be_listened_on_is_named(tmp_path: Path, address: str) -> None:
    with pytest.raises(SwarmError, match=r"is not an address to listen on.*Write it like /ip4"):
        start(tmp_path, listen=(address,))


@pytest.mark.usefixtures("leaves_nothing")
def test_an_address_of_another_machine_is_named(tmp_path: Path) -> None:
    with pytest.raises(SwarmError, match=r"on 203.0.113.7 cannot be used"):
        start(tmp_path, listen=("/ip4/203.0.113.7/tcp/0",))


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[str]:
    """An address at which no peer answers."""
    identity = PeerIdentity.load_or_create(tmp_path / "nobody")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        yield f"/ip4/127.0.0.1/tcp/{closed.getsockname()[1]}/p2p/{identity.peer_id.to_base58()}"


class SlowEnd:
    """As long as it is there, what multiprocessing forks takes half a second to end."""

    def __init__(self) -> None:
        register_after_fork(self, lambda _: Finalize(None, time.sleep, (0.5,), exitpriority=1))


@pytest.mark.usefixtures("leaves_nothing")
def test_a_node_that_cannot_start_ends_by_itself_once_it_has_reported_why(
    tmp_path: Path, nobody: str
) -> None:
    """Killed while it tells, it would keep a lock that hivemind's processes share: none could start any more."""
    killed, slow = tmp_path / "killed", SlowEnd()
    before = signal.signal(signal.SIGTERM, lambda *_: killed.touch())  # the node inherits it
    try:
        with pytest.raises(SwarmError, match="initial peers answered"):
            start(tmp_path, initial_peers=(nobody,))
    finally:
        signal.signal(signal.SIGTERM, before)
        del slow
    assert not killed.exists()


@pytest.mark.usefixtures("leaves_nothing")
def test_a_dead_initial_peer_is_named(tmp_path: Path, nobody: str) -> None:
    named = re.escape(nobody.rpartition("/")[2])
    with pytest.raises(SwarmError, match=r"None of the swarm's 1 initial peers answered.*" + named):
        start(tmp_path, initial_peers=(nobody,))


@pytest.mark.parametrize(
    "address", ["nonsense", "/ip4/127.0.0.1/tcp/1/p2p/nonsense", "/ip4/127.0.0.1/tcp/1", ""]
)
def test_a_malformed_initial_peer_is_named(tmp_path: Path, address: str) -> None:
    with pytest.raises(SwarmError, match=r"address is malformed.*comes with the run manifest"):
        start(tmp_path, initial_peers=(address,))


def test_a_node_whose_libp2p_daemon_dies_dies_with_it(tmp_path: Path) -> None:
    node = Node(tmp_path, 0, [])
    (daemon,) = psutil.Process(node.dht.pid).children()
    daemon.kill()
    wait_until(lambda: not node.dht.is_alive(), "it goes on as if nobody else were there")


class CollectingEnd:
    """As long as it is there, what multiprocessing forks collects garbage at its end."""

    def __init__(self) -> None:
        register_after_fork(self, lambda _: Finalize(None, gc.collect, exitpriority=1))


async def _take_and_keep(_: "hivemind.DHT", node: Any) -> None:
    """Offer a call that does not end, not even when the caller is gone."""

    async def handle(*_: object) -> None:
        _log.error("A call has come.")
        await asyncio.Event().wait()

    await node.p2p.add_binary_stream_handler("keep", handle)


async def _call_and_wait(_: "hivemind.DHT", node: Any, *, peer: PeerID) -> None:
    await node.p2p.call_binary_stream_handler(peer, "keep")


def test_a_node_that_ends_ends_the_calls_of_others_without_an_error(tmp_path: Path) -> None:
    """Its process would otherwise log that tasks were destroyed while they were pending."""
    log, collecting = tmp_path / "nodes.log", CollectingEnd()
    with logs.kept_in(log, "asyncio", __name__):
        callee = Node(tmp_path, 0, [])
        callee.dht.run_coroutine(_take_and_keep)
        caller = Node(tmp_path, 1, callee.addresses())
        try:
            caller.dht.run_coroutine(partial(_call_and_wait, peer=callee.dht.peer_id))
            wait_until(lambda: "has come" in log.read_text(), "the call does not come")
        finally:
            callee.dht.shutdown()
            caller.dht.shutdown()
    assert " asyncio: " not in log.read_text()
    del collecting
