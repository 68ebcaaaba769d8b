"""Real nodes on loopback: a look brings what is new, from nodes that answer, and costs what is predicted."""

import asyncio
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hivemind
import psutil
import pytest
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.storage import DHTLocalStorage
from hivemind.dht.validation import DHTRecord, RecordValidatorBase
from hivemind.p2p import P2PDaemonError, PeerID
from hivemind.proto import dht_pb2
from hivemind.utils import get_dht_time

from core.run.control_traffic import CALL_BYTES, RECORD_BYTES
from core.swarm.dht import Network, start_dht
from core.swarm.lookup.news import KeptRecord, NewsService, question
from core.swarm.lookup.reader import KeyLook, ReadKeys, RecordReader, is_unknown_call, majority
from core.swarm.lookup.reading import exchange
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import progress_key
from tests.core.swarm.builders import progress

PREFIX = "tiny-0123456789abcdef-0"
KEY = progress_key(PREFIX)


class LookingNode:
    """A node of the run, with what its libp2p daemon has passed."""

    dht: "hivemind.DHT"

    def __init__(
        self, folder: Path, number: int, entrance: "LookingNode | None", *, client_mode: bool = False
    ) -> None:
        known = tuple(map(str, entrance.dht.get_visible_maddrs())) if entrance else ()
        network = Network(initial_peers=known, client_mode=client_mode, check_identity=False)
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        self.dht = start_dht(network, self.identity, prefix=PREFIX, total_epochs=200)
        [daemon] = psutil.Process(self.dht.pid).children()
        self._count = ConnectionCount(partial(connections_of, daemon.pid))

    def look(self, **changed: Any) -> dict[bytes, Any]:
        """Leave the node's own record, and return all records by their owners."""
        record = progress(peer_id=self.identity.peer_id.to_bytes(), **changed).pack()
        found = (
            exchange(self.dht, KEY, self.identity.owner, record, get_dht_time() + 60).result(timeout=30).found
        )
        return {owner: entry.value for owner, entry in found.value.items()}

    @property
    def passed(self) -> WireBytes:
        return self._count.look()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LookingNode]]:
    """Two nodes that keep records, and one that does not, as in a home."""
    folder, made = tmp_path_factory.mktemp("nodes"), list[LookingNode]()
    try:
        for number in range(3):
            made.append(LookingNode(folder, number, made[0] if made else None, client_mode=number == 2))
        yield made
    finally:
        for node in made:
            node.dht.shutdown()


def test_each_look_brings_the_newest_record_of_everyone(nodes: list[LookingNode]) -> None:
    for samples in (1, 2, 3):
        for node in nodes:
            node.look(samples=samples)
        for node in nodes:
            found = node.look(samples=samples)
            assert {owner: record["samples"] for owner, record in found.items()} == {
                other.identity.owner: samples for other in nodes
            }


async def _lie(_: "hivemind.DHT", node: Any) -> None:
    """Have a node keep what it would refuse, for it to give that to others."""
    place, until = DHTID.generate(source=KEY), get_dht_time() + 60
    for subkey in (b"[owner:ssh-foo AAAA]", b"[owner:ssh-rsa AAAA]", b"no owner"):
        node.protocol.storage.store(place, b"\xc1 no value", until, subkey=subkey)


def test_a_node_that_keeps_what_makes_no_sense_silences_nobody(nodes: list[LookingNode]) -> None:
    nodes[1].dht.run_coroutine(_lie)
    for node in nodes:
        node.look(samples=7)
    owners = {node.identity.owner for node in nodes}
    for node in nodes:
        assert set(node.look(samples=7)) == owners


def test_what_is_stored_once_does_not_travel_again(nodes: list[LookingNode]) -> None:
    home, looks = nodes[2], 20
    for node in nodes:
        node.look()
    before = home.passed
    for _ in range(looks):
        assert len(home.look()) == 3
    passed = home.passed - before
    calls = looks * majority(2)
    assert passed.down < 1.3 * calls * CALL_BYTES, "the others' records are known"
    assert passed.up < 1.3 * calls * (CALL_BYTES + RECORD_BYTES), "its own is new each time"


async def _asked(_: "hivemind.DHT | None", node: Any, peer: PeerID) -> bool:
    """Return true if a peer's program does not have the call."""
    try:
        await NewsService.get_stub(node.p2p, peer).rpc_news(
            question(DHTID.generate(source=KEY), []), timeout=30
        )
    except P2PDaemonError as error:
        return is_unknown_call(error)
    return False


def test_a_node_of_an_older_program_is_told_from_a_silent_one_and_looks_go_on(
    nodes: list[LookingNode],
) -> None:
    older = hivemind.DHT(initial_peers=list(map(str, nodes[0].dht.get_visible_maddrs())), start=True)
    try:
        assert nodes[2].dht.run_coroutine(partial(_asked, peer=older.peer_id))
        assert not nodes[2].dht.run_coroutine(partial(_asked, peer=nodes[1].dht.peer_id))
        for node in nodes:
            node.look(samples=8)
        assert {node.identity.owner for node in nodes} == set(nodes[2].look(samples=8))
    finally:
        older.shutdown()


async def _ask_newcomers(_: "hivemind.DHT", node: Any) -> None:
    """Have a node ask each peer for news before it first calls back, which is while that one joins."""
    node.unknown, call = list[bool](), node.protocol.call_ping

    async def call_ping(peer: PeerID, **options: Any) -> Any:
        node.unknown.append(await _asked(None, node, peer))
        return await call(peer, **options)

    node.protocol.call_ping = call_ping


async def _unknown(_: "hivemind.DHT", node: Any) -> list[bool]:
    found: list[bool] = node.unknown
    return found


def test_a_newcomer_gives_records_before_it_meets_others(tmp_path: Path) -> None:
    made = [LookingNode(tmp_path, 0, None)]
    try:
        made[0].dht.run_coroutine(_ask_newcomers)
        made.append(LookingNode(tmp_path, 1, made[0]))
        unknown = made[0].dht.run_coroutine(_unknown)
        assert unknown, "it calls no newcomer"
        assert not any(unknown)
    finally:
        for node in made:
            node.dht.shutdown()


class AskingReader(RecordReader):
    """A reader that takes note of whom it asks among ten nodes, of which five keep a key; some are slow to answer."""

    silent, authorizer = False, None

    def __init__(
        self,
        *,
        entrance: int | None = None,
        slow: Collection[int] = (),
        keeping: int = 10,
        known: Mapping[int, str] | None = None,
        look_seconds: float = 20.0,
    ) -> None:
        self.num_replicas, self.protocol = 5, self
        self.routing_table = SimpleNamespace(uid_to_peer_id=known or {})
        self.record_validator, self.storage = None, DHTLocalStorage()
        node_and_replicas: Any = self
        keys = ReadKeys(complete=frozenset(("all",)), at_entrances=frozenset(("told",)))
        super().__init__(node_and_replicas, node_and_replicas, keys, look_seconds=look_seconds)
        self._entrance, self._slow, self._keeping, self.asked = entrance, slow, keeping, list[int]()

    async def of(self, key: DHTID) -> dict[DHTID, Any]:
        return {DHTID(number): None for number in range(self._keeping)}

    def entrance_of(self, key: DHTID) -> tuple[DHTID, Any] | None:
        return None if self._entrance is None else (DHTID(self._entrance), None)

    async def _ask(
        self, place: DHTID, own: KeptRecord | None, node_id: DHTID, peer: PeerID, *, reads: bool = True
    ) -> bool:
        self.asked.append(int(node_id))
        if int(node_id) in self._slow:
            await asyncio.Event().wait()
        return not self.silent


def _look(reader: RecordReader) -> KeyLook:
    return asyncio.run(reader.exchange("other", b"owner", {"a": 1}, get_dht_time() + 60))


def test_it_is_known_whether_anybody_answered() -> None:
    reader = AskingReader()
    for reader.silent in (False, True, False):
        assert _look(reader).is_answered != reader.silent


@pytest.mark.parametrize(("known", "expected"), [({}, True), ({1: "a peer"}, False)], ids=["alone", "banned"])
def test_one_that_knows_others_and_may_ask_none_is_not_answered(
    known: dict[int, str], expected: bool
) -> None:
    reader = AskingReader(keeping=0, known=known)
    assert _look(reader).is_answered is expected
    assert not reader.asked


class SearchingReader(AskingReader):
    """A reader that looks for nodes, none of which answers."""

    async def of(self, key: DHTID) -> dict[DHTID, Any]:
        await asyncio.Event().wait()
        return {}


class MuteReader(AskingReader):
    """A reader of which the nodes neither answer nor refuse."""

    async def _ask(
        self, place: DHTID, own: KeptRecord | None, node_id: DHTID, peer: PeerID, *, reads: bool = True
    ) -> bool:
        await asyncio.Event().wait()
        return True


@pytest.mark.parametrize("kind", [SearchingReader, MuteReader])
def test_a_look_at_nodes_that_do_not_answer_ends_in_time_with_what_is_known(kind: type[AskingReader]) -> None:
    reader = kind(look_seconds=0.3)
    reader.storage.store(DHTID.generate(source="other"), b"\x01", get_dht_time() + 60, subkey=b"known")
    began = time.monotonic()
    look = _look(reader)
    assert 0.3 <= time.monotonic() - began < 10.0
    assert not look.is_answered
    assert b"known" in look.found.value


class StrictRules(RecordValidatorBase):  # type: ignore[misc]  # hivemind has no types
    """Refuses records that end too late, as a run's rules do."""

    def validate(self, record: DHTRecord) -> bool:
        return bool(record.expiration_time <= get_dht_time() + 150.0)


class GivenReader(RecordReader):
    """A reader to which the only node that it knows gives the same records each time."""

    def __init__(self, given: Sequence[KeptRecord]) -> None:
        self.num_replicas, self.protocol, self.p2p, self.blacklist = 5, self, None, self
        self.record_validator, self.storage, self.authorizer = StrictRules(), DHTLocalStorage(), None
        self.rpc_semaphore, self.wait_timeout, self.node_info = asyncio.Semaphore(), 3.0, dht_pb2.NodeInfo()
        self._given = given
        node_and_replicas: Any = self
        super().__init__(node_and_replicas, node_and_replicas, ReadKeys(lasting=lambda: {"ruled": 150.0}))

    async def of(self, key: DHTID) -> dict[DHTID, Any]:
        return {DHTID(1): None}

    def register_success(self, peer: PeerID) -> None:
        pass

    async def rpc_news(self, request: dht_pb2.StoreRequest, timeout: float) -> dht_pb2.FindResponse:
        packed = [DHTProtocol.serializer.dumps(list(entry)) for entry in self._given]
        return dht_pb2.FindResponse(results=[dht_pb2.FindResult(value=value) for value in packed])


@pytest.mark.parametrize(
    ("key", "ends", "expected"),
    [
        ("ruled", [], True),
        ("ruled", [120.0], True),
        ("ruled", [150.0], True),
        ("ruled", [7200.0, 7300.0], False),
        ("ruled", [-60.0], False),
        ("ruled", [-60.0, 120.0], True),
        ("ruled", [7200.0, 120.0], True),
        ("other", [7200.0], True),
    ],
)
def test_a_node_that_gives_but_records_of_another_time_has_not_answered(
    key: str, ends: list[float], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = get_dht_time()
    reader = GivenReader([(b"%d" % number, b"\x01", now + seconds) for number, seconds in enumerate(ends)])
    monkeypatch.setattr(NewsService, "get_stub", lambda *_: reader)
    look = asyncio.run(reader.exchange(key, b"owner", {"a": 1}, now + 60))
    assert look.is_answered is expected


@pytest.mark.parametrize(
    ("key", "entrance", "expected"),
    [
        ("all", None, 5),
        ("other", None, 3),
        ("other", 7, 3),
        ("told", None, 3),
        ("told", 2, 3),
        ("told", 7, 4),
    ],
)
def test_all_nodes_that_keep_it_are_asked_for_a_commit_and_a_majority_for_others(
    key: str, entrance: int | None, expected: int
) -> None:
    for _ in range(10):
        reader = AskingReader(entrance=entrance)
        asyncio.run(reader.get(key, latest=True))
        assert len(set(reader.asked)) == len(reader.asked) == expected
        if key == "told" and entrance is not None:
            assert reader.asked[0] == entrance, "those near the key can't hide the swarm by themselves"


def test_a_node_that_is_slow_to_answer_holds_nobody_up() -> None:
    reader = AskingReader(slow=(0, 1))
    began = time.monotonic()
    asyncio.run(asyncio.wait_for(reader.get("other", latest=True), 30.0))
    assert len(reader.asked) >= 3
    assert {2, 3, 4} <= set(reader.asked)
    assert time.monotonic() - began < 20.0


@pytest.mark.parametrize(("keeping", "enough"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
def test_any_two_majorities_have_a_node_in_common(keeping: int, enough: int) -> None:
    assert majority(keeping) == enough
    assert 2 * enough > keeping
