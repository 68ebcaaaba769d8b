"""A trainer whose memory grows is told from one that takes what it needs."""

import pytest

from client.service.leak import Growth

GIB = 1 << 30


def settled_at(held: int) -> Growth:
    growth = Growth()
    for look in range(5):
        growth = growth.after(held * (look + 1) // 5)
    return growth


@pytest.mark.parametrize(
    ("held", "leaks"), [(2 * GIB, False), (3 * GIB, False), (3 * GIB + 1, True), (10 * GIB, True)]
)
def test_growing_by_half_is_a_leak(held: int, leaks: bool) -> None:
    assert settled_at(2 * GIB).is_leak(held, allowed=None) is leaks


def test_little_memory_may_grow_by_more_than_half() -> None:
    assert not settled_at(GIB // 4).is_leak(GIB // 2, allowed=None)
    assert settled_at(GIB // 4).is_leak(GIB, allowed=None)


def test_before_it_has_settled_nothing_is_a_leak_but_what_is_not_allowed() -> None:
    assert not Growth().after(1).is_leak(100 * GIB, allowed=None)
    assert Growth().is_leak(2 * GIB, allowed=GIB)
