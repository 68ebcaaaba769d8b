"""Peers look as often as rounds need it, and what that takes is bounded and predicted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.run.control_traffic import RECORD_BYTES, ROUND_BYTES, control_traffic, keeper_traffic, looks_in
from core.run.look_schedule import STORED_SECONDS, alive_seconds, period
from tests.core.swarm.builders import FIFTY_EXAMPLES


@pytest.mark.parametrize(
    ("left", "epoch", "others", "expected"),
    [
        (0.0, 4.0, 1, 0.4),
        (4.0, 4.0, 1, 0.8),
        (0.0, 20.0, 1, 1.0),
        (10.0, 20.0, 1, 2.0),
        (20.0, 20.0, 1, 3.0),
        (0.0, 240.0, 1, 2.0),
        (30.0, 240.0, 1, 6.0),
        (240.0, 240.0, 1, 10.0),
        (math.inf, math.inf, 1, 3.0),
        (0.0, math.inf, 1, 0.4),
        (0.0, 4.0, 16, 5.6),
        (0.0, 4.0, 1000, 30.0),
    ],
)
def test_looks_are_as_frequent_as_epochs_are_short_and_swarms_small(
    left: float, epoch: float, others: int, expected: float
) -> None:
    assert period(left, epoch_seconds=epoch, others=others) == pytest.approx(expected)


@FIFTY_EXAMPLES
@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e9) | st.just(math.inf), st.integers(0, 5000))
def test_looking_never_gets_rarer_as_an_epoch_comes_near(
    first: float, second: float, epoch: float, others: int
) -> None:
    near, far = (period(left, epoch_seconds=epoch, others=others) for left in sorted((first, second)))
    assert near <= far
    assert 4 * far <= alive_seconds(far) <= STORED_SECONDS, "nobody falls silent who looks in time"


@pytest.mark.parametrize(
    ("claimed", "expected"), [(0.0, 12.0), (3.0, 12.0), (10.0, 40.0), (30.0, 120.0), (1e9, 120.0)]
)
def test_a_peer_that_does_not_look_in_time_is_gone_whatever_it_claims(
    claimed: float, expected: float
) -> None:
    assert alive_seconds(claimed) == expected


@pytest.mark.parametrize(("epoch", "most"), [(20.0, 6_000), (60.0, 4_000), (240.0, 2_000)])
def test_a_home_of_a_swarm_of_four_takes_a_few_kilobytes_a_second(epoch: float, most: float) -> None:
    beside = control_traffic(epoch, peers=4)
    assert max(beside.up, beside.down) / epoch < most


@pytest.mark.parametrize(
    ("peers", "keeping", "epoch", "down", "up"), [(4, 2, 20.0, 3_200, 3_900), (10, 5, 300.0, 2_400, 2_840)]
)
def test_a_peer_that_keeps_records_takes_no_more_than_the_bound_that_is_told(
    peers: int, keeping: int, epoch: float, down: float, up: float
) -> None:
    """Peers that only looked were measured (docs/measured.md); the bound is for the fewest that keep records."""
    bound, rounds = keeper_traffic(epoch, peers), peers * ROUND_BYTES
    assert down <= (bound.down - rounds) / epoch <= 3 * down
    assert up <= (bound.up - rounds) / epoch <= 3 * up
    assert keeper_traffic(epoch, peers, keeping).up <= bound.up


@pytest.mark.parametrize("peers", [20, 50, 80])
def test_records_take_four_kilobytes_a_second_up_to_eighty_peers(peers: int) -> None:
    epoch = 600.0
    assert looks_in(epoch, peers - 1) * (peers - 1) * RECORD_BYTES / epoch < 4_500


def test_an_epoch_that_never_comes_is_predicted_to_bring_no_looks() -> None:
    assert looks_in(math.inf, 3) == 0
