"""Draws of audits of work: the share that was asked for, in proportion to needs, and the owner's alone."""

from collections import Counter

import pytest

from core.admission.peer_key import PeerKey
from core.swarm.auditing.work_draw import WorkDraw, share_while_accused
from tests.core.swarm.builders import digest_of, identity

GROUP = digest_of("group")[:20]


def key(number: int) -> PeerKey:
    return PeerKey(identity(number).private_key._private_key)


DRAWS = [WorkDraw(digest_of(str(number))) for number in range(4000)]


def test_a_peer_has_one_draw_for_a_head() -> None:
    draw = WorkDraw.of(key(0), "run", 3, bytes(32))
    assert draw == WorkDraw.of(key(0), "run", 3, bytes(32))
    assert draw != WorkDraw.of(key(1), "run", 3, bytes(32))
    assert draw != WorkDraw.of(key(0), "other", 3, bytes(32))
    assert draw != WorkDraw.of(key(0), "run", 4, bytes(32))
    assert draw != WorkDraw.of(key(0), "run", 3, b"\x01" * 32)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_audits_take_the_share_that_is_asked_for(share: float) -> None:
    assert sum(draw.audits(share) for draw in DRAWS) / len(DRAWS) == pytest.approx(share, abs=0.03)


def test_senders_are_chosen_in_proportion_to_their_needs() -> None:
    found = Counter(draw.chosen(GROUP, {2: 1.0, 5: 0.25, 7: 2.75}) for draw in DRAWS)
    assert {at: count / len(DRAWS) for at, count in found.items()} == pytest.approx(
        {2: 0.25, 5: 0.0625, 7: 0.6875}, abs=0.03
    )
    assert DRAWS[0].chosen(GROUP, {}) is None


@pytest.mark.parametrize(("other", "share"), [(10.0, 1.0), (100.0, 1.0), (400.0, 0.25)])
def test_work_larger_than_the_own_is_audited_more_rarely(other: float, share: float) -> None:
    found = sum(draw.affords(GROUP, 100.0, other) for draw in DRAWS) / len(DRAWS)
    assert found == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(
    ("share", "raised"), [(0.0, 0.0), (0.001, 0.016), (0.02, 0.1), (0.1, 0.1), (1.0, 1.0)]
)
def test_an_accusation_raises_a_share_within_bounds(share: float, raised: float) -> None:
    assert share_while_accused(share) == pytest.approx(raised)
