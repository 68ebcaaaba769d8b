"""A trainer whose memory grows is told from one that takes what it needs, and from one that is allowed too little."""

import pytest

from client.service.trainer.running_trainer import Growth, MemoryVerdict

GIB = 1 << 30


def looked_at(*held: int, allowed: int | None = None) -> Growth:
    growth = Growth()
    for size in held:
        growth = growth.after(size, allowed)
    return growth


def settling(held: int) -> list[int]:
    """Return the bytes that a trainer holds at each look while its memory grows to what it needs."""
    return [held * (look + 1) // 5 for look in range(5)]


@pytest.mark.parametrize(
    ("held", "verdict"),
    [
        (2 * GIB, MemoryVerdict.FINE),
        (3 * GIB, MemoryVerdict.FINE),
        (3 * GIB + 1, MemoryVerdict.LEAKS),
        (10 * GIB, MemoryVerdict.LEAKS),
    ],
)
def test_growing_by_half_is_a_leak(held: int, verdict: MemoryVerdict) -> None:
    assert looked_at(*settling(2 * GIB), held).verdict is verdict


def test_little_memory_may_grow_by_more_than_half() -> None:
    assert looked_at(*settling(GIB // 4), GIB // 2).verdict is MemoryVerdict.FINE
    assert looked_at(*settling(GIB // 4), GIB).verdict is MemoryVerdict.LEAKS


def test_before_it_has_settled_nothing_is_a_leak() -> None:
    assert looked_at(1, 100 * GIB).verdict is MemoryVerdict.FINE


def test_a_peak_beyond_the_limit_is_passed_over() -> None:
    assert looked_at(GIB, 3 * GIB, GIB, 3 * GIB, allowed=2 * GIB).verdict is MemoryVerdict.FINE


def test_a_new_life_does_not_help_one_that_soon_holds_more_than_is_allowed() -> None:
    assert looked_at(3 * GIB, 3 * GIB, allowed=2 * GIB).verdict is MemoryVerdict.TOO_LARGE
    assert looked_at(*[GIB] * 30, 3 * GIB, 3 * GIB, allowed=2 * GIB).verdict is MemoryVerdict.TOO_LARGE


def test_a_new_life_helps_one_that_took_an_hour_to_pass_the_limit() -> None:
    slowly = [2 * GIB] * 60
    assert looked_at(*slowly, 2 * GIB + 1, 2 * GIB + 1, allowed=2 * GIB).verdict is MemoryVerdict.LEAKS
