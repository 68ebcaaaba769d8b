"""A peer averages alone only where the others can have what it commits."""

import pytest

from core.swarm.own_round import may_average_alone


@pytest.mark.parametrize(
    ("accepts_connections", "others", "trainers", "failures", "is_called", "expected"),
    [
        (True, 0, 0, 0, False, True),  # nobody is there
        (True, 0, 0, 9, False, True),  # those that were there have died
        (True, 1, 1, 0, True, False),
        (True, 1, 1, 1, True, False),
        (True, 1, 1, 2, True, True),  # they can fetch what it commits
        (True, 1, 1, 2, False, False),  # two homes that cannot reach each other
        (True, 9, 8, 99, False, False),
        (True, 1, 0, 1, False, False),
        (True, 1, 0, 2, False, True),  # an auxiliary peer that does not work holds nobody up
        (False, 0, 0, 9, True, False),  # in client mode, from which nobody can fetch
        (False, 1, 1, 9, True, False),
    ],
)
def test_who_may_average_alone(
    accepts_connections: bool, others: int, trainers: int, failures: int, is_called: bool, expected: bool
) -> None:
    found = may_average_alone(
        accepts_connections=accepts_connections,
        others=others,
        trainers=trainers,
        failures=failures,
        is_called=is_called,
    )
    assert found is expected
