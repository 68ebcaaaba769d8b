"""Real nodes on loopback whose only entrance is killed: deputies take over within a stated time."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.swarm.membership.deputies import DeputyRules
from core.swarm.membership.swarm_view import peers_of
from tests.core.swarm.membership.looking_members import (
    ANSWER_SECONDS,
    LEVEL,
    LookingMember,
    LookingObserver,
    summariser_of,
)
from tests.waiting import wait_until

RULES = DeputyRules(fresh_seconds=10.0, step_seconds=2.0, least_seconds=0.0)
TURN_SECONDS = 0.5
LOOKS_EVERY = 5.0
"""Seconds in which a record says that it will be renewed: that of a killed peer counts for four times as long."""
TAKEN_OVER_SECONDS = RULES.fresh_seconds + 30.0
"""Seconds after the last summary of an entrance in which all peers have one of a deputy."""


@pytest.fixture
def members(tmp_path: Path) -> Iterator[list[LookingMember]]:
    """An entrance, four peers that others can connect to, and one in a home."""
    made = list[LookingMember]()
    try:
        for number in range(6):
            entrance = made[0] if made else None
            member = LookingMember(
                tmp_path, number, entrance, client_mode=number == 5, rules=RULES, looks_every=LOOKS_EVERY
            )
            made.append(member)
        yield made
    finally:
        for member in made:
            member.dht.shutdown()


def kill(member: LookingMember) -> None:
    """Kill the daemon of a node, which ends with it: nobody hears that it leaves."""
    (daemon,) = psutil.Process(member.dht.pid).children()
    daemon.kill()
    member.dht.join(ANSWER_SECONDS)
    assert not member.dht.is_alive()


def know(members: list[LookingMember], writers: set[bytes], peers: int) -> bool:
    """Return true if a look of each member finds so many others, by a summary of one of the ``writers``."""
    known = [
        _knows(member, writers, peers) for member in members
    ]  # each looks, also after one that knows none
    return all(known)


def _knows(member: LookingMember, writers: set[bytes], peers: int) -> bool:
    look, by = member.look(), member.looks._summaries.fresh
    return look.is_summary and by is not None and by.peer_id in writers and peers_of(look.others) == peers


@pytest.fixture
def observing(members: list[LookingMember], tmp_path: Path) -> Iterator[LookingObserver]:
    made = LookingObserver(tmp_path, members[0], rules=RULES)
    yield made
    made.dht.shutdown()


def test_deputies_summarise_once_the_only_entrance_is_killed(
    members: list[LookingMember], observing: LookingObserver
) -> None:
    entrance, others = members[0], members[1:]
    summariser = summariser_of(members)
    deputies = [member.as_deputy(TURN_SECONDS) for member in others[:-1]]
    try:
        for deputy in deputies:
            deputy.start()

        def all_know_the_entrances() -> bool:
            for member in members:
                member.look()
            summariser.turn()
            return know(others, {entrance.peer_id}, len(others))

        wait_until(all_know_the_entrances, "the summary of the entrance is not passed on", every=TURN_SECONDS)
        assert not any(member.looks.is_deputy for member in others), "the entrance does it"
        wait_until(
            lambda: observing.knows({entrance.peer_id}, len(members)),
            "the observer hears no entrance",
            every=TURN_SECONDS,
        )
        kill(entrance)
        able = {member.peer_id for member in others[:-1]}

        def all_know_a_deputys() -> bool:
            by_peers, by_observer = know(others, able, len(others) - 1), observing.knows(able, len(others))
            return by_peers and by_observer

        wait_until(all_know_a_deputys, "no deputy takes over", TAKEN_OVER_SECONDS, every=TURN_SECONDS)
        assert {member.looks.level for member in others} == {LEVEL}
    finally:
        for deputy in deputies:
            deputy.stop()
