"""Real nodes of an open run: what belongs to nothing is not kept, and nobody closes the place where groups form."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import hivemind
import pytest
from hivemind.utils import get_dht_time

from core.swarm.averaging.matchmaking import GroupDeclarations
from core.swarm.dht import Network, start_dht
from core.swarm.wire.group_records import matchmaking_key
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ContactRecord, contact_key, progress_key
from tests.core.swarm.builders import identity, progress
from tests.swarms.hostile_storing import push

PREFIX, PLACE = "tiny", "0123456789abcdef"
TEN_YEARS = 10 * 365 * 86_400.0


class OpenNode:
    """A node of a peer of an open run."""

    def __init__(self, folder: Path, number: int, known: tuple[str, ...]) -> None:
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        network = Network(initial_peers=known, check_identity=False)
        self.dht = start_dht(network, self.identity, prefix=PREFIX, total_epochs=200)

    def bytes_held(self) -> int:
        """Bytes of the records that the node keeps."""
        found: int = self.dht.run_coroutine(_bytes_held, return_future=True).result(timeout=20)
        return found

    def run(self, work: Any) -> Any:
        """Run ``work``, which returns an awaitable, in the node's process."""
        return self.dht.run_coroutine(partial(_in_process, work=work), return_future=True).result(timeout=20)


async def _bytes_held(_: "hivemind.DHT", node: Any) -> int:
    return int(node.protocol.storage.bytes_held + node.protocol.cache.bytes_held)


async def _in_process(_: "hivemind.DHT", node: Any, *, work: Any) -> Any:
    return await work(node)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[OpenNode]]:
    folder = tmp_path_factory.mktemp("nodes")
    made: list[OpenNode] = []
    for number in range(3):
        known = tuple(map(str, made[0].dht.get_visible_maddrs())) if made else ()
        made.append(OpenNode(folder, number, known))
    yield made
    for node in reversed(made):
        node.dht.shutdown()


def test_keys_that_belong_to_nothing_make_no_node_grow(nodes: list[OpenNode]) -> None:
    entrance, _, stranger = nodes
    before, until = entrance.bytes_held(), get_dht_time() + TEN_YEARS
    for number in range(50):
        filling: dict[str, Any] = {"value": bytes(11_000), "expiration": until}
        assert not push(stranger.dht, entrance.dht.peer_id, f"nothing {number}", subkey=b"x", **filling)
        assert not push(stranger.dht, entrance.dht.peer_id, f"nothing {number}", **filling)
        assert not push(
            stranger.dht, entrance.dht.peer_id, f"nothing {number}", writer=stranger.identity, **filling
        )
    assert entrance.bytes_held() == before


def test_a_peers_own_records_are_kept_but_for_no_ten_years(nodes: list[OpenNode]) -> None:
    entrance, _, stranger = nodes
    value = progress(peer_id=stranger.identity.peer_id.to_bytes()).pack()
    key = progress_key(PREFIX)
    for seconds, is_kept in ((TEN_YEARS, False), (60.0, True)):
        until = get_dht_time() + seconds
        assert (
            push(stranger.dht, entrance.dht.peer_id, key, value, expiration=until, writer=stranger.identity)
            == is_kept
        )


def test_what_nobody_reads_is_kept_nowhere(nodes: list[OpenNode]) -> None:
    """hivemind's nodes keep for anyone what is called a cached record, without a bound."""
    entrance, _, stranger = nodes
    before = entrance.bytes_held()
    assert not push(
        stranger.dht,
        entrance.dht.peer_id,
        contact_key(PREFIX),
        _contact(stranger.identity),
        expiration=get_dht_time() + 60,
        writer=stranger.identity,
        in_cache=True,
    )
    assert entrance.bytes_held() == before


def _contact(writer: PeerIdentity) -> dict[str, Any]:
    return ContactRecord(peer_id=writer.peer_id.to_bytes(), direct=True, relaying=False).pack()


def test_nobody_closes_the_place_where_groups_form(nodes: list[OpenNode]) -> None:
    """One unsigned value without a subkey, with a far end, hid all declarations: no group formed any more."""
    one, other, stranger = nodes
    key, until = matchmaking_key(PREFIX, PLACE), get_dht_time() + TEN_YEARS
    for victim in (one, other):
        for subkey in (None, b"x", other.identity.peer_id.to_bytes()):
            assert not push(stranger.dht, victim.dht.peer_id, key, True, expiration=until, subkey=subkey)
    assert other.run(partial(_declare, owner=other.identity.owner, seconds=30.0))
    found = one.run(partial(_declared, owner=one.identity.owner))
    assert [peer for peer, _ in found] == [other.identity.peer_id]


def test_a_ghost_of_a_peer_looks_for_no_group(nodes: list[OpenNode]) -> None:
    one, other, stranger = nodes
    key = matchmaking_key(PREFIX, PLACE)
    value = {"peer_id": other.identity.peer_id.to_bytes(), "place": PLACE, "looks": False, "certificate": b""}
    until = get_dht_time() + 300.0
    for writer in (stranger.identity, identity(5)):
        assert not push(stranger.dht, one.dht.peer_id, key, value, expiration=until, writer=writer)


class Inside:
    """A DHT node in its own process, with the two methods of a DHT that declarations use."""

    def __init__(self, node: Any) -> None:
        self._node, self.peer_id = node, node.peer_id

    async def store(self, key: str, *, return_future: bool, **record: Any) -> bool:
        return bool(await self._node.store(key, **record))

    async def get(self, key: str, *, latest: bool, return_future: bool) -> Any:
        return await self._node.get(key, latest=latest)


async def _declare(node: Any, *, owner: bytes, seconds: float) -> bool:
    keys = GroupDeclarations(Inside(node), PREFIX, PLACE, owner)
    return await keys.declare_averager(keys.current_key, node.peer_id, get_dht_time() + seconds)


async def _declared(node: Any, *, owner: bytes) -> list[Any]:
    keys = GroupDeclarations(Inside(node), PREFIX, PLACE, owner)
    return await keys.get_averagers(keys.current_key, only_active=True)
