"""A swarm stands still when an epoch takes minutes, and far longer than the one before; not because it is slow."""

import pytest

from coordinator.publisher.stillness import Stillness

Look = tuple[float, int]
"""When, and at which epoch the swarm was then."""


@pytest.mark.parametrize(
    ("looks", "still"),
    [
        ([(0, 7)], False),
        ([(0, 7), (590, 7)], False),
        ([(0, 7), (610, 7)], True),
        ([(0, 7), (610, 8)], False),
        ([(0, 7), (60, 8), (600, 8)], False),
        ([(0, 7), (60, 8), (700, 8)], True),
        ([(0, 7), (1000, 8), (4900, 8)], False),
        ([(0, 7), (1000, 8), (5100, 8)], True),
        ([(0, 7), (9000, 8), (9060, 9), (9700, 9)], True),
        ([(0, 7), (700, 3)], False),
    ],
)
def test_a_swarm_stands_still_for_as_long_as_a_swift_one_never_would(looks: list[Look], still: bool) -> None:
    stillness = Stillness(iter([at for at, _ in looks]).__next__)
    assert [stillness.is_still(epoch) for _, epoch in looks][-1] == still
