"""Before it enters a swarm on loopback, a peer finds out how it is reached, and its port stays the same."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import SwarmError
from core.messages.reach import Reach
from core.swarm.dht import Network, start_dht
from core.swarm.p2pd import require_free_port
from core.swarm.reach.finder import FoundReach, ReachPatience, find_reach
from core.swarm.reach.own_places import listening_port
from core.swarm.reach.reachability import judge
from core.swarm.reach.watch import look_through
from core.swarm.wire.identity import PeerIdentity
from tests.waiting import DEADLINE

LOOPBACK = "127.0.0.1"
IP6 = (
    Path("/proc/net/if_inet6").exists()
    and "00000000000000000000000000000001" in Path("/proc/net/if_inet6").read_text()
)
PATIENT = ReachPatience(2 * DEADLINE, DEADLINE, DEADLINE, DEADLINE, DEADLINE)
"""Limits that only tell a hang from an end."""


@pytest.fixture(scope="module")
def entrance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    identity = PeerIdentity.load_or_create(tmp_path_factory.mktemp("entrance") / "identity")
    dht = start_dht(
        Network(check_identity=False, upnp=False, checks_others=True), identity, prefix="tiny", total_epochs=9
    )
    yield dht
    dht.shutdown()


def found_by(folder: Path, entrances: list[str], port: int = 0) -> FoundReach:
    identity = PeerIdentity.load_or_create(folder / "identity")
    listen = f"/ip4/{LOOPBACK}/tcp/{listening_port(LOOPBACK, port, folder / 'port')}"
    return find_reach([listen], entrances, identity.path, upnp=False, patience=PATIENT)


def test_a_peer_on_the_same_machine_is_reached_and_then_enters_by_the_same_identity(
    entrance: Any, tmp_path: Path
) -> None:
    known = tuple(map(str, entrance.get_visible_maddrs()))
    found = found_by(tmp_path, [*known]).reachability
    assert (found.reach, found.observed) == (Reach.DIRECT, LOOPBACK)
    assert found.answered == (entrance.peer_id.to_base58(),)
    network = Network((f"/ip4/{LOOPBACK}/tcp/{found.port}",), known, check_identity=False, upnp=False)
    identity = PeerIdentity.load_or_create(tmp_path / "identity")
    dht = start_dht(network, identity, prefix="tiny", total_epochs=9)
    try:
        (address,) = dht.get_visible_maddrs()
        assert str(address) == f"{found.addresses[0]}/p2p/{identity.peer_id.to_base58()}"
        assert found.port is not None
        look = look_through(dht, found.port, ())
        assert judge(look(True).result(DEADLINE)) == found, "the same while it runs"
        assert [item.address for item in look(False).result(DEADLINE).answers] == [LOOPBACK]
    finally:
        dht.shutdown()


def test_entrances_that_are_gone_leave_the_error_to_the_start(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
    gone = f"/ip4/{LOOPBACK}/tcp/{port}/p2p/QmX1gZvxkRT44jvFJ4143hiM1rBPFZ7gWmvQ2F5Eu4dLHk"
    assert found_by(tmp_path, [gone, "nonsense"]).reachability.reach is Reach.UNCHECKED


def test_a_peer_without_entrances_is_one(tmp_path: Path) -> None:
    assert found_by(tmp_path, []).reachability.reach is Reach.DIRECT


def test_a_port_that_is_taken_is_left_to_the_start(entrance: Any, tmp_path: Path) -> None:
    known = tuple(map(str, entrance.get_visible_maddrs()))
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        assert found_by(tmp_path, [*known], port).reachability.reach is Reach.UNCHECKED
        identity = PeerIdentity.load_or_create(tmp_path / "identity")
        with pytest.raises(SwarmError, match="cannot be used"):
            start_dht(Network((f"/ip4/{LOOPBACK}/tcp/{port}",), known), identity, prefix="t", total_epochs=9)


@pytest.mark.skipif(not IP6, reason="This system has no IPv6.")
def test_a_port_that_is_taken_for_ip6_alone_is_taken(tmp_path: Path) -> None:
    """libp2p would listen for IPv4 alone, and say nothing."""
    file = tmp_path / "port"
    with socket.create_server(("::", 0), family=socket.AF_INET6) as taken:
        port = taken.getsockname()[1]
        file.write_text(f"{port}\n")
        assert listening_port("0.0.0.0", 0, file) != port
        with pytest.raises(SwarmError, match="on :: cannot be used"):
            require_free_port(f"/ip6/::/tcp/{port}")
    require_free_port(f"/ip6/::/tcp/{port}")


@pytest.mark.parametrize("host", ["::1", "203.0.113.7", LOOPBACK])
def test_a_port_is_chosen_for_any_host_though_none_of_those_drawn_is_free(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong with the host, the attempt to listen there says."""
    monkeypatch.setattr("core.swarm.reach.own_places._is_free", lambda host, port: False)
    assert 0 < listening_port(host, 0, tmp_path / "port") < 1 << 16


def test_the_port_is_the_preferred_one_or_that_of_last_time(tmp_path: Path) -> None:
    file = tmp_path / "port"
    assert listening_port(LOOPBACK, 31_330, file) == 31_330
    assert not file.exists()
    first = listening_port(LOOPBACK, 0, file)
    assert listening_port(LOOPBACK, 0, file) == first
    with socket.create_server((LOOPBACK, first)):
        second = listening_port(LOOPBACK, 0, file)
    assert second != first
    assert listening_port(LOOPBACK, 0, file) == second
    file.write_text("nonsense")
    assert 0 < listening_port(LOOPBACK, 0, file) < 1 << 16
