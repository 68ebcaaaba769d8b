"""Work ahead keeps the order, stays near, passes on errors, and leaves no thread behind."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from core.data.building.ahead import ahead


def numbers(taken: list[int], count: int = 100) -> Iterator[int]:
    for number in range(count):
        taken.append(number)
        yield number


def test_results_come_in_the_order_of_the_items() -> None:
    done = threading.Event()

    def last_first(number: int) -> int:
        if number == 0:
            assert done.wait(20)  # until another has overtaken it
        if number == 1:
            done.set()
        return number * number

    assert list(ahead(range(50), last_first, workers=2, depth=4)) == [number * number for number in range(50)]


def test_only_so_many_items_are_under_way() -> None:
    taken: list[int] = []
    with closing(ahead(numbers(taken), str, workers=3, depth=5)) as results:
        for index, result in enumerate(results):
            assert result == str(index)
            assert len(taken) <= index + 7  # the one that is looked at, those under way, and the next


def test_few_items_wait_for_slow_work() -> None:
    too_many, judged = threading.Event(), threading.Event()

    def items() -> Iterator[int]:
        yield from range(5)  # twice the workers, and the one that is looked at
        too_many.set()
        yield from range(5, 50)

    def work(number: int) -> bool:
        """Both workers are busy until the first has seen whether too many are taken."""
        if number == 1:
            assert judged.wait(20)
        found = number == 0 and too_many.wait(0.3)
        judged.set()
        return found

    assert not any(list(ahead(items(), work, workers=2, depth=40)))


@pytest.mark.parametrize("culprit", ["items", "work"])
def test_an_error_is_raised_where_its_result_would_be(culprit: str) -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        if culprit == "items":
            raise LookupError("the source ended early")
        yield -1

    def work(number: int) -> int:
        if number < 0:
            raise LookupError("it cannot be done")
        return number

    results = ahead(items(), work, workers=2, depth=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(LookupError):
        next(results)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("build")]


def test_closing_ends_the_threads_and_takes_no_more() -> None:
    before, taken = set(threading.enumerate()), list[int]()
    results = ahead(numbers(taken), str, workers=2, depth=3)
    assert next(results) == "0"
    results.close()
    assert set(threading.enumerate()) <= before
    assert len(taken) < 10
