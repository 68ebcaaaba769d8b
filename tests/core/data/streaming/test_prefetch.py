"""One item is made ahead, never more; what fails is raised to who takes; closing leaves no thread."""

import threading
from collections.abc import Generator

import pytest

from core.data.streaming.prefetch import Prefetch
from tests.waiting import wait_until


class CountingSource:
    """Makes the numbers from 0 on, up to a failure if there is to be one."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.made, self.closed, self._fails_at = 0, False, fails_at

    def items(self) -> Generator[int]:
        try:
            while self.made != self._fails_at:
                self.made += 1
                yield self.made - 1
            raise OSError("the disk is gone")
        finally:
            self.closed = True


def test_one_item_is_made_ahead_of_who_takes_them() -> None:
    source = CountingSource()
    items = Prefetch(source.items())
    assert source.made == 0, "nothing is made before it is asked for"
    for number in range(5):
        assert items.take() == number
        wait_until(items.ready, "no item is made ahead")
        assert source.made == number + 2
    items.close()
    assert source.closed


def test_a_failure_comes_after_the_items_before_it_and_stays() -> None:
    items = Prefetch(CountingSource(fails_at=2).items())
    assert [items.take(), items.take()] == [0, 1]
    for _ in range(2):
        with pytest.raises(OSError, match="disk"):
            items.take()
        assert items.ready()


def test_closing_ends_the_thread_and_who_takes_gets_an_error() -> None:
    before = threading.active_count()
    items = Prefetch(CountingSource().items())
    items.take()
    wait_until(items.ready, "no item is made ahead")
    for _ in range(2):
        items.close()
    assert threading.active_count() == before
    assert items.take() == 1, "what was made can still be taken"
    with pytest.raises(RuntimeError, match="closed"):
        items.take()


def test_what_is_closed_does_not_start() -> None:
    items = Prefetch(CountingSource().items())
    items.close()
    assert not items.ready()
    assert not items.started
