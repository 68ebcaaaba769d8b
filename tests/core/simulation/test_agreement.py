"""Simulated heads agree as real ones do: the first proposes what it sees, the others see that at their next look."""

import pytest

from core.simulation.combination import HeadPace, agreement_of

PERIOD = 0.5 + 0.2
"""Seconds from one look of a head to the next one."""


def pace(reduced_at: float, *, store: float = 0.1, look: float = 0.2, settle: float = 0.4) -> HeadPace:
    return HeadPace(reduced_at, store, look, settle)


@pytest.mark.parametrize(
    ("time", "looks", "seen"),
    [
        (5.0, 1, 10.3),  # written before its first look
        (10.1, 1, 10.3),
        (10.2, 2, 10.3 + PERIOD),  # during its first look: that one may miss it
        (10.75, 2, 10.3 + PERIOD),
        (10.9, 3, 10.3 + 2 * PERIOD),
    ],
)
def test_a_head_sees_what_was_written_at_the_look_that_begins_after_it(
    time: float, looks: int, seen: float
) -> None:
    head = pace(10.0)
    assert head.looks_until(time) == looks
    assert head.sees_at(time) == pytest.approx(seen)


def test_a_head_alone_in_time_waits_for_its_own_proposal() -> None:
    found = agreement_of([pace(10.0)], complete_at=10.0)
    assert found.ends_at == pytest.approx(10.1 + 0.2 + 0.1 + 0.4 + 0.2)
    assert found.looks == (2,)


def test_the_others_begin_a_look_and_a_settle_time_after_the_proposal() -> None:
    first, other = pace(10.0), pace(10.0)
    found = agreement_of([first, other], complete_at=10.0)
    written = 10.1 + 0.2 + 0.1
    assert found.ends_at == pytest.approx(other.sees_at(written) + 0.4 + 0.2)
    assert found.looks == (2, 3)


def test_the_head_that_settles_longest_decides() -> None:
    """An auxiliary peer settles for longer than homes, and all wait for it."""
    quick = agreement_of([pace(10.0), pace(10.0)], complete_at=10.0)
    slow = agreement_of([pace(10.0), pace(10.0, settle=3.4)], complete_at=10.0)
    assert slow.ends_at - quick.ends_at == pytest.approx(3.0)


def test_a_store_that_takes_longer_than_it_stands_makes_the_proposer_wait_twice() -> None:
    found = agreement_of([pace(10.0, store=0.5)], complete_at=10.0)
    assert found.ends_at == pytest.approx(10.5 + 0.2 + 0.5 + 2 * 0.4 + 0.2)
