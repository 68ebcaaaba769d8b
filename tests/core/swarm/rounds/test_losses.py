"""Members of a group that failed as a whole find out by whom, whatever single ones say."""

from collections.abc import Collection, Mapping

import pytest
from hivemind.p2p import PeerID

from core.swarm.rounds.group import Group
from core.swarm.rounds.losses import ReducerLosses, pack_culprits, unpack_culprits
from tests.core.swarm.builders import digest_of, peer_bytes

MEMBERS = tuple(PeerID(peer_bytes(number)) for number in range(5))
GROUP = Group(digest_of("group")[:20], MEMBERS, (0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
HEAD = 4


def losses(
    *,
    lacking: set[int],
    named: Mapping[int, tuple[int, ...]] | None = None,
    broken_off: Collection[int] = (),
    refusing: Collection[int] = (),
    combines: bool = True,
    group: Group = GROUP,
) -> ReducerLosses:
    return ReducerLosses(
        group,
        0,
        frozenset(lacking),
        frozenset(broken_off),
        frozenset(refusing),
        {at: frozenset(peer_bytes(name) for name in names) for at, names in (named or {}).items()},
        combines,
    )


def numbers(found: frozenset[PeerID]) -> set[int]:
    return {MEMBERS.index(peer) for peer in found}


@pytest.mark.parametrize(
    ("named", "lost"),
    [
        ({1: (), 2: (1,), 3: (1,), 4: (1,)}, {1, 4}),
        (
            {1: (), 2: (), 0: (1,), 3: (1,), 4: (1,)},
            {1, 2, 4},
        ),  # who names nobody knew of nothing that failed
        ({1: (3,), 2: (1,), 3: (1,), 4: (1,)}, {1, 4}),  # what one says counts for nothing
        ({1: (2,), 2: (), 3: (), 4: ()}, {2, 4}),  # nor do those that name nobody
        ({1: (1, 2, 3), 2: (1, 2, 3), 3: (1, 2, 3)}, {4}),  # a head that calls most of all lost
        ({1: (4,), 2: (4,), 3: (4,)}, {4}),  # it was lost itself
        ({1: (4,), 2: (4,), 3: ()}, {4}),  # before some had called it
        ({1: (), 2: ()}, set()),
        ({}, set()),
    ],
)
def test_those_count_whom_most_name_and_the_head_that_named_them(
    named: dict[int, tuple[int, ...]], lost: set[int]
) -> None:
    found = losses(lacking={0, 1, 2, 3, 4}, named=named)
    assert numbers(found.lost) == lost
    assert (found.silent_head == MEMBERS[HEAD]) is (not lost), "nobody says why"
    assert found.is_whole_group is (sum(map(bool, named.values())) > 2), "one voice does not end it"


def test_the_peers_of_one_user_name_as_one() -> None:
    group = Group(GROUP.id, MEMBERS, GROUP.senders, GROUP.owners, users=("me", "eve", "eve", "eve", "head"))
    named = {1: (0,), 2: (0,), 3: (0,), 4: (1,), 0: (1,)}
    assert numbers(losses(lacking={0, 1, 2, 3, 4}, named=named, group=group).lost) == {1, 4}


def test_who_broke_off_or_refused_counts_in_a_group_that_failed() -> None:
    found = losses(lacking={0, 1, 2, 3, 4}, broken_off={1}, refusing={2}, named={3: (1,)})
    assert numbers(found.lost) == {1, 2, 4}


@pytest.mark.parametrize(
    ("named", "lost"), [({}, {2}), ({2: (1,)}, {2}), ({2: (4,)}, {2, 4})], ids=["silent", "a lie", "left out"]
)
def test_where_most_gave_their_parts_the_others_count_and_a_head_that_one_names(
    named: dict[int, tuple[int, ...]], lost: set[int]
) -> None:
    """A head could leave one reducer out, which would be blamed alone."""
    found = losses(lacking={2}, named=named)
    assert numbers(found.lost) == lost
    assert found.silent_head is None
    assert not found.is_whole_group


def test_where_groups_do_not_combine_all_count_that_gave_nothing() -> None:
    found = losses(lacking={0, 1, 2, 3}, named={1: (4,)}, combines=False)
    assert numbers(found.lost) == {1, 2, 3}
    assert found.silent_head is None


def test_eight_are_named_at_most_and_other_bytes_name_nobody() -> None:
    names = [peer_bytes(number) for number in range(12)]
    assert unpack_culprits(pack_culprits(names[:3])) == frozenset(names[:3])
    assert len(unpack_culprits(pack_culprits(names))) == 8
    assert pack_culprits([b"short"]) == b""
    for packed in (b"x", bytes(35), bytes(34 * 9)):
        assert unpack_culprits(packed) == frozenset()
