"""The daemon that runs beside a command counts at once what the command fetches."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from client.api.errors import StatsError
from client.contribution.counting import counted_download
from tests.client.contribution.reports import NOON, RUN, Begin, progress

STATS = "stats.sqlite"
"""The file's name, the same as in the fixture `begin`."""


def fail(error: StatsError) -> None:
    raise error


def test_the_daemon_counts_what_a_command_has_fetched(begin: Begin, tmp_path: Path) -> None:
    daemon = begin()
    daemon.heard(RUN, "trainer", progress(1, 1.0, 10, 5), NOON)
    daemon.write(NOON)
    assert daemon.month_bytes(NOON) == 15
    with counted_download(tmp_path / STATS, RUN, fail, lambda: NOON) as received:
        received(40)
        received(70)
    assert daemon.month_bytes(NOON) == 85
    assert daemon.summary(RUN, NOON).bytes_received == 75


def test_a_daemon_that_is_just_writing_is_waited_for(begin: Begin, tmp_path: Path) -> None:
    daemon = begin()
    assert daemon.month_bytes(NOON) == 0
    with closing(sqlite3.connect(tmp_path / STATS, isolation_level=None)) as writing:

        def rest(_: float) -> None:
            writing.execute("ROLLBACK")

        with counted_download(tmp_path / STATS, RUN, fail, lambda: NOON, rest) as received:
            writing.execute("BEGIN IMMEDIATE")
            received(40)
    assert daemon.month_bytes(NOON) == 40


def test_what_has_come_counts_though_the_command_failed(begin: Begin, tmp_path: Path) -> None:
    def fetch_and_fail() -> None:
        with counted_download(tmp_path / STATS, RUN, fail, lambda: NOON) as received:
            received(40)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fetch_and_fail()
    assert begin().month_bytes(NOON) == 40


def test_a_command_that_fetched_nothing_leaves_no_record(tmp_path: Path) -> None:
    with counted_download(tmp_path / STATS, RUN, fail, lambda: NOON):
        pass
    assert not (tmp_path / STATS).exists()
