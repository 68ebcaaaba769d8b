"""No user counts for more than its share of what the others bring, and everyone can check that."""

import math
from statistics import median_low

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.aggregation.weight_caps import are_capped, capped_weights, counts_fairly
from tests.core.swarm.builders import FIFTY_EXAMPLES

CASES = {
    "equal": ([8.0, 8.0, 8.0], "abc", (8.0, 8.0, 8.0)),
    "within twice the median": ([4.0, 8.0, 15.0], "abc", (4.0, 8.0, 15.0)),
    "one forges": ([8.0, 8.0, 9e7], "abc", (8.0, 8.0, 16.0)),
    "the lower median of four": ([4.0, 6.0, 8.0, 100.0], "abcd", (4.0, 6.0, 8.0, 12.0)),
    "two of five collude": ([8.0, 8.0, 9.0, 1e6, 1e6], "abcde", (8.0, 8.0, 9.0, 18.0, 18.0)),
    "two peers share their user's cap": ([8.0, 8.0, 30.0, 10.0], "abcc", (8.0, 8.0, 12.0, 4.0)),
    "many peers of one have one voice": (
        [8.0, 8.0, *[100.0] * 4],
        "abcccc",
        (8.0, 8.0, 4.0, 4.0, 4.0, 4.0),
    ),
    "many peers of one do not lower the cap": ([8.0, 8.0, *[1e-6] * 4], "abcccc", (8.0, 8.0, *[1e-6] * 4)),
    "two users have no majority": ([1e-6, 8.0], "ab", (1e-6, 8.0)),
    "two users with many peers have none either": ([1.0, 1.0, 90.0], "aab", (1.0, 1.0, 90.0)),
    "alone": ([8.0], "a", (8.0,)),
}


@pytest.mark.parametrize(("weights", "users", "expected"), CASES.values(), ids=list(CASES))
def test_weights_are_capped_by_user(weights: list[float], users: str, expected: tuple[float, ...]) -> None:
    assert capped_weights(weights, users, 2.0) == pytest.approx(expected)


@FIFTY_EXAMPLES
@given(
    st.lists(st.tuples(st.floats(1e-3, 1e9), st.integers(0, 5)), min_size=1, max_size=12),
    st.sampled_from([1.0, 2.0, 3.7]),
)
def test_capping_again_changes_nothing_and_everyone_can_check_it(
    claims: list[tuple[float, int]], factor: float
) -> None:
    weights, users = [weight for weight, _ in claims], [user for _, user in claims]
    found = capped_weights(weights, users, factor)
    assert capped_weights(found, users, factor) == pytest.approx(found)
    assert are_capped(found, users, factor)
    assert all(
        counts_fairly(after, before, found, users, user, factor)
        for before, after, user in zip(weights, found, users, strict=True)
    )


@FIFTY_EXAMPLES
@given(st.lists(st.floats(1.0, 100.0), min_size=4, max_size=9), st.lists(st.floats(1e-6, 1e9), max_size=3))
def test_a_minority_moves_the_cap_only_among_honest_weights(honest: list[float], forged: list[float]) -> None:
    """Whoever a reducer has heard of: with the others or without them, the cap is twice what some honest one has."""
    capped = capped_weights([*honest, *forged], range(len(honest) + len(forged)), 2.0)
    assert max(capped[len(honest) :], default=0.0) <= 2 * max(honest) * (1 + 1e-9)
    assert all(
        after >= min(before, 2 * min(honest)) * (1 - 1e-9)
        for before, after in zip(honest, capped, strict=False)
    )


UNFAIR = {
    "more than was sent": (9.0, 8.0, [8.0, 8.0, 9.0]),
    "less, and not at the cap": (4.0, 8.0, [8.0, 8.0, 4.0]),
    "less among two users": (4.0, 8.0, [8.0, 4.0]),
}


@pytest.mark.parametrize(("committed", "own", "weights"), UNFAIR.values(), ids=list(UNFAIR))
def test_a_member_finds_out_if_its_samples_are_counted_otherwise(
    committed: float, own: float, weights: list[float]
) -> None:
    users = range(len(weights))
    assert not counts_fairly(committed, own, weights, users, users[-1], 2.0)


def test_samples_beyond_the_cap_are_seen_by_all() -> None:
    assert not are_capped([8.0, 8.0, 16.1], range(3), 2.0)
    assert not are_capped([8.0, 8.0, 10.0, 10.0], "abcc", 2.0), "two peers of one user"
    assert are_capped([8.0, 8.0, 9e9], range(3), math.inf), "a run without a cap"


def test_the_cap_is_a_multiple_of_the_lower_median() -> None:
    weights = [3.0, 5.0, 7.0, 900.0]
    assert max(capped_weights(weights, range(4), 3.0)) == 3.0 * median_low(weights)
