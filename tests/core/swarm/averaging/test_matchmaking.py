"""An announcement of a leader is checked before its group averages."""

import asyncio
from collections.abc import Collection
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.group_info import GroupInfo
from hivemind.averaging.matchmaking import PotentialLeaders
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import MSGPackSerializer, get_dht_time

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.averaging.matchmaking import (
    FalseGroup,
    aim,
    group_of,
    named_by_content,
    require_own_entry,
    with_refused,
)
from core.swarm.rounds.assignment import MOST_REFUSED
from core.swarm.rounds.partition import cut, paced_factor
from core.swarm.rounds.round import RoundFailed, RoundRequest
from core.swarm.wire.group_records import MatchmakingRecord, matchmaking_key
from core.swarm.wire.limits import Observations, derive
from tests.core.swarm.builders import digest_of, identity, peer_bytes

PARTS = cut([(4000, Encoding.UNIFORM8)], part_bytes=400)
NODE, CLIENT, AUX = (AveragingMode[name].value for name in ("NODE", "CLIENT", "AUX"))
RULES = SwarmRules(group_size=8)


def announcement(mode: int = NODE, bandwidth: object = None, download: object = None) -> bytes:
    packed: bytes = MSGPackSerializer.dumps([bandwidth, mode, download])
    return packed


def info(*announced: bytes, peers: list[int] | None = None) -> GroupInfo:
    numbers = range(len(announced)) if peers is None else peers
    return GroupInfo(
        digest_of("group")[:20], tuple(PeerID(peer_bytes(number)) for number in numbers), announced
    )


def test_every_member_reads_the_same_group() -> None:
    found = group_of(info(announcement(), announcement(CLIENT), announcement(AUX)), PARTS, RULES)
    assert [peer.to_bytes() for peer in found.members] == [peer_bytes(number) for number in range(3)]
    assert found.senders == (0, 1)
    assert set(found.owners) == {0, 2}
    assert found.parts_of(1) == ()
    assert sorted(found.parts_of(0) + found.parts_of(2)) == list(range(len(PARTS)))


@pytest.mark.parametrize(
    ("own", "is_taken"),
    [
        (announcement(), True),
        (announcement(CLIENT), False),
        (announcement(bandwidth=1.0), False),
        (b"", False),
    ],
)
def test_a_peer_leaves_a_group_whose_leader_announced_it_otherwise_than_it_did(
    own: bytes, is_taken: bool
) -> None:
    """One that calls all others unable to reduce would reduce everything itself."""
    found = info(announcement(CLIENT), own)
    with nullcontext() if is_taken else pytest.raises(RoundFailed, match="otherwise"):
        require_own_entry(found, PeerID(peer_bytes(1)), announcement())


def test_a_peer_that_is_not_in_the_announced_group_leaves_it() -> None:
    with pytest.raises(RoundFailed, match="otherwise"):
        require_own_entry(info(announcement()), PeerID(peer_bytes(1)), announcement())


def test_a_group_is_named_by_all_that_its_leader_announced() -> None:
    told = info(announcement(), announcement())
    unlike = [info(announcement(), announcement(CLIENT)), info(announcement(), announcement(), peers=[1, 0])]
    named = named_by_content(told)
    assert named == named_by_content(told)
    assert len(named.group_id) == len(told.group_id) == 20
    assert (named.peer_ids, named.gathered) == (told.peer_ids, told.gathered)
    assert len({named.group_id, *(named_by_content(item).group_id for item in unlike)}) == 3


def test_a_peer_that_most_others_refuse_reduces_nothing() -> None:
    refusing = with_refused(announcement(), [PeerID(peer_bytes(2))])
    found = group_of(info(refusing, refusing, announcement()), PARTS, RULES)
    assert set(found.owners) == {0, 1}
    assert found.senders == (0, 1, 2)
    assert set(group_of(info(refusing, announcement(), announcement()), PARTS, RULES).owners) == {0, 1, 2}


def test_the_refusals_of_one_users_peers_count_once() -> None:
    refusing = with_refused(announcement(), [PeerID(peer_bytes(2))])
    told, users = info(refusing, refusing, announcement(), announcement()), ("eve", "eve", "ann", "bob")
    found = group_of(told, PARTS, RULES, users)
    assert set(found.owners) == {0, 1, 2, 3}
    assert found.users == users
    assert set(group_of(told, PARTS, RULES).owners) == {0, 1, 3}


def test_a_peer_that_refuses_no_one_announces_what_it_did_before() -> None:
    assert with_refused(announcement(), []) == announcement()


def test_a_peer_alone_is_a_group() -> None:
    found = group_of(info(announcement()), PARTS, RULES)
    assert (found.senders, set(found.owners)) == ((0,), {0})


def test_bandwidths_are_heeded_within_bounds() -> None:
    found = group_of(info(announcement(bandwidth=1.0), announcement(bandwidth=1e300)), PARTS, RULES)
    assert 0.2 < len(found.parts_of(0)) / len(PARTS) < 0.5


def test_what_is_sent_to_a_member_is_spread_over_the_time_in_which_it_takes_its_bytes() -> None:
    found = group_of(info(announcement(), announcement(download=1000.0), announcement(CLIENT)), PARTS, RULES)
    whole, own = (
        sum(PARTS[index].wire_bytes for index in indices) for indices in (range(10), found.parts_of(1))
    )
    assert found.taking == pytest.approx((0.0, (whole - own + 2 * own) / 1000, 0.0))
    assert found.seconds == pytest.approx(paced_factor(found.owners) * found.taking[1]), (
        "aggregates begin to arrive once the first values have"
    )


def test_a_claim_to_take_almost_nothing_does_not_stretch_a_round_beyond_its_bound() -> None:
    found = group_of(info(announcement(), announcement(download=0.0)), PARTS, RULES)
    assert found.taking == (0.0, RULES.allreduce_seconds / paced_factor(found.owners))
    assert found.seconds == pytest.approx(RULES.allreduce_seconds)


MALFORMED: dict[str, GroupInfo] = {
    "nobody": info(),
    "too many": info(*[announcement()] * 9),
    "one twice": info(announcement(), announcement(), peers=[0, 0]),
    "only clients": info(announcement(CLIENT), announcement(CLIENT)),
    "only auxiliary peers": info(announcement(AUX), announcement(AUX)),
    "no msgpack": info(announcement(), b"\xc1"),
    "nothing": info(announcement(), b""),
    "too few fields": info(announcement(), MSGPackSerializer.dumps([None, NODE])),
    "no list": info(announcement(), MSGPackSerializer.dumps(7)),
    "an unknown mode": info(announcement(), announcement(77)),
    "a mode that is none": info(announcement(), MSGPackSerializer.dumps([None, "node", None])),
    "too many fields": info(announcement(), MSGPackSerializer.dumps([None, NODE, None, [], 1])),
    "refused peers that are no list": info(announcement(), MSGPackSerializer.dumps([None, NODE, None, 7])),
    "a refused peer of another length": info(
        announcement(), MSGPackSerializer.dumps([None, NODE, None, [b"x"]])
    ),
    "too many refused peers": info(
        announcement(), MSGPackSerializer.dumps([None, NODE, None, [bytes(8)] * (MOST_REFUSED + 1)])
    ),
    "a negative bandwidth": info(announcement(), announcement(bandwidth=-1.0)),
    "a bandwidth that is no number": info(announcement(), announcement(bandwidth=float("nan"))),
    "an infinite bandwidth": info(announcement(), announcement(bandwidth=float("inf"))),
    "a bandwidth in words": info(announcement(), announcement(bandwidth="fast")),
    "a negative download": info(announcement(), announcement(download=-1.0)),
    "a download that is no number": info(announcement(), announcement(download=float("nan"))),
    "an infinite download": info(announcement(), announcement(download=float("inf"))),
    "a download in bytes": info(announcement(), announcement(download=b"")),
    "more peers than announcements": info(announcement(), peers=[0, 1]),
    "more announcements than peers": info(announcement(), announcement(), peers=[0]),
}


@pytest.mark.parametrize("found", MALFORMED.values(), ids=list(MALFORMED))
def test_a_malformed_group_is_refused(found: GroupInfo) -> None:
    with pytest.raises(RoundFailed):
        group_of(found, PARTS, RULES)


def request(*, epoch: int = 7, head: str = "head", expected: int = 3) -> RoundRequest:
    return RoundRequest(
        epoch=epoch,
        head=digest_of(head),
        expected_peers=expected,
        limits=derive(RULES, Observations()),
        timeout_seconds=30.0,
        started_at=0.0,
    )


class DeafDHT:
    """Stands in for a DHT node: it knows no peers, and never finishes taking a declaration back."""

    peer_id = PeerID(peer_bytes(0))

    def __init__(self) -> None:
        self.stored: list[tuple[str, bytes, MatchmakingRecord, float]] = []

    def store(
        self, key: str, value: dict[str, Any], expiration_time: float, subkey: bytes, return_future: bool
    ) -> "asyncio.Future[bool]":
        assert return_future
        record = MatchmakingRecord.model_validate(value)
        self.stored.append((key, subkey, record, expiration_time))
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if record.looks:
            future.set_result(True)
        return future

    async def get(self, key: str, latest: bool, return_future: bool) -> None:
        assert latest
        assert return_future


class TakingMatchmaking(SimpleNamespace):
    """Stands in for hivemind's matchmaking that takes all followers, and believes all leaders."""

    def _check_reasons_to_reject(self, request: Any, context: Any) -> None:
        return None

    async def follower_assemble_group(self, leader: PeerID, message: Any) -> Any:
        return message


def aimed(
    asked: RoundRequest, *, schema: bytes = b"schema", dht: Any = DeafDHT, avoided: Collection[PeerID] = ()
) -> Any:
    matchmaking = TakingMatchmaking(potential_leaders=SimpleNamespace())
    owner = identity(0).owner
    aim(matchmaking, asked, dht=dht, prefix="tiny", schema=schema, rules=RULES, owner=owner, avoided=avoided)
    return matchmaking


@pytest.mark.parametrize(
    ("caller", "gathered", "answer"),
    [
        (1, announcement(), None),
        (2, announcement(), averaging_pb2.GROUP_IS_FULL),
        (1, b"", averaging_pb2.PROTOCOL_VIOLATION),
        (1, announcement(77), averaging_pb2.PROTOCOL_VIOLATION),
    ],
    ids=["good", "avoided", "empty", "malformed"],
)
def test_a_leader_takes_neither_peers_that_it_avoids_nor_announcements_that_spoil_the_group(
    caller: int, gathered: bytes, answer: int | None
) -> None:
    asked = SimpleNamespace(gather=gathered, client_mode=False)
    found = aimed(request(), avoided=[PeerID(peer_bytes(2))])._check_reasons_to_reject(
        asked, SimpleNamespace(remote_id=PeerID(peer_bytes(caller)))
    )
    assert (found and found.code) == answer


def test_a_group_does_not_wait_for_peers_that_were_turned_away() -> None:
    culprit, asked = PeerID(peer_bytes(2)), SimpleNamespace(gather=announcement(), client_mode=False)
    matchmaking = aimed(request(expected=4), avoided=[culprit])
    assert matchmaking.target_group_size == 4
    matchmaking._check_reasons_to_reject(asked, SimpleNamespace(remote_id=culprit))
    sizes = []
    for avoided in ([culprit], [culprit], []):
        aim(
            matchmaking,
            request(expected=4),
            dht=DeafDHT,
            prefix="tiny",
            schema=b"schema",
            rules=RULES,
            owner=identity(0).owner,
            avoided=avoided,
        )
        sizes.append(matchmaking.target_group_size)
    assert sizes == [3, 4, 4], "it is expected again once it no longer asks"


def begin(*peers: int, gathered: int | None = None) -> averaging_pb2.MessageFromLeader:
    """Return a leader's message that a group begins, with as many announcements as peers or another number."""
    count = len(peers) if gathered is None else gathered
    return averaging_pb2.MessageFromLeader(
        code=averaging_pb2.BEGIN_ALLREDUCE,
        group_id=digest_of("group")[:20],
        ordered_peer_ids=[peer_bytes(number) for number in peers],
        gathered=[announcement()] * count,
    )


@pytest.mark.parametrize("told", [begin(1, 2), begin(), begin(0, 1, gathered=1), begin(0, 1, gathered=3)])
def test_a_group_without_this_peer_or_of_other_lengths_is_false(
    told: averaging_pb2.MessageFromLeader,
) -> None:
    matchmaking, leader = aimed(request()), PeerID(peer_bytes(1))
    with pytest.raises(FalseGroup):
        asyncio.run(matchmaking.follower_assemble_group(leader, told))
    assert matchmaking.announced_by == leader


def test_the_leader_that_announced_the_group_is_known() -> None:
    matchmaking, leader = aimed(request()), PeerID(peer_bytes(1))
    assert matchmaking.announced_by is None
    told = begin(0, 1)
    assert asyncio.run(matchmaking.follower_assemble_group(leader, told)) is told
    assert matchmaking.announced_by == leader
    again = request()
    aim(
        matchmaking, again, dht=DeafDHT, prefix="tiny", schema=b"schema", rules=RULES, owner=identity(0).owner
    )
    assert matchmaking.announced_by is None


def test_only_peers_at_the_same_place_meet() -> None:
    here = aimed(request())
    for elsewhere in (
        aimed(request(epoch=8)),
        aimed(request(head="other")),
        aimed(request(), schema=b"other"),
    ):
        assert elsewhere.group_key_manager.prefix != here.group_key_manager.prefix
        assert elsewhere.schema_hash != here.schema_hash
    assert aimed(request(expected=5)).group_key_manager.prefix == here.group_key_manager.prefix


def test_keys_have_no_dots_by_which_hivemind_would_split_them() -> None:
    assert "." not in aimed(request()).group_key_manager.prefix


def test_a_search_ends_though_the_dht_does_not_take_its_declaration_back() -> None:
    async def search() -> None:
        leaders = PotentialLeaders(dht.peer_id, min_matchmaking_time=60.0, target_group_size=3)
        step = SimpleNamespace(deadline=get_dht_time() + 120.0, scheduled_time=get_dht_time())
        keys = aimed(request(), dht=dht).group_key_manager
        async with leaders.begin_search(step, keys):
            while not dht.stored:
                await asyncio.sleep(0.01)

    async def ends() -> bool:
        ended, _ = await asyncio.wait({asyncio.create_task(search())}, timeout=10)
        return bool(ended)

    dht = DeafDHT()
    assert asyncio.run(ends())
    (key, owner, declared, until), (same_key, same_owner, taken_back, until_later) = dht.stored
    assert (
        (key, owner) == (same_key, same_owner) == (matchmaking_key("tiny", declared.place), identity(0).owner)
    )
    assert [declared.looks, taken_back.looks] == [True, False]
    assert declared.peer_id == taken_back.peer_id == peer_bytes(0)
    assert until_later > until, "an older value never replaces a newer one"


def test_a_group_waits_for_whom_it_expects_and_no_more_than_the_run_allows() -> None:
    assert aimed(request(expected=3)).target_group_size == 3
    assert aimed(request(expected=100)).target_group_size == RULES.group_size
    found = aimed(request())
    assert found.request_timeout < found.min_matchmaking_time == RULES.matchmaking_seconds
    assert found.potential_leaders.min_matchmaking_time == found.min_matchmaking_time
    assert found.potential_leaders.target_group_size == 3
