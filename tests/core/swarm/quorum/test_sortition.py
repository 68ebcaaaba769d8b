"""Hostile users do not get the quorum of a drawn committee by luck, nor by trying roots; honest ones do."""

import pytest

from core.swarm.quorum.sortition import (
    COMMITTEE,
    MOST_CHANCE,
    chance_of_seats,
    drawn_share,
    lot_of,
    seed_of,
    votes_needed,
)
from tests.core.swarm.builders import digest_of


@pytest.mark.parametrize(
    ("users", "growth", "expected"),
    [
        (1, 0, 1),
        (2, 0, 2),
        (64, 0, 33),
        (128, 0, 65),
        (150, 0, 65),
        (300, 0, 72),
        (1_000, 0, 85),
        (10_000, 0, 90),
        (100_000, 0, 90),
        (10_000, 1, 146),
        (10_000, 7, 5_001),
    ],
)
def test_the_votes_that_decide(users: int, growth: int, expected: int) -> None:
    assert votes_needed(users, growth) == expected


@pytest.mark.parametrize("users", [129, 150, 300, 1_000, 10_000, 100_000])
@pytest.mark.parametrize("growth", [0, 1, 2])
def test_three_tenths_of_the_users_have_the_quorum_in_one_of_a_million_million_draws(
    users: int, growth: int
) -> None:
    hostile, share = 3 * users // 10, drawn_share(users, growth)
    assert chance_of_seats(hostile, share, votes_needed(users, growth)) <= MOST_CHANCE


@pytest.mark.parametrize(
    ("users", "silent", "growth", "least", "most"),
    [
        (300, 0.3, 0, 0.99, 1.0),
        (1_000, 0.1, 0, 0.99, 1.0),
        (1_000, 0.2, 0, 0.97, 0.98),
        (1_000, 0.3, 0, 0.71, 0.72),
        (1_000, 0.3, 1, 0.9999, 1.0),
        (10_000, 0.1, 0, 0.99, 1.0),
        (10_000, 0.2, 0, 0.90, 0.91),
        (10_000, 0.3, 0, 0.49, 0.50),
        (10_000, 0.3, 1, 0.99, 1.0),
    ],
)
def test_the_others_have_it_though_some_are_silent(
    users: int, silent: float, growth: int, least: float, most: float
) -> None:
    voting = users - round(silent * users)
    chance = chance_of_seats(voting, drawn_share(users, growth), votes_needed(users, growth))
    assert least <= chance <= most


@pytest.mark.parametrize(
    ("share", "seats", "expected"),
    [(0.5, 0, 1.0), (0.5, 2, 11 / 16), (0.5, 3, 5 / 16), (1.0, 4, 1.0), (1.0, 5, 0.0)],
)
def test_chances_are_binomial(share: float, seats: int, expected: float) -> None:
    assert chance_of_seats(4, share, seats) == pytest.approx(expected)


def test_who_tries_roots_finds_none_that_draws_its_own_committee() -> None:
    """More than half of the seats, which were enough before, are found by a few thousand tries."""
    users, tries = 10_000, 2_000
    hostile = [f"user{number}" for number in range(3 * users // 10)]
    share, before = drawn_share(users), 64 / users
    seats, seats_before = list[int](), list[int]()
    for number in range(tries):
        seed = digest_of(f"root {number}")
        lots = [lot_of(seed, voice) for voice in hostile]
        seats.append(sum(lot < share for lot in lots))
        seats_before.append(sum(lot < before for lot in lots))
    assert max(seats_before) > 32
    assert max(seats) < votes_needed(users) - COMMITTEE // 8


def test_a_draw_is_one_of_its_root() -> None:
    assert seed_of(digest_of("a")) == seed_of(digest_of("a")) != seed_of(digest_of("b"))
    lots = sorted(lot_of(seed_of(digest_of("a")), f"user{number}") for number in range(1_000))
    assert 0.0 <= lots[0] < 0.02
    assert 0.45 < lots[500] < 0.55
    assert 0.98 < lots[-1] < 1.0
