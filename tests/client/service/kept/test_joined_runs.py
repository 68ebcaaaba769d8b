"""The joined runs, their shares and their time persist, and runs that cannot be trained are skipped for a while."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.api.errors import JoinError, StateError
from client.api.runs import DEFAULT_SHARE, RunHindrance
from client.joining.run_card import RunCard
from client.service.channel.joined_view import joined_views
from client.service.kept.joined_runs import MOST_RUNS, JoinedRuns, time_until_retry, titles_in
from tests.client.full_disk import SmallDisk
from tests.moved_clock import MovedClock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
A, B = "a" * 64, "b" * 64
Life = Callable[[], JoinedRuns]


def card(digest: str) -> RunCard:
    return RunCard(name="tiny", title=f"Run {digest[0]}", digest=digest, fingerprint="f", total_epochs=10)


@pytest.fixture
def clock() -> MovedClock[datetime]:
    return MovedClock(NOON)


@pytest.fixture
def life(tmp_path: Path, clock: MovedClock[datetime]) -> Life:
    """The joined runs of the next daemon, as the one before has saved them at its end."""
    lives: list[JoinedRuns] = []

    def begin() -> JoinedRuns:
        if lives:
            lives[-1].save()
        lives.append(JoinedRuns(tmp_path / "joined.json", pytest.fail, clock))
        return lives[-1]

    return begin


@pytest.fixture
def two(life: Life) -> JoinedRuns:
    joined = life()
    joined.add(Path("/runs/a"), card(A))
    joined.add(Path("/runs/b"), card(B))
    return joined


def test_shares_and_time_persist(life: Life, two: JoinedRuns, tmp_path: Path) -> None:
    two.set_share(A, 300)
    two.count(A, 60.0)
    a, b = life().all
    assert (a.share, b.share) == (300, DEFAULT_SHARE)
    assert (a.trained, a.turn, a.owed) == (60.0, 60.0, -15.0)
    assert (b.trained, b.turn, b.owed) == (0.0, 0.0, 15.0)
    assert titles_in(tmp_path / "joined.json") == ("Run a", "Run b")


def test_a_run_that_is_joined_again_keeps_its_share_and_its_time(two: JoinedRuns) -> None:
    two.set_share(A, 5)
    two.count(A, 60.0)
    two.add(Path("/elsewhere/a"), card(A))
    run = two.at(Path("/elsewhere/a"))
    assert run is not None
    assert (run.share, run.trained) == (5, 60.0)
    assert [each.digest for each in two.all] == [A, B]


def test_the_part_of_the_last_seven_days(two: JoinedRuns, clock: MovedClock[datetime]) -> None:
    two.count(A, 3000.0)
    clock.now += timedelta(days=6)
    two.count(B, 1000.0)
    a, b = joined_views(two.all, Path("/runs/b"), clock.now)
    assert (a.week_seconds, a.week_part) == (3000.0, 0.75)
    assert (b.week_seconds, b.week_part, b.is_current) == (1000.0, 0.25, True)
    clock.now += timedelta(days=1)
    a, b = joined_views(two.all, Path("/runs/b"), clock.now)
    assert (a.trained_seconds, a.week_seconds, b.week_part) == (3000.0, 0.0, 1.0)
    two.count(B, 1.0)
    assert two.all[0].days == {}, "days of earlier weeks are forgotten"


def test_a_hindered_run_is_skipped_for_longer_each_time(two: JoinedRuns, clock: MovedClock[datetime]) -> None:
    minutes = []
    for _ in range(3):
        two.hinder(A, RunHindrance.UNREACHABLE)
        two.hinder(A, RunHindrance.UNREACHABLE)  # the next look finds the same
        run = two.of(A)
        assert run is not None
        assert run.retry_at is not None
        assert not run.can_train(clock.now)
        minutes.append((run.retry_at - clock.now) / timedelta(minutes=1))
        clock.now = run.retry_at
        assert run.can_train(clock.now)
        two.release(A, for_good=False)
    assert minutes == [10, 20, 40]
    two.release(A, for_good=True)
    two.hinder(A, RunHindrance.UNREACHABLE)
    run = two.of(A)
    assert run is not None
    assert run.retry_at == clock.now + timedelta(minutes=10), "it was trained for long meanwhile"


@pytest.mark.parametrize(
    ("hindrance", "failures", "wait"),
    [
        (RunHindrance.BROKEN, 1, timedelta(hours=1)),
        (RunHindrance.BROKEN, 2, timedelta(hours=2)),
        (RunHindrance.UNREACHABLE, 1, timedelta(minutes=10)),
        (RunHindrance.UNREACHABLE, 10_000, timedelta(days=1)),
        (RunHindrance.FINISHED, 1, None),
    ],
)
def test_the_time_until_a_run_is_tried_again(
    hindrance: RunHindrance, failures: int, wait: timedelta | None
) -> None:
    assert time_until_retry(hindrance, failures) == wait


def test_a_clock_that_is_set_back_skips_no_run_for_longer_than_a_day(
    two: JoinedRuns, clock: MovedClock[datetime]
) -> None:
    for years in (0, 3):
        two.hinder(A, RunHindrance.BROKEN)
        assert [run.can_train(clock.now) for run in two.all] == [False, True]
        clock.now -= timedelta(days=365 * years)
    assert [run.can_train(clock.now) for run in two.all] == [True, True]


def test_a_finished_run_is_tried_again_only_when_the_volunteer_asks_for_it(
    two: JoinedRuns, life: Life, clock: MovedClock[datetime]
) -> None:
    two.hinder(A, RunHindrance.FINISHED)
    clock.now += timedelta(days=365)
    later = life()
    assert [run.can_train(clock.now) for run in later.all] == [False, True]
    later.release_all(RunHindrance.UPDATE)
    assert [run.can_train(clock.now) for run in later.all] == [False, True]
    later.release_all()
    assert [run.can_train(clock.now) for run in later.all] == [True, True]


def test_a_single_run_is_shown_as_skipped_by_no_other(two: JoinedRuns, clock: MovedClock[datetime]) -> None:
    two.hinder(A, RunHindrance.BROKEN)
    assert joined_views(two.all, None, clock.now)[0].hindrance is RunHindrance.BROKEN
    two.keep_only(A)
    assert joined_views(two.all, None, clock.now)[0].hindrance is None


def test_runs_beyond_the_limit_are_refused(life: Life) -> None:
    joined = life()
    for number in range(MOST_RUNS):
        digest = f"{number:064x}"
        joined.require_room(digest)
        joined.add(Path(f"/runs/{number}"), card(digest))
    joined.require_room(f"{3:064x}")
    with pytest.raises(JoinError, match="20 runs are joined"):
        joined.require_room(A)
    with pytest.raises(JoinError, match="20 runs are joined"):
        joined.add(Path("/runs/a"), card(A))
    assert len(life().all) == MOST_RUNS
    with pytest.raises(JoinError, match="not joined"):
        joined.set_share(A, 1)


def test_a_full_disk_is_reported_and_nothing_is_lost(
    small_disk: SmallDisk, clock: MovedClock[datetime]
) -> None:
    joined = JoinedRuns(small_disk.folder / "joined.json", pytest.fail, clock)
    joined.add(Path("/runs/a"), card(A))
    with small_disk.full(), pytest.raises(StateError, match="could not be saved"):
        joined.save()
    joined.save()
    assert titles_in(small_disk.folder / "joined.json") == ("Run a",)


def test_a_file_that_is_none_of_ours_is_set_aside(tmp_path: Path, clock: MovedClock[datetime]) -> None:
    path, notices = tmp_path / "joined.json", list[str]()
    path.write_text('{"version": 2}')
    assert titles_in(path) == ()
    assert JoinedRuns(path, notices.append, clock).all == ()
    assert "set aside" in notices[0]
