"""Indices of parts and pieces go over the wire, and come back once each, whatever a peer sends."""

import pytest

from core.swarm.wire.bits import pack_indices, unpack_indices


@pytest.mark.parametrize(
    ("indices", "most", "read"),
    [
        ([], None, []),
        ([7, 0, 70_000], None, [7, 0, 70_000]),
        ([3, 1, 3], None, [3, 1]),
        ([5, 4, 3], 2, [5, 4]),
    ],
)
def test_indices_are_read_in_their_order_and_once(
    indices: list[int], most: int | None, read: list[int]
) -> None:
    assert unpack_indices(pack_indices(indices), most) == read


def test_bytes_that_are_left_over_are_no_index() -> None:
    assert unpack_indices(pack_indices([1, 2])[:-1]) == [1]
