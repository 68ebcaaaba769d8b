"""The rows of a batch are those of its samples, or none are claimed."""

from core.swarm.auditing.gathered_rows import GatheredRows
from core.swarm.auditing.row_spans import RowSpan, WindowPlace
from core.swarm.state.peer_work import Batch

PLACE = WindowPlace(0, (0, 0, 0, 0), bytes(8))


def span(first: int, count: int, epoch: int = 0) -> RowSpan:
    return RowSpan(epoch, bytes(32), PLACE, first, count)


def gathered(*spans: RowSpan) -> GatheredRows:
    rows = GatheredRows()
    for item in spans:
        rows.add(item)
    return rows


def test_a_batch_takes_its_rows_and_leaves_those_behind_it() -> None:
    rows = gathered(span(0, 4), span(4, 4), span(0, 4, 1))
    assert rows.hand_over(Batch(10, 1.0, left=2)).spans == (span(0, 8), span(0, 2, 1))
    rows.add(span(4, 4, 1))
    assert rows.hand_over(Batch(6, 1.0)).spans == (span(2, 6, 1),)


def test_a_batch_that_comes_back_has_its_rows_again() -> None:
    rows = gathered(span(0, 8))
    rows.hand_over(Batch(8, 1.0))
    rows.add(span(8, 4))
    rows.take_back()
    assert rows.hand_over(Batch(12, 1.0)).spans == (span(0, 12),)


def test_nothing_is_claimed_of_work_that_was_dropped_and_the_next_batch_is_claimed_again() -> None:
    rows = gathered(span(0, 8), span(8, 4))
    assert not rows.hand_over(Batch(4, 1.0)).rows
    rows.add(span(12, 4))
    assert rows.hand_over(Batch(4, 1.0)).spans == (span(12, 4),)


def test_what_comes_after_work_that_was_dropped_is_claimed() -> None:
    rows = gathered(span(0, 8))
    rows.clear()
    rows.add(span(8, 4))
    assert rows.hand_over(Batch(4, 1.0)).spans == (span(8, 4),)


def test_rows_behind_a_batch_stay_where_nothing_is_claimed() -> None:
    rows = gathered(span(0, 9))
    assert not rows.hand_over(Batch(4, 1.0, left=2)).rows
    rows.add(span(9, 3))
    assert rows.hand_over(Batch(5, 1.0)).spans == (span(7, 5),)
