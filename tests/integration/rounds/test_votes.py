"""Real peers commit by votes of more than half of them, whatever one of them writes, and whoever dies."""

import asyncio
import secrets
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hivemind.utils import get_dht_time

from core.swarm.quorum.electorate import RECENT, Electorate
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.round import QuorumMissed, RoundFailed, RoundRequest, RoundStatus
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import CommitRecord
from tests.integration.rounds.test_swarm_rounds import assert_agreed
from tests.swarms.swarm_peers import (
    GENESIS,
    LIMITS,
    PREFIX,
    LoopbackPeer,
    LoopbackSwarm,
    die_at,
    outcomes,
)

BRIEF = replace(LIMITS, sender_seconds=4.0, reducer_seconds=4.0, allreduce_seconds=8.0)
"""Limits of a round that is to fail: it waits for votes until they are over."""


def electorate(own: LoopbackPeer, peers: Sequence[LoopbackPeer]) -> Electorate:
    names = frozenset(peer.voice for peer in peers)
    return Electorate(len(names), names, own=own.voice)


class HostileVoter:
    """Writes a vote for a root of which nobody has the bytes, as often as it is to, beside the honest peers."""

    def __init__(self, swarm: LoopbackSwarm, peer: LoopbackPeer, every: float | None) -> None:
        identity = PeerIdentity.load_or_create(swarm.identity_file(swarm.peers.index(peer)))
        self._log, self._every, self.written = DHTCommitLog(peer.dht, PREFIX, identity), every, 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "HostileVoter":
        asyncio.run(self._vote())
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while self._every is not None and not self._stopping.wait(self._every):
            asyncio.run(self._vote())

    async def _vote(self) -> None:
        record = CommitRecord(
            epoch=0,
            parent=GENESIS,
            root=secrets.token_bytes(32),
            group=secrets.token_bytes(20),
            members=1,
            samples=9e7,
        )
        self.written += await self._log.write(record)


# Whoever writes roots again and again begins with one huge claim.
@pytest.mark.parametrize(
    "every",
    [
        pytest.param(None, id="one huge claim", marks=pytest.mark.exhaustive),
        pytest.param(0.4, id="a new root again and again"),
    ],
)
def test_one_member_of_four_neither_owns_nor_stops_a_commit(
    swarm: LoopbackSwarm, every: float | None
) -> None:
    peers = [swarm.add() for _ in range(4)]
    honest = peers[:3]
    with HostileVoter(swarm, peers[3], every) as hostile:
        steps = [peer.begin(expected=3, electorate=electorate(peer, peers)) for peer in honest]
        found = outcomes(steps, seconds=60.0)
    assert hostile.written >= 1
    assert {item.standing for item in found} == {RoundStatus.AVERAGED}
    assert {item.samples for item in found} == {sum(peer.weight for peer in honest)}
    assert all(item.votes > item.seats / 2 and item.seats == 4 for item in found)
    assert_agreed(honest)


def test_a_member_that_is_killed_as_it_votes_does_not_hold_up_the_others(swarm: LoopbackSwarm) -> None:
    survivors = [swarm.add() for _ in range(2)]
    victim = swarm.add(observe=die_at(RoundEvent.WRITING, 1))
    peers = [*survivors, victim]
    steps = [peer.begin(expected=3, electorate=electorate(peer, peers)) for peer in peers]
    found = outcomes(steps[:2], seconds=60.0)
    assert {item.standing for item in found} == {RoundStatus.AVERAGED}
    assert len({item.head for item in found}) == 1
    assert_agreed(survivors)


def test_one_of_two_waits_while_the_other_counts_as_present_and_goes_on_alone_afterwards(
    swarm: LoopbackSwarm,
) -> None:
    survivor = swarm.add()
    victim = swarm.add(observe=die_at(RoundEvent.WRITING, 1))
    both = [survivor, victim]
    steps = [peer.begin(expected=2, electorate=electorate(peer, both), limits=BRIEF) for peer in both]
    with pytest.raises(QuorumMissed):
        steps[0].result(timeout=120)
    (alone,) = outcomes([survivor.begin(expected=1, electorate=electorate(survivor, [survivor]))])
    assert alone.standing == RoundStatus.LEARNT_LATE, "what both had averaged has its vote"
    assert alone.samples == sum(peer.weight for peer in both)


def test_a_peer_that_finds_no_group_votes_for_what_others_have_averaged(swarm: LoopbackSwarm) -> None:
    """One of two that cannot join the other would halt it otherwise: one vote of two is no quorum."""
    both = [swarm.add() for _ in range(2)]
    alone, apart = both
    steps = [
        alone.begin(expected=1, electorate=electorate(alone, both)),
        apart.begin(expected=2, electorate=electorate(apart, both), group_seconds=2.0),
    ]
    found = outcomes(steps, seconds=60.0)
    assert [item.standing for item in found] == [RoundStatus.AVERAGED, RoundStatus.CAUGHT_UP]
    assert [item.included for item in found] == [True, False], "its samples are carried over"
    assert {(item.votes, item.seats) for item in found} == {(2.0, 2.0)}
    assert_agreed(both)


def test_a_peer_without_a_sample_votes_for_what_it_has_checked(swarm: LoopbackSwarm) -> None:
    """One of two is in a long micro-step: the other's epoch needs its vote, and must not wait for its sample."""
    busy, idle = both = [swarm.add() for _ in range(2)]
    seen = electorate(idle, both)
    request = RoundRequest(0, GENESIS, 2, LIMITS, 5.0, get_dht_time() + 1.0, electorate=seen)
    attending = idle.averager.attend(request)
    (found,) = outcomes([busy.begin(expected=1, electorate=electorate(busy, both))], seconds=60.0)
    assert (found.standing, found.votes, found.seats) == (RoundStatus.AVERAGED, 2.0, 2.0)
    attending.result(timeout=60)
    busy.averager.shutdown()
    caught_up = idle.averager.catch_up(request, []).result(timeout=30)
    assert caught_up.head == found.head, "it has what it voted for"
    assert_agreed(both)


def test_a_ghost_beside_a_lone_peer_holds_it_for_four_rounds(swarm: LoopbackSwarm) -> None:
    """The ghost is a user whose records say that it is there; it never joins, votes or answers."""
    home = swarm.add()
    seen = Electorate(2, frozenset({home.voice, "ghost"}), own=home.voice)
    for _ in range(RECENT):
        with pytest.raises(RoundFailed, match="No group formed"):
            home.begin(expected=2, electorate=seen, group_seconds=1.0).result(timeout=60)
    (alone,) = outcomes([home.begin(expected=1, electorate=seen)], seconds=60.0)
    assert (alone.votes, alone.seats) == (1.0, 1.0)
    (later,) = outcomes([home.begin(1, alone.head, expected=1, electorate=seen)], seconds=60.0)
    assert later.votes == 1.0, "it holds no later epoch"


def test_a_peer_that_looks_for_a_group_or_rests_votes_no_more_in_the_background(swarm: LoopbackSwarm) -> None:
    both = [swarm.add() for _ in range(2)]
    peer = both[0]
    seen = electorate(peer, both)
    request = RoundRequest(0, GENESIS, 2, LIMITS, 5.0, get_dht_time() + 1.0, electorate=seen)
    first, second = peer.averager.attend(request), peer.averager.attend(request)
    first.result(timeout=30)
    assert not second.done()
    step = peer.begin(expected=2, electorate=seen, group_seconds=1.0)
    second.result(timeout=30)
    third = peer.averager.attend(request)
    with pytest.raises(RoundFailed, match="No group formed"):
        step.result(timeout=60)
    peer.averager.attend(None).result(timeout=30)
    assert third.done()


def test_a_peer_that_finds_no_group_fails_where_no_other_votes(swarm: LoopbackSwarm) -> None:
    peer = swarm.add()
    step = peer.begin(expected=2, electorate=electorate(peer, [peer]), group_seconds=2.0)
    with pytest.raises(RoundFailed, match="No group formed"):
        step.result(timeout=60)


def test_a_peer_that_has_never_looked_for_a_group_commits_alone(swarm: LoopbackSwarm) -> None:
    peer = swarm.add()
    (found,) = outcomes([peer.begin(expected=1, electorate=electorate(peer, [peer]))])
    assert (found.standing, found.members) == (RoundStatus.AVERAGED, 1)


@pytest.mark.parametrize("gone", [True, False], ids=["most have applied it", "nobody knows"])
def test_a_latecomer_that_cannot_tell_who_is_silent_follows_most_users(
    swarm: LoopbackSwarm, gone: bool
) -> None:
    voter, late = swarm.add(), swarm.add()
    (found,) = outcomes([voter.begin(expected=1, electorate=electorate(voter, [voter]))])
    names = frozenset({voter.voice, late.voice, "silent"})
    seen = Electorate(3, names, own=late.voice, gone_to=(1, found.head) if gone else None)
    request = RoundRequest(0, GENESIS, 1, LIMITS, 5.0, get_dht_time() + 1.0, electorate=seen)
    asked = late.averager.catch_up(request, [])
    if gone:
        assert asked.result(timeout=30).head == found.head
        assert_agreed([voter, late])
    else:
        with pytest.raises(RoundFailed, match="more than half"):
            asked.result(timeout=30)
