"""A DHT node that lost its neighbours finds the swarm again, and a part that was cut off meets the rest."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from hivemind.p2p import PeerID

from core.swarm.dht import Network, start_dht
from core.swarm.neighbours import NeighbourKeeper, ask_in_reach
from core.swarm.wire.identity import PeerIdentity
from tests.moved_clock import MovedClock
from tests.waiting import wait_until

ENTRANCE, OTHER = (PeerID(bytes([0, 1, number])) for number in (1, 2))


async def neighbours(_: object, node: Any) -> int:
    """Run in the process of a DHT node: the number of others that it knows."""
    return len(node.protocol.routing_table.uid_to_peer_id)


@contextmanager
def node(folder: Path, name: str, **network: Any) -> Iterator[Any]:
    identity = PeerIdentity.load_or_create(folder / name)
    dht = start_dht(Network(check_identity=False, **network), identity, prefix="tiny", total_epochs=9)
    try:
        yield dht
    finally:
        dht.shutdown()


@contextmanager
def frozen(dht: Any) -> Iterator[None]:
    """Stop all processes of a node, as a computer that sleeps does."""
    processes = [psutil.Process(dht.pid), *psutil.Process(dht.pid).children(recursive=True)]
    try:
        for process in processes:
            os.kill(process.pid, signal.SIGSTOP)
        yield
    finally:
        for process in processes:
            os.kill(process.pid, signal.SIGCONT)


@pytest.mark.parametrize("client_mode", [False, True], ids=["full", "client"])
def test_a_node_whose_only_neighbour_slept_finds_it_again(tmp_path: Path, client_mode: bool) -> None:
    with node(tmp_path, "first") as first:
        known = tuple(map(str, first.get_visible_maddrs()))
        with node(tmp_path, "second", initial_peers=known, client_mode=client_mode) as second:
            assert second.run_coroutine(neighbours) == 1

            def is_alone() -> bool:
                second.get("anything", latest=True)
                return bool(second.run_coroutine(neighbours) == 0)

            assert ask_in_reach(second).result()
            with frozen(first):
                wait_until(is_alone, "it still counts on a node that does not answer")
                assert not ask_in_reach(second).result()
            wait_until(lambda: ask_in_reach(second).result(), "it never finds the other again")
            assert second.run_coroutine(neighbours) == 1


@dataclass
class StandInNode:
    """The parts of a DHT node that its keeper uses; those in ``awake`` answer calls."""

    known: dict[int, PeerID] = field(default_factory=dict)
    awake: set[PeerID] = field(default_factory=set)
    called: list[set[PeerID]] = field(default_factory=lambda: [set()])
    """Peers that were called, by turn."""
    unbanned: list[PeerID] = field(default_factory=list)
    disconnected: list[PeerID] = field(default_factory=list)
    is_busy: bool = False
    """True if its daemon does not list peers."""
    traversals: int = 0
    node_id: int = 0

    @property
    def protocol(self) -> Any:
        return SimpleNamespace(routing_table=SimpleNamespace(uid_to_peer_id=self.known), call_ping=self._call)

    @property
    def p2p(self) -> Any:
        return SimpleNamespace(list_peers=self._list, _client=SimpleNamespace(disconnect=self._disconnect))

    async def _list(self) -> list[Any]:
        if self.is_busy:
            raise ConnectionError("the daemon is busy")
        return [SimpleNamespace(peer_id=peer) for peer in (ENTRANCE, OTHER)]

    async def _disconnect(self, peer: PeerID) -> None:
        self.disconnected.append(peer)

    @property
    def blacklist(self) -> Any:
        return SimpleNamespace(register_success=self.unbanned.append)

    async def _call(self, peer: PeerID) -> int | None:
        self.called[-1].add(peer)
        if peer not in self.awake:
            return None
        self.known[hash(peer)] = peer
        return 1

    async def find_nearest_nodes(self, _: Sequence[object]) -> None:
        self.traversals += 1

    def turns(self, keeper: NeighbourKeeper, clock: MovedClock[float], seconds: int) -> list[int]:
        """Let a turn pass each second; return those in which a peer was called."""
        for _ in range(seconds):
            asyncio.run(keeper.turn())
            clock.now += 1
            self.called.append(set())
        return [turn for turn, peers in enumerate(self.called) if peers]


def test_all_acquaintances_are_called_at_once_and_then_every_three_seconds() -> None:
    clock, there = MovedClock(0.0), StandInNode(known={2: OTHER})
    keeper = NeighbourKeeper(there, [ENTRANCE], clock)
    there.turns(keeper, clock, 2)
    there.known.clear()
    assert there.turns(keeper, clock, 7) == [2, 5, 8]
    assert there.called[2] == {ENTRANCE, OTHER}
    assert not there.unbanned
    there.awake = {OTHER}
    there.turns(keeper, clock, 4)
    assert (there.unbanned, there.traversals, list(there.known.values())) == ([OTHER], 1, [OTHER])


def test_an_entrance_that_is_no_neighbour_is_visited_each_minute() -> None:
    clock, there = MovedClock(0.0), StandInNode(known={2: OTHER})
    keeper = NeighbourKeeper(there, [ENTRANCE], clock)
    assert there.turns(keeper, clock, 130) == [60, 120]
    assert there.called[60] == {ENTRANCE}
    there.awake = {ENTRANCE}
    assert there.turns(keeper, clock, 200) == [60, 120, 180]
    assert there.traversals == 0


def test_after_a_move_all_connections_are_made_again_at_once() -> None:
    """Those of the network that was left are dead, though nobody says so."""
    clock, there = MovedClock(0.0), StandInNode(known={1: ENTRANCE, 2: OTHER}, awake={ENTRANCE})
    keeper = NeighbourKeeper(there, [ENTRANCE], clock, lambda: clock.now == 7.0)
    assert there.turns(keeper, clock, 20) == [7]
    assert set(there.disconnected) == {ENTRANCE, OTHER}
    assert there.called[7] == {ENTRANCE}


def test_connections_that_could_not_be_listed_after_a_move_are_closed_at_the_next_turn() -> None:
    clock, there = MovedClock(0.0), StandInNode(known={1: ENTRANCE})
    keeper = NeighbourKeeper(there, [ENTRANCE], clock, lambda: clock.now == 7.0)
    there.turns(keeper, clock, 7)
    there.is_busy = True
    with pytest.raises(ConnectionError):
        there.turns(keeper, clock, 1)
    clock.now, there.is_busy = 8.0, False
    there.turns(keeper, clock, 1)
    assert set(there.disconnected) == {ENTRANCE, OTHER}


def test_the_first_peer_of_a_swarm_calls_nobody() -> None:
    clock, there = MovedClock(0.0), StandInNode()
    keeper = NeighbourKeeper(there, [], clock)
    assert there.turns(keeper, clock, 100) == []
    assert not keeper.is_isolated
    there.known[2] = OTHER
    there.turns(keeper, clock, 1)
    there.known.clear()
    assert not keeper.is_isolated, "others enter the swarm by this peer, so the swarm is where it is"


def test_a_peer_that_knows_no_other_is_isolated_if_it_entered_by_one() -> None:
    clock, there = MovedClock(0.0), StandInNode(known={2: OTHER})
    keeper = NeighbourKeeper(there, [ENTRANCE], clock)
    assert not keeper.is_isolated
    there.known.clear()
    assert keeper.is_isolated


class BrokenNode(StandInNode):
    """A node whose first call fails, and which ends after its second."""

    calls = 0

    @property
    def is_alive(self) -> bool:
        return self.calls < 2

    async def _call(self, peer: PeerID) -> int | None:
        self.calls += 1
        if self.calls == 1:
            raise ConnectionError("the daemon is busy")
        return await super()._call(peer)


def test_visits_that_fail_are_warned_of_until_one_succeeds(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "core.swarm")
    seconds = count(0.0, 100.0)  # each turn, a visit is due
    node = BrokenNode(known={2: OTHER})
    asyncio.run(NeighbourKeeper(node, [ENTRANCE], lambda: next(seconds)).run())
    first, second = caplog.messages
    assert (
        first
        == "Looking for peers of the swarm failed (ConnectionError: the daemon is busy), and is tried again."
    )
    assert second.startswith("Looking for peers of the swarm succeeded at attempt 2, after ")
