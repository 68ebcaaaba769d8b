"""A heap of CoreFoundation's whose objects are all released once, or the test fails."""

from collections.abc import Iterator

import pytest

from tests.client.machine.macos.fake_frameworks import Heap


@pytest.fixture
def heap() -> Iterator[Heap]:
    heap = Heap()
    yield heap
    assert heap.faults == [], "released too often, used after its release, or taken for another type"
    assert heap.living == [], "never released"
