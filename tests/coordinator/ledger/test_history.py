"""Tests of the curve of epochs."""

import pytest

from coordinator.database.connect import Database
from coordinator.ledger.history import NEWEST, history
from coordinator.ledger.ledger import Ledger
from tests.coordinator.ledger.evidence import OPERATIONS, epoch_of


def points(database: Database, most: int = 500) -> list[tuple[int, int]]:
    with database.reading() as session:
        return [(point.generation, point.epoch) for point in history(session, most)]


def record(database: Database, generation: int, first: int, last: int) -> None:
    for epoch in range(first, last + 1):
        Ledger(database, OPERATIONS).record(epoch_of({}, epoch, generation=generation, samples=10))


def test_nothing_has_happened_yet(database: Database) -> None:
    assert points(database) == []


@pytest.mark.parametrize(
    ("most", "expected"), [(29, range(1, 10)), (17, (1, 4, 7)), (16, (3, 7)), (12, (9,)), (11, ()), (0, ())]
)
def test_points_are_thinned_evenly_but_for_the_newest(
    database: Database, most: int, expected: range | tuple[int, ...]
) -> None:
    record(database, 0, 1, 9 + NEWEST)
    assert points(database, most) == [(0, epoch) for epoch in (*expected, *range(10, 10 + NEWEST))]


def test_epochs_that_are_missing_leave_gaps(database: Database) -> None:
    record(database, 0, 1, 4)
    record(database, 0, 21, 30)
    assert points(database, 20) == [(0, epoch) for epoch in (3, *range(21, 31))]


def test_a_curve_over_rollbacks_is_thinned_too(database: Database) -> None:
    record(database, 0, 1, 12)
    record(database, 1, 9, 30)
    assert points(database, 15) == [(0, 6), (1, 12), (1, 18), *((1, epoch) for epoch in range(21, 31))]


def test_what_a_rollback_took_back_is_not_on_the_curve(database: Database) -> None:
    record(database, 0, 1, 6)
    record(database, 1, 4, 8)
    record(database, 2, 3, 4)
    assert points(database) == [(0, 1), (0, 2), (2, 3), (2, 4)]


def test_an_epoch_without_a_known_loss_is_on_the_curve(database: Database) -> None:
    Ledger(database, OPERATIONS).record(epoch_of({}, 1, samples=10, loss=None))
    with database.reading() as session:
        assert [point.loss for point in history(session)] == [None]
