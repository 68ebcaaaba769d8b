"""Epochs wait for a database that is away, in their order, and not without bound."""

from collections.abc import Callable

import pytest

from coordinator.errors import DatabaseError, LedgerError
from coordinator.ledger.credit import CommittedEpoch
from coordinator.recorder.books import Books
from tests.coordinator.ledger.evidence import epoch_of


class Away:
    """Enters epochs, but for the time that it is away; ``strange`` ones never."""

    def __init__(self) -> None:
        self.entered: list[int] = []
        self.attempts = 0
        self.is_away = True
        self.strange: set[int] = set()

    def enter(self, epoch: CommittedEpoch) -> None:
        self.attempts += 1
        if self.is_away:
            raise DatabaseError("The database does not answer.", "Start it.")
        if epoch.epoch in self.strange:
            raise LedgerError("It makes no sense.", "It is left out.")
        self.entered.append(epoch.epoch)


@pytest.fixture
def away() -> Away:
    return Away()


def books_of(away: Away, clock: Callable[[], float] = lambda: 0.0) -> Books:
    return Books(away.enter, clock)


def fill(books: Books, count: int) -> None:
    for number in range(1, count + 1):
        books.add(epoch_of({"Qm": 64.0}, number))


def test_what_waited_is_written_in_order_once_the_database_is_back(away: Away) -> None:
    time = [0.0]
    books = books_of(away, lambda: time[0])
    fill(books, 5)
    books.settle()
    books.settle()
    assert (books.waiting, away.attempts) == (5, 1), "a database that is away is not asked all the time"
    away.is_away, time[0] = False, 3.0
    books.settle()
    assert (books.waiting, away.entered) == (0, [1, 2, 3, 4, 5])


def test_one_that_makes_no_sense_holds_up_nothing(away: Away) -> None:
    away.is_away, away.strange = False, {2}
    books = books_of(away)
    fill(books, 3)
    books.settle()
    assert away.entered == [1, 3]


def test_memory_is_bounded_and_the_newest_are_kept(away: Away) -> None:
    books = books_of(away)
    fill(books, 600)
    away.is_away = False
    books.settle()
    assert (len(away.entered), away.entered[-1]) == (512, 600)
