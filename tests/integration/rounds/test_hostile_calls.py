"""A real peer under mutated calls lives, grows little, and makes rounds with honest ones all the while.

``python -m benchmarks.fuzzing.served`` sends a million messages in the same way.
"""

from pathlib import Path

import pytest

from benchmarks.fuzzing.served_calls import KnownToCaller, served_calls
from benchmarks.fuzzing.served_peers import ServedReading, attack_as_members, attack_peers
from core.swarm.wire.identity import PeerIdentity
from tests.gate.run_gate import RunGate

MESSAGES, PARTS = 800, 10
"""Messages of a run, and its parts.

Four new callers send each part, so that 36 come after the first reading: more than the connections that may be open.
"""
GROWTH_MIB = 80.0
"""Rounds and the first use of code take memory as well: 25 MiB with half as many messages."""


def assert_no_harm(first: ServedReading, last: ServedReading) -> None:
    assert last.messages == MESSAGES
    assert last.outcomes["answered"] > MESSAGES // 10
    assert last.outcomes["refused"] > MESSAGES // 20
    assert last.outcomes.total() == MESSAGES // PARTS // 4 * 4 * PARTS
    assert last.holdings.rss_mib - first.holdings.rss_mib < GROWTH_MIB
    assert last.holdings.files <= first.holdings.files + 16, (
        "connections of callers that have gone may be open"
    )
    assert last.holdings.threads <= first.holdings.threads + 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the identities: making those of all callers takes seconds."""
    return tmp_path_factory.mktemp("peers")


def test_mutated_calls_do_no_harm_to_a_peer(log: Path, folder: Path) -> None:
    first, *_, last = attack_peers(folder, MESSAGES, seed=1, parts=PARTS)
    assert_no_harm(first, last)


def test_mutated_calls_of_members_reach_the_handlers_and_do_no_harm(log: Path, folder: Path) -> None:
    first, *_, last = attack_as_members(folder, MESSAGES, seed=1, parts=PARTS)
    assert_no_harm(first, last)
    assert last.outcomes["not_admitted"] < MESSAGES // 20, "what hides the token at the end of a message"


def test_every_served_call_has_valid_requests(tmp_path: Path) -> None:
    calls = served_calls(KnownToCaller(PeerIdentity.load_or_create(tmp_path / "key")))
    assert {"rpc_store", "rpc_news", "rpc_newer", "rpc_aggregate_part", "rpc_fetch_pieces"} <= {
        call.name for call in calls
    }
    assert all(call.handler.request_type.FromString(request) for call in calls for request in call.requests)


def test_a_member_shows_its_token_whatever_was_changed_before_it(tmp_path: Path) -> None:
    identity = PeerIdentity.load_or_create(tmp_path / "key")
    token = RunGate().token(identity)
    calls = served_calls(KnownToCaller(identity, token=token))
    showing = [call for call in calls if call.shown]
    assert {call.name for call in showing} == {
        "rpc_ping",
        "rpc_store",
        "rpc_find",
        "rpc_news",
        "rpc_newer",
    }, "averagers know whom they admit by the swarm"
    for call in showing:
        for request in call.requests:
            read = call.handler.request_type.FromString(request + call.shown)
            assert read.auth.client_access_token.signature == token.encode()
