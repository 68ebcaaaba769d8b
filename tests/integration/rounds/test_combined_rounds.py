"""Groups of real peers that combine: one commit covers them all, and a group that is lost falls out."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.failure_series import FailureSeries
from core.swarm.averaging.averager import GradientAverager
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest, RoundStatus
from core.swarm.rounds.summary import fetch_summary, with_contributors
from tests.integration.rounds.test_swarm_rounds import assert_agreed, relative_error
from tests.swarms.swarm_peers import (
    GENESIS,
    GROUP_SECONDS,
    LIMITS,
    PREFIX,
    RULES,
    LoopbackPeer,
    LoopbackSwarm,
    die_at,
    exact_mean,
    loopback_swarm,
    outcomes,
    parts,
)

COMBINING = RULES.model_copy(update={"group_size": 2, "most_groups": 8, "averaging_seconds": 60.0})


@pytest.fixture
def swarm(tmp_path: Path, log: Path) -> Iterator[LoopbackSwarm]:
    with loopback_swarm(tmp_path, rules=COMBINING) as made:
        yield made


def assert_mean(peers: list[LoopbackPeer], of: list[LoopbackPeer]) -> None:
    assert_agreed(peers)
    for average, exact in zip(peers[0].outputs, exact_mean(of), strict=True):
        assert relative_error(average, exact) < 4e-2


def late_request() -> RoundRequest:
    """The request of a peer that took no part."""
    return RoundRequest(0, GENESIS, 1, LIMITS, GROUP_SECONDS, get_dht_time() + 1.0)


def test_one_commit_covers_all_groups_of_an_epoch(swarm: LoopbackSwarm) -> None:
    peers = [swarm.add() for _ in range(6)]
    for epoch, head in enumerate([bytes(32)] * 2):
        found = outcomes([peer.begin(epoch, head, expected=6) for peer in peers], seconds=60.0)
        assert len({item.head for item in found}) == 1
        assert {item.standing for item in found} == {RoundStatus.AVERAGED}
        assert {item.members for item in found} == {6}
        assert {item.samples for item in found} == {sum(peer.weight for peer in peers)}
        assert all(item.included and item.counted for item in found)
        assert_mean(peers, peers)


def test_a_killed_reducer_costs_its_group_alone(swarm: LoopbackSwarm) -> None:
    """The peer that is left of its group looks for another one, or finds that the others have committed meanwhile."""
    survivors = [swarm.add() for _ in range(5)]
    victim = swarm.add(observe=die_at(RoundEvent.PART_REDUCED, 2))
    steps = [peer.begin(expected=6) for peer in [*survivors, victim]]
    ended, failed = dict[str, RoundOutcome](), list[str]()
    for peer, step in zip(survivors, steps[:5], strict=True):
        try:
            ended[peer.voice] = step.result(timeout=90)
        except RoundFailed as error:
            failed.append(error.what)
            ended[peer.voice] = peer.averager.catch_up(late_request(), []).result(timeout=90)
    assert all("time for another group" in what for what in failed)
    assert {found.members for found in ended.values()} == {4}
    assert len({found.head for found in ended.values()}) == 1
    included = [peer for peer in survivors if ended[peer.voice].included]
    assert len(included) == 4
    assert_mean(survivors, included)


def test_peers_that_accept_no_connections_and_auxiliary_ones_take_part(swarm: LoopbackSwarm) -> None:
    """The peers that accept connections do not form groups among themselves: the others would have no leader."""
    helper, full = swarm.add(auxiliary=True), [swarm.add(), swarm.add()]
    homes = [swarm.add(client_mode=True) for _ in range(2)]
    trainers = [*full, *homes]
    steps = [peer.begin(expected=5, clients=2) for peer in trainers]
    helping = helper.begin(expected=5, clients=2)
    found = outcomes(steps, seconds=60.0)
    with pytest.raises(RoundFailed, match=r"auxiliary|No group"):  # none may be left for it
        helping.result(timeout=30)
    assert {item.members for item in found} == {4}
    assert_mean(trainers, trainers)


def test_a_peer_that_took_no_part_fetches_what_several_groups_committed(swarm: LoopbackSwarm) -> None:
    peers = [swarm.add() for _ in range(4)]
    found = outcomes([peer.begin(expected=4) for peer in peers], seconds=60.0)
    assert {item.members for item in found} == {4}
    late = swarm.add()
    caught_up = late.averager.catch_up(late_request(), []).result(timeout=30)
    assert (caught_up.head, caught_up.standing) == (found[0].head, RoundStatus.CAUGHT_UP)
    assert_mean([*peers, late], peers)


def test_the_contributors_of_all_groups_are_had_from_their_heads(swarm: LoopbackSwarm) -> None:
    peers = [swarm.add() for _ in range(4)]
    head = outcomes([peer.begin(expected=4) for peer in peers], seconds=60.0)[0].head
    names = asyncio.run(_contributors(swarm, peers, head))
    assert names == {peer.averager.peer_id.to_bytes(): peer.weight for peer in peers}


async def _contributors(swarm: LoopbackSwarm, peers: list[LoopbackPeer], root: bytes) -> dict[bytes, float]:
    p2p = await swarm.add().dht.replicate_p2p()

    def stub_of(peer: PeerID) -> Any:
        return GradientAverager.get_stub(p2p, peer, namespace=PREFIX)

    donors = [peer.averager.peer_id for peer in peers[:1]]
    try:
        summary = await fetch_summary(
            root,
            donors,
            parts=parts(),
            stub_of=stub_of,
            silence_seconds=5.0,
            failures=FailureSeries(logging.getLogger(__name__), "Fetching"),
        )
        assert summary is not None
        assert not summary.contributors
        found = await with_contributors(summary, donors, stub_of=stub_of, silence_seconds=5.0)
        return {item.peer_id: item.weight for item in found.contributors}
    finally:
        await p2p.shutdown()
