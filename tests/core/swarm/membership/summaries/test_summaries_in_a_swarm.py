"""Real nodes on loopback: a summariser reads the shards, and peers know the swarm by what they pass on."""

from pathlib import Path
from typing import Any

import pytest
from hivemind.utils import get_dht_time

from core.swarm.lookup import gossip
from core.swarm.membership.deputies import DeputyRules
from core.swarm.membership.looks import SwarmLooks
from core.swarm.membership.shards import ShardReader
from core.swarm.membership.summariser import Summariser
from core.swarm.membership.swarm_view import peers_of
from tests.core.swarm.builders import HandClock, digest_of, progress
from tests.core.swarm.membership.looking_members import (
    ANSWER_SECONDS,
    LEVEL,
    PREFIX,
    LookingMember,
    always,
    learn,
)
from tests.waiting import wait_until


def test_peers_of_a_large_swarm_know_it_by_its_summary(
    members: list[LookingMember], summariser: Summariser
) -> None:
    learn(members, summariser)  # which says where records are to be stored
    looks = learn(members, summariser)
    for member, look in zip(members, looks, strict=True):
        assert look.is_summary
        assert look.is_answered
        assert member.looks.level == LEVEL
        assert peers_of(look.others) == len(members) - 1
        assert sum(item.samples for item in look.others) == 10 * (len(members) - 1)


def test_one_who_comes_later_finds_the_shards(
    members: list[LookingMember], summariser: Summariser, tmp_path: Path
) -> None:
    learn(members, summariser)
    newcomer = LookingMember(tmp_path, 9, members[0], client_mode=True)
    try:
        wait_until(lambda: newcomer.look().is_summary, "the summary is not found")
        assert newcomer.looks.level == LEVEL
        reader = ShardReader(newcomer.dht, PREFIX, level_of=always(LEVEL))
        expected = {item.identity.peer_id.to_bytes() for item in (*members, newcomer)}
        wait_until(lambda: {item.peer_id for item in reader.read()} == expected, "not all are found")
        newcomer.looks.leave(
            newcomer.record(leaving=True), ANSWER_SECONDS
        )  # the other tests count without it
    finally:
        newcomer.dht.shutdown()


def test_a_reader_that_begins_late_learns_the_level_from_a_summary(
    members: list[LookingMember], summariser: Summariser
) -> None:
    learn(members, summariser)
    reader = ShardReader(members[2].dht, PREFIX, level_of=lambda peers, present: present)

    def all_are_read() -> bool:
        for member in members:  # as real ones do: a record that is not renewed no longer counts
            member.look()
        return len(reader.read()) == len(members) and reader.levels.present == LEVEL

    wait_until(all_are_read, "the shards are not found")


def test_shards_are_found_when_all_summaries_have_expired(
    members: list[LookingMember], tmp_path: Path
) -> None:
    def nothing(deputies: gossip.AdmittedDeputies | None = None) -> list[Any]:
        return []

    for member in members:
        member.look()
    newcomer = LookingMember(tmp_path, 8, members[0])
    try:
        reader = ShardReader(newcomer.dht, PREFIX, level_of=lambda peers, present: present)
        reader._asker.answered = nothing  # type: ignore[method-assign]
        assert len(reader.read()) == len(members)
        assert reader.levels.present == LEVEL
    finally:
        newcomer.dht.shutdown()


def test_a_reading_of_far_fewer_peers_is_not_believed_at_once(members: list[LookingMember]) -> None:
    reader = ShardReader(members[0].dht, PREFIX, level_of=always(LEVEL))
    for member in members:
        member.look()
    reader._last = [progress(number, time=get_dht_time(), looks_every=30.0) for number in range(100)]
    assert [len(reader.read()) for _ in range(3)] == [100] * 3
    assert len(reader.read()) == len(members)


def test_only_those_by_whom_one_has_entered_are_believed(
    members: list[LookingMember], summariser: Summariser
) -> None:
    liar = Summariser(members[1].dht, PREFIX, members[1].identity, level_of=always(LEVEL))
    learn(members, summariser)
    liar.turn()
    for _ in range(6):
        gossip.pull(members[2].dht).result(timeout=ANSWER_SECONDS)
    values, _ = gossip.pull(members[2].dht).result(timeout=ANSWER_SECONDS)
    assert [value["peer_id"] for value in values] == [members[0].identity.peer_id.to_bytes()]


@pytest.mark.parametrize(("follows", "epoch"), [(True, 8), (False, 7)])
def test_who_judges_states_takes_no_peer_to_have_followed_a_commit_by_its_own_word(
    members: list[LookingMember], summariser: Summariser, follows: bool, epoch: int
) -> None:
    """A trainer goes by its own step until the next summary; a publisher would confirm its own state by that."""
    learn(members, summariser)
    one, clock = members[2], HandClock()
    looks = SwarmLooks(
        one.dht,
        PREFIX,
        one.identity.owner,
        answer_seconds=ANSWER_SECONDS,
        follows_commits=follows,
        clock=clock,
    )

    def knows_a_summary() -> bool:
        clock.now += 61.0
        return looks.look(one.record(), publishes=False).is_summary

    wait_until(knows_a_summary, "it finds no summary")
    moved = one.record(epoch=8, head=digest_of("next"), parameters=digest_of("its own"))
    others = looks.look(moved, publishes=False).others
    assert {item.epoch for item in others} == {epoch}
    assert any(item.parameters == moved.parameters for item in others) == follows


def test_without_a_new_summary_a_peer_draws_a_sample_of_its_own(
    members: list[LookingMember], summariser: Summariser, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(members, summariser)
    for member in members:
        monkeypatch.setattr(member.looks._summaries, "_rules", DeputyRules(fresh_seconds=-1.0))
    for member in members:
        member.look()
    for member in members:
        look = member.look()
        assert look.is_summary
        assert all(item.peers == 1 << LEVEL for item in look.others)
