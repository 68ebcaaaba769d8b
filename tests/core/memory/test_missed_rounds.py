"""A late peer fetches few missed rounds one by one, and trainers keep as many as fit into 32 MiB."""

import pytest

from core.memory.missed_rounds import rounds_in_place_of_state, rounds_kept

MB = 10**6


@pytest.mark.parametrize(
    ("round_bytes", "kept"), [(0, 8), (1, 8), (2 * MB, 8), (11 * MB, 3), (13 * MB, 2), (500 * MB, 2)]
)
def test_the_rounds_that_a_trainer_keeps(round_bytes: int, kept: int) -> None:
    assert rounds_kept(round_bytes) == kept


@pytest.mark.parametrize(
    ("state_bytes", "round_bytes", "fetched"),
    [
        (504 * MB, 13 * MB, 16),  # the paper's size, sparse
        (504 * MB, 63 * MB, 8),  # dense, 4 bits
        (756 * MB, 126 * MB, 6),  # gradients in 8 bits, and moments
        (10 * MB, 9 * MB, 1),
        (0, 0, 1),
    ],
)
def test_the_rounds_that_are_fetched_in_place_of_a_state(
    state_bytes: int, round_bytes: int, fetched: int
) -> None:
    assert rounds_in_place_of_state(state_bytes, round_bytes) == fetched
