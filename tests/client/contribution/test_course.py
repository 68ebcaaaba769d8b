"""Epochs and ranks as they are kept: what was taken back is forgotten, and nothing grows without end."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from math import inf, nan
from pathlib import Path

import pytest

from client.api.history import EpochPoint, RankPoint
from client.api.snapshot import StandingView
from client.contribution import course
from client.contribution.course import CourseEpoch, CourseRank
from client.contribution.database import ContributionDatabase, ask
from client.contribution.schema import MIGRATIONS, prepare
from client.contribution.tally import Amounts
from tests.client.contribution.reports import NOON, OTHER, RUN, Begin, committed

AGAIN = replace(RUN, generation=1, began_at=2)


@pytest.fixture
def tables() -> Iterator[sqlite3.Connection]:
    """The tables of a contribution database, without contributions."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare(connection)
        yield connection


def kept(path: Path, run: str = RUN.digest) -> list[tuple[int, int]]:
    """Epochs with their own samples."""
    nothing: list[EpochPoint] = []
    return [(point.epoch, point.own_samples) for point in ask(path, lambda found: found.epochs(run), nothing)]


@pytest.mark.parametrize(
    ("commits", "left"),
    [
        ([(RUN, 1), (RUN, 2), (RUN, 3)], [1, 2, 3]),
        ([(RUN, 3), (RUN, 7)], [3, 7]),
        ([(RUN, 1), (OTHER, 2)], [1]),
        ([(RUN, 1), (RUN, 2), (RUN, 3), (RUN, 4), (AGAIN, 3)], [1, 2, 3]),
        ([(RUN, 1), (RUN, 2), (RUN, 3), (RUN, 4), (AGAIN, 9)], [1, 2, 9]),
        ([(RUN, 1), (RUN, 2), (AGAIN, 3), (RUN, 4)], [1, 2, 3]),
        ([(RUN, 1), (RUN, 2), (RUN, 3), (RUN, 2)], [1, 2]),
    ],
    ids=[
        "in their order",
        "as many as were seen",
        "each run its own",
        "a rollback takes back",
        "what nobody here saw follow a rollback as well",
        "a late word of an earlier generation",
        "an epoch that all have to do again",
    ],
)
def test_the_epochs_that_stand_are_kept(
    begin: Begin, tmp_path: Path, commits: list[tuple[object, int]], left: list[int]
) -> None:
    contribution = begin()
    for number, (run, epoch) in enumerate(commits):
        contribution.heard(run, "life", committed(epoch), NOON + timedelta(minutes=number))  # type: ignore[arg-type]
    contribution.close(NOON + timedelta(hours=1))
    assert [epoch for epoch, _ in kept(tmp_path / "stats.sqlite")] == left


@pytest.mark.parametrize(
    ("generation", "began_at", "left"), [(0, 0, [1, 2, 3, 4]), (1, 2, [1, 2]), (2, 0, [])]
)
def test_what_was_taken_back_is_gone_before_anything_follows(
    begin: Begin, tmp_path: Path, generation: int, began_at: int, left: list[int]
) -> None:
    contribution = begin()
    for epoch in (1, 2, 3, 4):
        contribution.heard(RUN, "life", committed(epoch), NOON)
    contribution.close(NOON)
    nothing: list[EpochPoint] = []
    stand = ask(
        tmp_path / "stats.sqlite", lambda found: found.epochs(RUN.digest, generation, began_at), nothing
    )
    assert [point.epoch for point in stand] == left


def test_own_samples_are_those_of_the_epoch(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()
    for epoch in (1, 2):
        contribution.heard(RUN, "life", committed(epoch, own_samples=10 * epoch), NOON)
    contribution.close(NOON)
    assert kept(tmp_path / "stats.sqlite") == [(1, 10), (2, 20)]


@pytest.mark.parametrize("loss", [nan, inf, -inf])
def test_a_loss_that_is_no_number_is_on_no_curve_and_counts_all_the_same(
    begin: Begin, tmp_path: Path, loss: float
) -> None:
    contribution = begin()
    contribution.heard(RUN, "life", committed(1).model_copy(update={"loss": loss}), NOON)
    contribution.heard(RUN, "life", committed(2).model_copy(update={"peers": 2**70, "samples": -1}), NOON)
    assert contribution.summary(RUN, NOON).epochs == 2
    contribution.close(NOON)
    assert [epoch for epoch, _ in kept(tmp_path / "stats.sqlite")] == [2]


def test_of_many_epochs_the_older_ones_lie_further_apart(tables: sqlite3.Connection) -> None:
    points = (EpochPoint(epoch=epoch, loss=1.0, samples=1) for epoch in range(1, 1001))
    course.write_epochs(tables, (CourseEpoch("run", 0, 0, point) for point in points), most=100)
    left = [point.epoch for point in course.epochs(tables, "run")]
    assert len(left) <= 100
    assert left[0] == 1
    assert left[-40:] == list(range(961, 1001))


def standing(rank: int, of: int, hours: int) -> StandingView:
    return StandingView(rank=rank, of=of, samples=1, looked=NOON + timedelta(hours=hours))


def test_a_rank_is_noted_where_it_changes_and_once_a_day(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()
    looks = [(0, 7, 20), (1, 7, 20), (2, 6, 20), (3, 6, 21), (26, 6, 21), (28, 6, 21)]
    for hours, rank, of in looks:
        contribution.ranked(RUN, standing(rank, of, hours))
    contribution.ranked(OTHER, standing(1, 1, 0))
    contribution.ranked(RUN, standing(1, 2**60, 40))
    nothing: list[RankPoint] = []
    points = ask(tmp_path / "stats.sqlite", lambda found: found.ranks(RUN.digest), nothing)
    assert [((point.time - NOON) // timedelta(hours=1), point.rank, point.of) for point in points] == [
        (0, 7, 20),
        (2, 6, 20),
        (3, 6, 21),
        (28, 6, 21),
    ]


def test_only_the_newest_ranks_are_kept(tables: sqlite3.Connection) -> None:
    points = [RankPoint(time=NOON + timedelta(hours=number), rank=number, of=9) for number in range(1, 6)]
    course.write_ranks(tables, (CourseRank("run", point) for point in points), most=3)
    assert course.ranks(tables, "run") == points[2:]
    assert course.ranks(tables, "run", 1) == points[4:]


def test_an_older_database_gets_a_course_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    ContributionDatabase.open(path, MIGRATIONS[:1]).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO runs VALUES ('run', 'a run')")
        connection.execute("INSERT INTO hours VALUES ('run', 0, 3, 0, 0, 0, 0, 0, 0)")
    with closing(ContributionDatabase.read(path)) as older:
        # Energy of the processor is counted since a later version.
        assert older.hours("run") == [(0, Amounts(samples=3))]
        assert older.totals() == {"run": ("a run", Amounts(samples=3))}
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            older.epochs("run")
    with closing(ContributionDatabase.open(path)) as database:
        assert database.since(None, 0).samples == 3
        assert (database.epochs("run"), database.ranks("run")) == ([], [])
