"""A search is made when nodes come, go, or were remembered for long, and not otherwise."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

import pytest
from hivemind.dht import DHTID
from hivemind.p2p import PeerID

from core.swarm.lookup.replicas import KnownReplicas
from tests.moved_clock import MovedClock

KEY = DHTID(1000)


class SearchedTable:
    """The routing table of a node: the nodes that it has met and that still answer."""

    def __init__(self, numbers: Collection[int]) -> None:
        self.numbers = set(numbers)

    def __contains__(self, item: DHTID) -> bool:
        return int(item) in self.numbers

    def get(self, *, peer_id: PeerID) -> DHTID | None:
        return next((DHTID(number) for number in self.numbers if _peer(DHTID(number)) == peer_id), None)

    def get_nearest_neighbors(self, key: DHTID, count: int, exclude: DHTID) -> list[tuple[DHTID, PeerID]]:
        near = sorted((DHTID(number) for number in self.numbers), key=key.xor_distance)
        return [(item, _peer(item)) for item in near[:count] if item != exclude]


class SearchedNode:
    """A node whose searches find all that the swarm has, twenty at most, and are counted."""

    num_replicas, node_id = 5, DHTID(7)

    def __init__(self, numbers: Sequence[int]) -> None:
        self.protocol, self.bucket_size = self, 20
        self.routing_table, self.blacklist = SearchedTable(numbers), set[PeerID]()
        self.searched: list[DHTID] = []

    async def find_nearest_nodes(self, queries: Sequence[DHTID], **options: Any) -> dict[DHTID, Any]:
        [key] = queries
        self.searched.append(key)
        near = self.routing_table.get_nearest_neighbors(key, self.bucket_size, self.node_id)
        return {key: dict(near)}


def _peer(item: DHTID) -> PeerID:
    return PeerID(int(item).to_bytes(34, "big"))


def _of(replicas: KnownReplicas, key: DHTID = KEY) -> list[int]:
    return [int(item) for item in asyncio.run(replicas.of(key))]


def test_nodes_are_remembered_for_every_key_of_a_small_swarm() -> None:
    clock, node = MovedClock(0.0), SearchedNode([1001, 5000, 900])
    replicas = KnownReplicas(node, clock=clock)
    assert _of(replicas) == [1001, 900, 5000]
    assert _of(replicas, DHTID(5001)) == [5000, 900, 1001]
    assert len(node.searched) == 1
    assert node.searched[0] != KEY, "a search for the key itself would bring its records"
    clock.now += 61.0
    _of(replicas)
    assert len(node.searched) == 2


@pytest.mark.parametrize(
    ("come", "gone", "searches"), [([], [], 1), ([], [900], 2), ([950], [], 2), ([950], [5000], 2)]
)
def test_nodes_that_come_and_go_are_searched_for(come: list[int], gone: list[int], searches: int) -> None:
    node = SearchedNode([1001, 5000, 900])
    replicas = KnownReplicas(node, clock=MovedClock(0.0))
    _of(replicas)
    node.routing_table.numbers |= set(come)
    node.routing_table.numbers -= set(gone)
    assert set(_of(replicas)) == node.routing_table.numbers
    assert len(node.searched) == searches


def test_nodes_that_do_not_answer_are_left_out_without_a_search() -> None:
    node = SearchedNode([1001, 5000, 900])
    replicas = KnownReplicas(node, clock=MovedClock(0.0))
    _of(replicas)
    node.blacklist.add(_peer(DHTID(900)))
    assert _of(replicas) == [1001, 5000]
    assert len(node.searched) == 1


def test_in_a_large_swarm_each_key_has_nodes_of_its_own() -> None:
    clock, node = MovedClock(0.0), SearchedNode(range(100, 200))
    replicas = KnownReplicas(node, clock=clock)
    for _ in range(3):
        _of(replicas)
        _of(replicas, DHTID(150))
        clock.now += 99.0
    assert len(node.searched) == 2
    clock.now += 4.0
    _of(replicas)
    assert len(node.searched) == 3


def test_a_store_goes_to_the_remembered_nodes() -> None:
    node = SearchedNode([1001, 5000, 900])
    replicas, found = KnownReplicas(node, clock=MovedClock(0.0)), dict[DHTID, PeerID]()
    told = list[tuple[DHTID, list[DHTID]]]()

    async def note(key: DHTID, nearest: list[DHTID], asked: set[DHTID]) -> None:
        told.append((key, nearest))

    async def store() -> None:
        await replicas.find_nearest_nodes([KEY], node_to_peer_id=found, found_callback=note, k_nearest=5)

    for _ in range(2):
        asyncio.run(store())
    assert told == [(KEY, [DHTID(1001), DHTID(900), DHTID(5000)])] * 2
    assert found == {item: _peer(item) for item in told[0][1]}
    assert len(node.searched) == 1


@pytest.mark.parametrize(
    ("entered_by", "silent", "expected"),
    [
        ([], [], None),
        ([5000, 1001], [], 1001),
        ([5000, 1001], [1001], 5000),
        ([4], [], None),
        ([7], [], None),
    ],
)
def test_the_entrance_nearest_to_a_key_is_asked_if_it_answers(
    entered_by: list[int], silent: list[int], expected: int | None
) -> None:
    node = SearchedNode([7, 1001, 5000, 900])
    node.blacklist |= {_peer(DHTID(number)) for number in silent}
    replicas = KnownReplicas(node, [_peer(DHTID(number)) for number in entered_by])
    found = replicas.entrance_of(KEY)
    assert (found and int(found[0])) == expected


class SlowNode(SearchedNode):
    """A node whose searches last until they may end."""

    async def find_nearest_nodes(self, queries: Sequence[DHTID], **options: Any) -> dict[DHTID, Any]:
        found = await super().find_nearest_nodes(queries, **options)
        await self.may_end.wait()
        return found

    may_end: asyncio.Event


def test_a_search_goes_on_for_the_next_look_once_none_waits_for_it() -> None:
    node = SlowNode([1001, 5000, 900])
    replicas = KnownReplicas(node, clock=MovedClock(0.0))

    async def look() -> None:
        node.may_end = asyncio.Event()
        for _ in range(2):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await replicas.of(KEY)
        node.may_end.set()
        assert [int(item) for item in await replicas.of(KEY)] == [1001, 900, 5000]

    asyncio.run(look())
    assert len(node.searched) == 1


def test_the_next_look_searches_again_after_a_search_that_failed() -> None:
    node = SearchedNode([1001, 5000, 900])
    replicas = KnownReplicas(node, clock=MovedClock(0.0))
    node.routing_table.numbers, numbers = None, node.routing_table.numbers  # type: ignore[assignment]
    with pytest.raises(TypeError):
        _of(replicas)
    node.routing_table.numbers = numbers
    assert _of(replicas) == [1001, 900, 5000]
