"""A peer at level 0 leaves it where its own looks show a large swarm, whatever an entrance says, or says no more."""

import random

from core.run.look_schedule import PULL_SECONDS, SHARD_RENEWAL_SECONDS
from core.swarm.membership.deputies import DEPUTY_RULES, DeputyRules
from core.swarm.membership.looks import SwarmLook, SwarmLooks
from tests.core.swarm.builders import HandClock, identity, peer_bytes, progress
from tests.core.swarm.membership.listed_dht import PREFIX, ListedDHT

OWN = identity(2)
OWN_ID = OWN.peer_id.to_bytes()


class LookingPeer:
    """The looks of one peer, by the clock of its DHT."""

    def __init__(self, others: int, level: int = 0, rules: DeputyRules = DEPUTY_RULES) -> None:
        self.clock = HandClock()
        self.dht = ListedDHT(self.clock, others, level)
        self.looks = SwarmLooks(
            self.dht,
            PREFIX,
            OWN.owner,
            answer_seconds=1.0,
            clock=self.clock,
            dht_clock=self.clock,
            chance=random.Random(1),
            can_deputise=True,
            rules=rules,
        )

    def look(self, seconds: float = 10.0, *, publishes: bool = True) -> SwarmLook:
        self.clock.now += seconds
        own = progress(peer_id=OWN_ID, time=self.clock.now)
        return self.looks.look(own, publishes=publishes)

    def follows_after(self, seconds: float, *, told: int | None = None) -> float | None:
        """Return the seconds after which it has left level 0, while an entrance tells of so many peers at level 0."""
        began = self.clock.now
        while self.clock.now < began + seconds:
            if told is not None:
                self.dht.summaries = [self.dht.summary(told, 0)]
            self.look()
            if self.looks.level:
                return self.clock.now - began
        return None


def test_an_entrance_that_tells_of_a_small_swarm_is_not_believed_where_a_large_one_is_seen() -> None:
    peer = LookingPeer(others=300)
    after = peer.follows_after(600.0, told=40)
    assert after is not None
    assert after >= 180.0
    assert peer.looks.level == 4
    peer.dht.summaries = [peer.dht.summary(40, 0)]
    peer.look()
    assert peer.looks.level == 4, "it does not go back for the same lie"


def test_an_entrance_that_tells_of_a_small_swarm_is_not_believed_where_the_others_have_shards() -> None:
    peer = LookingPeer(others=300, level=4)
    after = peer.follows_after(3600.0, told=40)
    assert after is not None
    assert after >= 180.0
    assert peer.looks.level == 4
    assert peer.look().is_summary


def test_a_newcomer_that_hears_nothing_finds_the_others() -> None:
    peer = LookingPeer(others=300, level=4)
    after = peer.follows_after(240.0)
    assert after is not None
    assert peer.looks.level == 4
    assert len(peer.look(130.0).others) > 8


def test_a_record_that_no_node_has_taken_is_stored_again_at_the_next_look() -> None:
    peer = LookingPeer(others=300, level=4)
    peer.follows_after(240.0)
    peer.dht.summaries = [peer.dht.summary(300, 4)]

    def stores(looks: int) -> int:
        before = peer.dht.stored
        for _ in range(looks):
            peer.dht.summaries = [peer.dht.summary(300, 4)]
            peer.look(PULL_SECONDS, publishes=False)
        return peer.dht.stored - before

    turn = int(SHARD_RENEWAL_SECONDS / PULL_SECONDS)
    assert stores(3 * turn) == 3
    peer.dht.is_cut_off = True
    assert stores(turn + 2) == 3, "one in its turn, and one at each look after it"
    peer.dht.is_cut_off = False
    assert stores(turn) == 1


def test_small_swarms_stay_at_level_0() -> None:
    for told in (None, 60):
        peer = LookingPeer(others=60)
        assert peer.follows_after(3600.0, told=told) is None
        assert len(peer.look().others) == 60


def test_a_swarm_that_grows_while_an_entrance_works_waits_for_its_summary() -> None:
    peer = LookingPeer(others=100)
    assert peer.follows_after(3600.0) is None, "an entrance decides, or deputies do"


def test_where_nobody_ever_summarised_deputies_are_drawn_among_those_who_are_seen_for_long() -> None:
    peer = LookingPeer(others=100)
    assert peer.follows_after(DEPUTY_RULES.present_seconds) is None
    assert peer.dht.admitted == frozenset()
    peer.follows_after(200.0)
    assert len(peer.dht.admitted) >= DEPUTY_RULES.deputies
    assert peer.dht.admitted <= {*(peer_bytes(number) for number in range(1, 101)), OWN_ID}


def test_few_need_no_deputies() -> None:
    peer = LookingPeer(others=60)
    peer.follows_after(DEPUTY_RULES.present_seconds + 300.0)
    assert peer.dht.admitted == frozenset()


def test_a_peer_has_its_turn_as_a_deputy_after_those_before_it_have_none() -> None:
    peer = LookingPeer(others=100, rules=DeputyRules(reserves=100, step_seconds=1.0))
    turns = list[bool]()
    for seconds, told in (
        (DEPUTY_RULES.present_seconds, None),
        (DEPUTY_RULES.fresh_seconds + 60.0, None),
        (120.0, 100),  # an entrance is back
    ):
        peer.follows_after(seconds, told=told)
        turns.append(peer.looks.is_deputy)
    assert turns == [False, True, False]
