"""A draw can be foreseen by nobody, chosen by nobody, and checked by all."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest

from core.admission.peer_key import PeerKey
from core.swarm.auditing.draw import AuditRules, CommittedPlace, draw_of, drawn_part, is_draw_of
from tests.core.swarm.builders import digest_of, identity

PLACE = CommittedPlace("run", 7, digest_of("group")[:20], digest_of("root"))
KEY = PeerKey(identity(0).private_key._private_key)
NAME = identity(0).peer_id.to_bytes()
OWNERS = [0] * 5 + [1] * 5 + [2] * 10
ALWAYS = AuditRules(share=1.0)


def draws(count: int) -> list[bytes]:
    return [sha256(number.to_bytes(4, "big")).digest() for number in range(count)]


def test_a_peer_has_one_draw_for_a_round() -> None:
    draw = draw_of(KEY, PLACE)
    assert draw == draw_of(KEY, PLACE)
    assert is_draw_of(NAME, KEY.public_key, draw, PLACE)


@pytest.mark.parametrize(
    "other",
    [
        replace(PLACE, run="other"),
        replace(PLACE, epoch=8),
        replace(PLACE, group=digest_of("other")[:20]),
        replace(PLACE, root=digest_of("other")),
    ],
    ids=["run", "epoch", "group", "root"],
)
def test_another_round_has_another_draw(other: CommittedPlace) -> None:
    draw = draw_of(KEY, PLACE)
    assert draw_of(KEY, other) != draw
    assert not is_draw_of(NAME, KEY.public_key, draw, other)


def test_a_draw_is_its_own_peer_s() -> None:
    stranger = PeerKey(identity(1).private_key._private_key)
    assert not is_draw_of(NAME, stranger.public_key, draw_of(stranger, PLACE), PLACE)
    assert not is_draw_of(NAME, KEY.public_key, draw_of(stranger, PLACE), PLACE)
    assert not is_draw_of(NAME, b"no key", draw_of(KEY, PLACE), PLACE)


def test_no_one_audits_itself_and_all_parts_of_others_are_as_likely() -> None:
    found = Counter(drawn_part(draw, 0, OWNERS, 3, ALWAYS) for draw in draws(3000))
    assert set(found) == set(range(5, 20))
    assert all(120 < count < 280 for count in found.values())


@pytest.mark.parametrize(
    ("owners", "auditors", "share", "chance"),
    [
        (OWNERS, 3, 0.03, 0.4),  # 20 parts: 1.2 audits an epoch
        (OWNERS, 12, 0.03, 0.1),
        ([0, 1] * 125, 64, 0.03, 0.234),
        (OWNERS, 3, 0.0, 0.0),
        (OWNERS, 1, 0.5, 1.0),
    ],
)
def test_audits_take_their_share_of_the_bytes(
    owners: list[int], auditors: int, share: float, chance: float
) -> None:
    rules = AuditRules(share)
    made = sum(drawn_part(draw, 9, owners, auditors, rules) is not None for draw in draws(4000))
    assert made / 4000 == pytest.approx(chance, abs=0.03)


def test_a_peer_that_reduces_everything_audits_nothing() -> None:
    assert drawn_part(draws(1)[0], 0, [0, 0], 1, ALWAYS) is None
