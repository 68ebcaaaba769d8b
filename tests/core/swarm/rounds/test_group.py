"""The members of a group, by their parts and by their positions among the senders."""

import math
from dataclasses import replace

import pytest
from hivemind.p2p import PeerID

from core.swarm.rounds.group import Group
from tests.core.swarm.builders import digest_of, peer_bytes

FIRST, AUXILIARY, LAST, STRANGER = (PeerID(peer_bytes(number)) for number in range(4))
GROUP = Group(digest_of("group")[:20], (FIRST, AUXILIARY, LAST), senders=(0, 2), owners=(1, 1, 2, 0, 2))


@pytest.mark.parametrize(("member", "parts"), [(0, (3,)), (1, (0, 1)), (2, (2, 4))])
def test_each_part_has_one_reducer(member: int, parts: tuple[int, ...]) -> None:
    assert GROUP.parts_of(member) == parts


@pytest.mark.parametrize(("peer", "position"), [(FIRST, 0), (LAST, 1), (AUXILIARY, None), (STRANGER, None)])
def test_only_a_member_that_contributes_has_a_position_among_the_senders(
    peer: PeerID, position: int | None
) -> None:
    assert GROUP.position_of(peer) == position
    assert position is None or GROUP.sender(position) == peer


@pytest.mark.parametrize(("member", "rate"), [(0, math.inf), (1, 105.0), (2, 42.0)])
def test_what_a_member_takes_is_sent_a_little_faster_than_it_takes_it(member: int, rate: float) -> None:
    limited = replace(GROUP, taking=(0.0, 10.0, 25.0))
    assert limited.pace_towards(member, 1000).rate == pytest.approx(rate)
    assert GROUP.pace_towards(member, 1000).rate == math.inf, "no member of this group has a limit"
