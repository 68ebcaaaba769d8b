"""A daemon that is killed again and again, and what it had recorded by then."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from client.contribution.database import ContributionDatabase
from client.contribution.tally import Amounts
from tests.integration.daemon.stand_in_contributor import RUN, SAMPLES, STEPS


def record_until_killed(path: Path, epochs: int) -> int:
    """The last epoch that the process said it had recorded."""
    command = [sys.executable, "-m", "tests.integration.daemon.stand_in_contributor", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(epochs)]
        process.send_signal(signal.SIGKILL)
        printed += process.stdout.readlines()
    return int(printed[-1])


def read(path: Path) -> Amounts:
    with closing(ContributionDatabase.read(path)) as database:
        return database.since(RUN.digest, 0)


def test_nothing_is_counted_twice_or_lost_however_often_the_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    furthest = 0
    for epochs in (1, 40, 3, 120, 119, 200):
        furthest = max(furthest, record_until_killed(path, epochs))
        recorded = read(path)
        assert recorded.epochs - furthest in (0, 1)  # one that it had no time to say
        furthest = recorded.epochs
        assert recorded.samples == furthest * SAMPLES
        assert recorded.micro_steps == furthest * STEPS  # an epoch brings the counters with it
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
