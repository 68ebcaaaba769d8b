"""The database of the contribution: its schema, its transactions, and who may read it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from client.contribution.database import (
    ContributionDatabase,
    EpochKey,
    EpochPart,
    Mark,
    UnwrittenAmounts,
    checkpoint,
)
from client.contribution.schema import LIVES_KEPT, MIGRATIONS, DamagedError
from client.contribution.tally import Amounts
from tests.client.contribution.reports import NOON, RUN, Begin, committed


def test_a_migration_happens_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    ContributionDatabase.open(path).close()
    broken = "ALTER TABLE runs ADD COLUMN title TEXT; INSERT INTO nowhere VALUES (1);"
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        ContributionDatabase.open(path, (*MIGRATIONS, broken))
    ContributionDatabase.open(path, (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN title TEXT;")).close()
    with pytest.raises(DamagedError, match="schema 4"):
        ContributionDatabase.open(path)


def test_a_failed_transaction_leaves_nothing_behind(tmp_path: Path) -> None:
    with closing(ContributionDatabase.open(tmp_path / "stats.sqlite")) as database:
        unwritten = UnwrittenAmounts(
            hours={("run", 0): Amounts(samples=3)},
            epochs={EpochKey("run", 0, 2**70, "peer"): EpochPart(0, 1)},  # too large for SQLite
        )
        with pytest.raises(OverflowError):
            database.write(unwritten)
        assert database.since(None, 0) == Amounts()


def test_only_the_latest_lives_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    with closing(ContributionDatabase.open(path)) as database:
        for number in range(LIVES_KEPT + 10):
            database.write(UnwrittenAmounts(lives={str(number): Mark(micro_steps=number)}))
        database.write(UnwrittenAmounts(lives={"0": Mark(micro_steps=99)}))
    with closing(ContributionDatabase.open(path)) as database:
        assert database.mark("0") == Mark(micro_steps=99)
        assert database.mark("1") == Mark()
        assert database.mark(str(LIVES_KEPT + 9)) == Mark(micro_steps=LIVES_KEPT + 9)


def test_a_checkpoint_keeps_the_log_short(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    sizes = []
    with closing(ContributionDatabase.open(path)) as database:
        for number in range(90):
            database.write(UnwrittenAmounts(hours={("run", 0): Amounts(samples=1)}))
            if number % 30 == 29:
                checkpoint(path)
                sizes.append((tmp_path / "stats.sqlite-wal").stat().st_size)
        assert database.since(None, 0).samples == 90
    assert sizes[2] <= sizes[0]


def test_a_checkpoint_of_what_is_no_database_does_nothing(tmp_path: Path) -> None:
    checkpoint(tmp_path / "missing.sqlite")
    (tmp_path / "text").write_text("scribble" * 999)
    checkpoint(tmp_path / "text")
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


@pytest.mark.posix
def test_others_may_not_read_the_database(tmp_path: Path, begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(1), NOON)
    modes = {file.stat().st_mode & 0o777 for file in tmp_path.glob("stats.sqlite*")}
    assert modes == {0o600}


def test_a_reader_does_not_make_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        ContributionDatabase.read(tmp_path / "stats.sqlite")
    assert list(tmp_path.iterdir()) == []
