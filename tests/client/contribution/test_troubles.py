"""The record of contributions survives full disks, damaged files and interference by other programs."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC
from pathlib import Path

import pytest

from client.api.errors import StatsError
from client.contribution.database import ContributionDatabase, EpochKey, EpochPart, UnwrittenAmounts
from client.contribution.schema import MIGRATIONS
from client.contribution.stats import EPOCHS_WAITING, RETRY_AFTER, Contribution, TrainedRun
from client.contribution.tally import Amounts, Calendar
from tests.client.contribution.reports import NOON, OTHER, RUN, Begin, committed, progress
from tests.client.full_disk import SmallDisk


def test_a_full_disk_is_reported_once_and_nothing_is_lost(
    small_disk: SmallDisk, problems: list[StatsError]
) -> None:
    path = small_disk.folder / "stats.sqlite"
    contribution = Contribution(path, problems.append, Calendar(UTC))
    contribution.heard(RUN, "a", committed(1), NOON)
    assert contribution.summary(RUN, NOON).samples == 10
    with small_disk.full():
        for number in range(2, 40):
            contribution.heard(RUN, "a", progress(number), NOON)
            contribution.heard(RUN, "a", committed(number), NOON + number * RETRY_AFTER)
        assert contribution.summary(RUN, NOON).samples == 390
    assert ["cannot be recorded now" in problem.what for problem in problems] == [True]
    contribution.heard(RUN, "a", progress(40), NOON + 41 * RETRY_AFTER)
    assert contribution.summary(RUN, NOON).samples == 390
    contribution.close(NOON)
    with closing(ContributionDatabase.read(path)) as database:
        assert database.since(RUN.digest, 0) == Amounts(samples=390, epochs=39, micro_steps=40)


def test_a_disk_that_is_full_from_the_start_is_survived(
    small_disk: SmallDisk, problems: list[StatsError]
) -> None:
    contribution = Contribution(small_disk.folder / "stats.sqlite", problems.append, Calendar(UTC))
    with small_disk.full():
        contribution.heard(RUN, "a", committed(1), NOON)
        assert contribution.summary(RUN, NOON).samples == 10
    assert len(problems) == 1
    contribution.heard(RUN, "a", committed(1), NOON + RETRY_AFTER)
    assert contribution.write(NOON + RETRY_AFTER)
    assert contribution.summary(RUN, NOON).samples == 10


def test_a_folder_that_is_not_there_yet_is_survived(tmp_path: Path, problems: list[StatsError]) -> None:
    contribution = Contribution(tmp_path / "later" / "stats.sqlite", problems.append, Calendar(UTC))
    contribution.heard(RUN, "a", committed(1), NOON)
    assert len(problems) == 1
    (tmp_path / "later").mkdir()
    assert contribution.write(NOON)
    assert contribution.summary(RUN, NOON).samples == 10


def test_what_waits_for_a_disk_is_bounded(tmp_path: Path, problems: list[StatsError]) -> None:
    contribution = Contribution(tmp_path / "later" / "stats.sqlite", problems.append, Calendar(UTC))
    for number in range(EPOCHS_WAITING + 5):
        contribution.heard(RUN, "a", committed(number, 1), NOON)
    assert contribution.summary(RUN, NOON).samples == EPOCHS_WAITING


def _foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.commit()


def _newer(path: Path) -> None:
    ContributionDatabase.open(path, (*MIGRATIONS, "CREATE TABLE later (number INTEGER);")).close()


def _scribbled(path: Path) -> None:
    contribution = Contribution(path, print, Calendar(UTC))
    for number in range(400):
        contribution.heard(TrainedRun(f"{number:064}", "many"), "a", committed(number), NOON)
    contribution.close(NOON)
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(range(256)) * (len(data[4096:]) // 256)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda path: path.write_bytes(b"not a database at all" * 99), "not a database"),
        (_scribbled, ""),
        (_foreign, "another program's"),
        (_newer, "newer version"),
    ],
    ids=["text", "scribbled", "foreign", "newer"],
)
def test_a_database_that_cannot_be_used_is_set_aside_whole(
    tmp_path: Path, begin: Begin, problems: list[StatsError], damage: Callable[[Path], None], says: str
) -> None:
    path = tmp_path / "stats.sqlite"
    damage(path)
    before = path.read_bytes()
    contribution = begin()
    contribution.heard(RUN, "a", committed(1), NOON)
    assert contribution.summary(RUN, NOON).samples == 10
    (problem,) = problems
    assert says in problem.what
    (aside,) = tmp_path.glob("stats.sqlite.set-aside-*")
    assert str(aside) in problem.remedy
    assert aside.read_bytes() == before


def test_damage_that_comes_while_it_is_used_is_survived(
    tmp_path: Path, begin: Begin, problems: list[StatsError]
) -> None:
    path = tmp_path / "stats.sqlite"
    many = {EpochKey(f"{number:064}", 0, 1, "peer"): EpochPart(0, 1) for number in range(5000)}
    with closing(ContributionDatabase.open(path)) as database:
        database.write(UnwrittenAmounts(epochs=many))  # more than SQLite keeps in memory
    contribution = begin()
    contribution.heard(RUN, "a", progress(1), NOON)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
    contribution.heard(OTHER, "a", committed(499), NOON)
    contribution.close(NOON)
    assert ["new one was begun" in problem.what for problem in problems] == [True]
    with closing(ContributionDatabase.read(path)) as database:
        assert database.since(OTHER.digest, 0).samples == 10


@pytest.mark.posix
def test_a_database_that_was_removed_while_it_is_used_is_begun_again(tmp_path: Path, begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(5), NOON)
    for file in tmp_path.iterdir():
        file.unlink()
    contribution.heard(RUN, "a", progress(7), NOON)
    contribution.close(NOON)
    with closing(ContributionDatabase.read(tmp_path / "stats.sqlite")) as database:
        assert database.since(RUN.digest, 0).micro_steps == 2


def test_a_busy_database_is_tried_again_without_a_word(
    tmp_path: Path, begin: Begin, problems: list[StatsError]
) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(1), NOON)
    with closing(sqlite3.connect(tmp_path / "stats.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        contribution.heard(RUN, "a", committed(2), NOON)
        assert contribution.summary(RUN, NOON).samples == 20
        other.execute("ROLLBACK")
    assert contribution.write(NOON)
    assert problems == []


def test_what_was_counted_before_is_there_again_once_the_database_can_be_opened(
    tmp_path: Path, begin: Begin
) -> None:
    first = begin()
    first.heard(RUN, "a", committed(1), NOON)
    first.close(NOON)
    second = begin()
    with closing(sqlite3.connect(tmp_path / "stats.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert second.summary(RUN, NOON).samples == 0
    assert second.summary(RUN, NOON + RETRY_AFTER).samples == 10, "though nothing was to be written"
