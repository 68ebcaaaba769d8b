import math
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.api.errors import StatsError
from client.api.messages import EpochCommitted, Joined, Progress, TrainerMessage
from client.contribution.database import Database, EpochKey, EpochPart, Mark, Unwritten, checkpoint
from client.contribution.schema import LIVES_KEPT, MIGRATIONS, DamagedError
from client.contribution.stats import EPOCHS_WAITING, RETRY_AFTER, WRITE_EVERY, Contribution, TrainedRun
from client.contribution.tally import Calendar, Tally
from tests.client.full_disk import SmallDisk

RUN = TrainedRun("d" * 64, "emoji")
OTHER = TrainedRun("e" * 64, "birds")
NOON = datetime(2026, 3, 14, 12, 30, tzinfo=UTC)
PEER = Joined(peer_id="12D3KooW", epoch=0, parameters=10)


def progress(
    micro_steps: int = 0, seconds: float = 0.0, sent: int = 0, received: int = 0, epoch: int = 0
) -> Progress:
    return Progress(
        epoch=epoch,
        loss=1.0,
        samples=3,
        swarm_samples=9,
        target_batch_size=64,
        peers=2,
        samples_per_second=1.0,
        seconds_to_next_epoch=None,
        bytes_sent=sent,
        bytes_received=received,
        micro_steps=micro_steps,
        compute_seconds=seconds,
    )


def committed(epoch: int, own_samples: int = 10) -> EpochCommitted:
    return EpochCommitted(
        epoch=epoch,
        loss=1.0,
        samples=64,
        own_samples=own_samples,
        peers=2,
        seconds=5.0,
        parameter_digest="a",
        bytes_sent=1,
        bytes_received=1,
    )


@pytest.fixture
def problems() -> list[StatsError]:
    return []


@pytest.fixture
def begin(tmp_path: Path, problems: list[StatsError]) -> Callable[[], Contribution]:
    return lambda: Contribution(tmp_path / "stats.sqlite", problems.append, Calendar(UTC))


Begin = Callable[[], Contribution]


def test_counters_count_by_how_far_they_rose_in_each_life(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(4, 2.0, 100, 50), NOON)
    contribution.heard(RUN, "a", progress(6, 3.5, 150, 70), NOON)
    contribution.heard(RUN, "b", progress(1, 0.5, 20, 5), NOON)
    view = contribution.summary(RUN, NOON)
    assert (view.compute_seconds, view.bytes_sent, view.bytes_received) == (4.0, 170, 75)
    contribution.write(NOON)
    assert contribution.summary(RUN, NOON) == view


@pytest.mark.parametrize(
    "again",
    [progress(6, 3.0, 60, 6), progress(2, 1.0, 20, 2), progress(6, math.nan, 2**80, -1)],
    ids=["repeated", "late", "senseless"],
)
def test_a_message_that_tells_nothing_new_counts_nothing(begin: Begin, again: Progress) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(6, 3.0, 60, 6), NOON)
    view = contribution.summary(RUN, NOON)
    contribution.heard(RUN, "a", again, NOON)
    contribution.write(NOON)
    assert contribution.summary(RUN, NOON) == view


def test_an_epoch_counts_once_for_a_peer_and_again_after_a_rollback(begin: Begin) -> None:
    contribution = begin()
    for life in ("a", "b"):
        contribution.heard(RUN, life, PEER, NOON)
        contribution.heard(RUN, life, committed(7), NOON)
    assert contribution.summary(RUN, NOON).samples == 10
    rolled_back = TrainedRun(RUN.digest, RUN.name, generation=1)
    contribution.heard(rolled_back, "b", committed(7, 3), NOON)
    view = contribution.summary(RUN, NOON)
    assert (view.samples, view.epochs) == (13, 2)


def test_an_epoch_without_own_samples_is_none_that_was_taken_part_in(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(1, 0), NOON)
    assert contribution.summary(RUN, NOON).epochs == 0


@pytest.mark.parametrize("epoch", [-1, 2**63, 2**200])
def test_an_epoch_that_cannot_be_is_not_counted(begin: Begin, epoch: int) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(epoch), NOON)
    assert contribution.summary(RUN, NOON).samples == 0


def test_nothing_is_counted_twice_across_lives_of_the_daemon(begin: Begin) -> None:
    said: list[TrainerMessage] = [
        PEER,
        progress(5, 5.0, 5, 5),
        committed(1),
        progress(9, 9.0, 9, 9),
        committed(2),
    ]
    for _ in range(3):
        contribution = begin()
        for message in said:
            contribution.heard(RUN, "a", message, NOON)
        contribution.close(NOON)
    view = begin().summary(RUN, NOON)
    assert (view.samples, view.epochs, view.compute_seconds, view.bytes_sent) == (20, 2, 9.0, 9)


def test_runs_are_counted_apart_and_the_month_is_that_of_all(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(sent=100), NOON)
    contribution.heard(OTHER, "b", progress(received=10), NOON)
    assert contribution.summary(RUN, NOON).bytes_sent == 100
    assert contribution.summary(OTHER, NOON).bytes_sent == 0
    assert contribution.month_bytes(NOON) == 110


def test_today_and_the_month_begin_at_the_volunteers_midnight(
    tmp_path: Path, problems: list[StatsError]
) -> None:
    contribution = Contribution(
        tmp_path / "stats.sqlite", problems.append, Calendar(ZoneInfo("Asia/Kolkata"))
    )
    late = datetime(2026, 3, 31, 18, 29, tzinfo=UTC)  # 23:59 in Kolkata
    contribution.heard(RUN, "a", progress(sent=5), late)
    contribution.heard(RUN, "a", committed(1), late)
    assert contribution.summary(RUN, late).samples_today == 10
    assert contribution.month_bytes(late) == 5
    after = late + timedelta(minutes=1)
    view = contribution.summary(RUN, after)
    assert (view.samples_today, view.samples, view.month_bytes) == (0, 10, 0)


def test_energy_adds_up(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()
    for joules in (30.0, math.nan, -5.0, math.inf, 12.5):
        contribution.add_energy(RUN, joules, NOON)
    contribution.close(NOON)
    with closing(Database.read(tmp_path / "stats.sqlite")) as database:
        assert database.since(RUN.digest, 0).joules == 42.5


def test_counters_are_written_now_and_then_and_epochs_at_once(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()

    def on_disk() -> Tally:
        with closing(Database.read(tmp_path / "stats.sqlite")) as database:
            return database.since(RUN.digest, 0)

    contribution.heard(RUN, "a", progress(1), NOON)
    contribution.heard(RUN, "a", progress(2), NOON + WRITE_EVERY / 2)
    assert on_disk().micro_steps == 1
    contribution.heard(RUN, "a", progress(3), NOON + WRITE_EVERY)
    assert on_disk().micro_steps == 3
    contribution.heard(RUN, "a", progress(4), NOON + WRITE_EVERY)
    contribution.heard(RUN, "a", committed(1), NOON + WRITE_EVERY)
    assert (on_disk().micro_steps, on_disk().samples) == (4, 10)
    contribution.heard(RUN, "a", progress(5), NOON - timedelta(hours=1))  # the clock was set back
    assert on_disk().micro_steps == 5


def test_a_full_disk_is_said_once_and_nothing_is_lost(
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
    with closing(Database.read(path)) as database:
        assert database.since(RUN.digest, 0) == Tally(samples=390, epochs=39, micro_steps=40)


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
    Database.open(path, (*MIGRATIONS, "CREATE TABLE later (number INTEGER);")).close()


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
    with closing(Database.open(path)) as database:
        database.write(Unwritten(epochs=many))  # more than SQLite keeps in memory
    contribution = begin()
    contribution.heard(RUN, "a", progress(1), NOON)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
    contribution.heard(OTHER, "a", committed(499), NOON)
    contribution.close(NOON)
    assert ["new one was begun" in problem.what for problem in problems] == [True]
    with closing(Database.read(path)) as database:
        assert database.since(OTHER.digest, 0).samples == 10


def test_a_database_that_was_removed_while_it_is_used_is_begun_anew(tmp_path: Path, begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(5), NOON)
    for file in tmp_path.iterdir():
        file.unlink()
    contribution.heard(RUN, "a", progress(7), NOON)
    contribution.close(NOON)
    with closing(Database.read(tmp_path / "stats.sqlite")) as database:
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


def test_a_migration_happens_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    Database.open(path).close()
    broken = "ALTER TABLE runs ADD COLUMN title TEXT; INSERT INTO nowhere VALUES (1);"
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        Database.open(path, (*MIGRATIONS, broken))
    Database.open(path, (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN title TEXT;")).close()
    with pytest.raises(DamagedError, match="schema 2"):
        Database.open(path)


def test_a_failed_transaction_leaves_nothing_behind(tmp_path: Path) -> None:
    with closing(Database.open(tmp_path / "stats.sqlite")) as database:
        unwritten = Unwritten(
            hours={("run", 0): Tally(samples=3)},
            epochs={EpochKey("run", 0, 2**70, "peer"): EpochPart(0, 1)},  # too large for SQLite
        )
        with pytest.raises(OverflowError):
            database.write(unwritten)
        assert database.since(None, 0) == Tally()


def test_only_the_latest_lives_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    with closing(Database.open(path)) as database:
        for number in range(LIVES_KEPT + 10):
            database.write(Unwritten(lives={str(number): Mark(micro_steps=number)}))
        database.write(Unwritten(lives={"0": Mark(micro_steps=99)}))
    with closing(Database.open(path)) as database:
        assert database.mark("0") == Mark(micro_steps=99)
        assert database.mark("1") == Mark()
        assert database.mark(str(LIVES_KEPT + 9)) == Mark(micro_steps=LIVES_KEPT + 9)


def test_a_checkpoint_keeps_the_log_short(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    sizes = []
    with closing(Database.open(path)) as database:
        for number in range(90):
            database.write(Unwritten(hours={("run", 0): Tally(samples=1)}))
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


LIVES, EPOCHS = ("a", "b", "c"), 6
REPORTS = st.tuples(st.sampled_from(LIVES), st.integers(0, 99) | st.integers(1, EPOCHS).map(lambda n: -n))
"""A life, and its micro-steps so far or, negative, an epoch that it took part in."""


@settings(deadline=None, max_examples=25)
@given(st.lists(st.none() | REPORTS, max_size=40))
def test_whatever_is_reported_in_whatever_order_counts_once(
    reports: list[tuple[str, int] | None],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stats.sqlite"
        contribution = Contribution(path, print, Calendar(UTC))
        for report in reports:
            if report is None:  # the daemon ends and starts
                contribution.close(NOON)
                contribution = Contribution(path, print, Calendar(UTC))
                continue
            life, number = report
            contribution.heard(RUN, life, committed(-number) if number < 0 else progress(number), NOON)
        contribution.close(NOON)
        with closing(Database.open(path)) as database:
            total = database.since(RUN.digest, 0)
    heard = [report for report in reports if report is not None]
    assert total.samples == 10 * len({number for _, number in heard if number < 0})
    assert total.micro_steps == sum(
        max((number for life, number in heard if life == own and number > 0), default=0) for own in LIVES
    )


def test_others_may_not_read_the_database(tmp_path: Path, begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(1), NOON)
    modes = {file.stat().st_mode & 0o777 for file in tmp_path.glob("stats.sqlite*")}
    assert modes == {0o600}


def test_a_reader_does_not_make_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        Database.read(tmp_path / "stats.sqlite")
    assert list(tmp_path.iterdir()) == []
