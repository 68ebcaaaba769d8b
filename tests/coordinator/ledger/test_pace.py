"""The pace of a run is that of its newest epochs, and no pause before or after them counts."""

from datetime import timedelta

import pytest

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch
from coordinator.ledger.pace import MeasuredPace, measured_pace
from tests.coordinator.web.sites import NOW

HOUR = 3600.0


def enter(database: Database, ages: list[float], generation: int = 0, first: int = 1, peers: int = 4) -> None:
    """Enter epochs that were committed so many seconds ago, oldest first."""
    with database.session() as session:
        session.add_all(
            Epoch(
                generation=generation,
                epoch=number,
                time=NOW - timedelta(seconds=age),
                samples=64,
                peers=peers,
                seconds=1.0,
                root=f"{generation}{number:063x}",
            )
            for number, age in enumerate(ages, first)
        )


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ([], None),
        ([60.0], None),
        ([60.0, 60.0], None),  # caught up on at once
        ([300.0, 200.0, 0.0], MeasuredPace(2, 300.0, 4.0)),
        ([90 * HOUR, 60 * HOUR, 59 * HOUR, 58 * HOUR], MeasuredPace(2, 2 * HOUR, 4.0)),  # no volunteers since
        ([26 * HOUR, 24 * HOUR, 1 * HOUR, 0.0], MeasuredPace(2, 24 * HOUR, 4.0)),
    ],
)
def test_the_last_day_with_epochs_gives_the_pace(
    database: Database, ages: list[float], expected: MeasuredPace | None
) -> None:
    enter(database, ages)
    with database.reading() as session:
        assert measured_pace(session) == expected


def test_epochs_that_were_taken_back_do_not_count(database: Database) -> None:
    enter(database, [500.0, 490.0, 480.0, 470.0], peers=9)
    enter(database, [30.0, 10.0], generation=1, first=2, peers=3)
    with database.reading() as session:
        found = measured_pace(session)
    assert found is not None
    assert (found.epochs, found.seconds, found.epoch_seconds) == (2, 490.0, 245.0)
    assert found.contributors == 5.0
