"""The rules decide which checkpoints are deleted, which is published, and when the next is due."""

from datetime import UTC, datetime

import pytest

from coordinator.publisher.retention import KeptCheckpoint, in_order, is_due, superfluous, to_publish
from coordinator.rollback import best_before


def kept(epoch: int, generation: int = 0, published: str | None = None) -> KeptCheckpoint:
    created = datetime(2026, 6, 1, tzinfo=UTC)
    return KeptCheckpoint(
        100 * generation + epoch, generation, epoch, "ab" * 32, "f", 5.0, 1, created, published
    )


TEN, TWENTY, THIRTY = kept(10), kept(20), kept(30)


@pytest.mark.parametrize(
    ("there", "keep", "needed", "gone"),
    [
        ([], 2, [], []),
        ([TEN], 2, [], []),
        ([TEN, TWENTY, THIRTY], 2, [], [10]),
        ([THIRTY, TEN, TWENTY], 1, [], [10, 20]),
        ([TEN, TWENTY, THIRTY], 1, [10], [20]),
        ([TEN, kept(20, 1), kept(30, 1)], 2, [10], []),
    ],
)
def test_the_newest_stay_and_what_is_needed(
    there: list[KeptCheckpoint], keep: int, needed: list[int], gone: list[int]
) -> None:
    assert [item.epoch for item in superfluous(there, keep, needed)] == gone


def test_the_order_is_that_of_the_run_and_not_of_when_they_were_made() -> None:
    again = kept(10, generation=1)
    assert in_order([again, TWENTY, TEN]) == [TEN, again, TWENTY]


@pytest.mark.parametrize(
    ("epoch", "last", "due"), [(9, 0, False), (10, 0, True), (25, 10, True), (19, 10, False), (5, 10, False)]
)
def test_a_checkpoint_is_due_after_so_many_epochs(epoch: int, last: int, due: bool) -> None:
    assert is_due(epoch, last, 10) == due


@pytest.mark.parametrize(
    ("there", "since", "found"),
    [
        ([], 0, None),
        ([TEN], 1, None),
        ([TEN, TWENTY], 2, TWENTY),
        ([TEN, TWENTY, THIRTY], 3, THIRTY),
        ([TEN, kept(20, published="c")], 0, None),
        ([TEN, kept(20, published="c")], 5, None),
    ],
)
def test_every_other_is_published(
    there: list[KeptCheckpoint], since: int, found: KeptCheckpoint | None
) -> None:
    assert to_publish(there, since, every=2) == found


@pytest.mark.parametrize(
    ("epoch", "tried", "found"),
    [
        (31, None, THIRTY),
        (30, None, TWENTY),
        (10, None, None),
        (25, 20, TEN),
        (15, 10, TEN),
        (31, 20, THIRTY),
    ],
)
def test_the_newest_good_one_is_gone_back_to_and_an_older_one_the_next_time(
    epoch: int, tried: int | None, found: KeptCheckpoint | None
) -> None:
    assert best_before([TEN, TWENTY, THIRTY], epoch, tried) == found
