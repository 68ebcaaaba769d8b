"""All members of a group assign alike, also those that were failed by others of it."""

from collections.abc import Mapping

import pytest

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.rounds.assignment import MemberAnnouncement, assignment_of, refused_members, short_name
from core.swarm.rounds.partition import cut
from tests.core.swarm.builders import peer_bytes

PARTS = cut([(4000, Encoding.UNIFORM8)], part_bytes=400)
MEMBERS = [peer_bytes(number) for number in range(5)]


def announced(
    count: int,
    refusals: Mapping[int, set[int]],
    *,
    clients: frozenset[int] = frozenset(),
    auxiliary: frozenset[int] = frozenset(),
) -> list[MemberAnnouncement]:
    return [
        MemberAnnouncement(
            sends=index not in auxiliary,
            reduces=index not in clients,
            refuses=frozenset(short_name(MEMBERS[named]) for named in refusals.get(index, set())),
        )
        for index in range(count)
    ]


@pytest.mark.parametrize(
    ("found", "refused"),
    [
        (announced(4, {}), set()),
        (announced(4, {0: {3}, 1: {3}, 2: {3}}), {3}),
        (announced(4, {0: {3}, 1: {3}}), {3}),
        (announced(4, {0: {3}}), set()),
        (announced(5, {0: {3}, 1: {3}}), set()),  # half of the others
        (announced(4, {3: {0, 1, 2}}), set()),  # one that accuses all
        (announced(4, {0: {3}, 1: {3}, 3: {3}}), {3}),
        (announced(3, {0: {2}, 2: {2}}), set()),  # its own name does not count
        (announced(2, {0: {1}}), {1}),
        (announced(2, {0: {1}, 1: {0}}), set()),  # nobody would be left
        (announced(4, {0: {3}, 1: {3}, 2: {3}}, clients=frozenset({0, 1})), {3}),  # clients have no voice
        (announced(4, {0: {3}, 1: {3}}, clients=frozenset({0, 1})), set()),
        (announced(4, {0: {3}, 1: {3}, 2: {3}}, auxiliary=frozenset({3})), {3}),
        (announced(4, {0: {2}, 3: {2}}, auxiliary=frozenset({3})), set()),  # nor have those that only reduce
        (announced(4, {0: {3}, 1: {3}, 2: {3}}, clients=frozenset({3})), set()),  # it reduces nothing anyway
    ],
)
def test_most_of_the_others_must_refuse_a_member(found: list[MemberAnnouncement], refused: set[int]) -> None:
    assert refused_members(found, MEMBERS[: len(found)]) == refused


@pytest.mark.parametrize(
    ("refusals", "users", "refused"),
    [
        ({0: {4}, 1: {4}, 2: {4}}, ("eve", "eve", "eve", "ann", "bob"), set()),  # one user, and one voice
        ({0: {4}, 1: {4}, 2: {4}, 3: {4}}, ("eve", "eve", "eve", "ann", "bob"), {4}),
        (
            {0: {4}, 3: {4}},
            ("eve", "eve", "eve", "ann", "bob"),
            {4},
        ),  # a third of a voice, and one more, of two
        ({3: {4}}, ("eve", "eve", "eve", "ann", "bob"), set()),
        (
            {0: {3}, 1: {3}},
            ("ann", "bob", "eve", "eve", "eve"),
            {3},
        ),  # its user's other peers shield it by one voice
        (
            {0: {4}, 1: {4}, 2: {4}},
            ("", "", "", "ann", "bob"),
            {4},
        ),  # members of unknown users count one by one
        ({0: {4}, 1: {4}, 2: {4}}, ("ann",) * 5, {4}),  # a swarm of one user
        ({0: {4}, 1: {4}}, ("ann",) * 5, set()),
    ],
)
def test_the_peers_of_a_user_have_one_voice(
    refusals: Mapping[int, set[int]], users: tuple[str, ...], refused: set[int]
) -> None:
    assert refused_members(announced(5, refusals), MEMBERS, users) == refused


def test_a_refused_member_sends_and_reduces_nothing() -> None:
    found = assignment_of(announced(4, {0: {3}, 1: {3}, 2: {3}}), PARTS, SwarmRules(), members=MEMBERS[:4])
    assert set(found.owners) == {0, 1, 2}
    assert found.senders == (0, 1, 2, 3)
    assert found.clients == ()
