"""The log of a home tells which round was under way at a moment, and how it ended."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.internet.home_rounds import HomeRounds

GROUPED = "2026-11-25T02:00:{}Z INFO core.swarm.averaging.round_averager: Epoch {}: group {} of 3 peers (3 expected)"
EXCHANGING = (
    "2026-11-25T02:00:{}Z INFO core.swarm.averaging.round_averager: Epoch {}: group {} begins to exchange."
)
COMMITTED = (
    "2026-11-25T02:00:{}Z INFO core.swarm.averaging.round_averager: Epoch {}: completed; 64 samples of 2 peers,"
    " our own"
)
LANDED = (
    "2026-11-25T02:00:{}Z INFO core.swarm.collaborative: Epoch {} is done after 33.2 s, 9216 samples of it"
)
FAILED = "2026-11-25T02:00:{}Z WARNING core.trainer.train: Averaging round 1 of epoch {} failed. A reducer was lost."


def at(second: float) -> datetime:
    return datetime(2026, 11, 25, 2, 0, int(second), round(second % 1 * 1_000_000), tzinfo=UTC)


def written(path: Path, *lines: str) -> HomeRounds:
    path.write_text("".join(f"{line}\n" for line in lines))
    return HomeRounds(path).look()


def test_a_round_spans_its_exchange(tmp_path: Path) -> None:
    log = written(
        tmp_path / "log",
        GROUPED.format("01.000", 7, "aa"),
        EXCHANGING.format("02.500", 7, "aa"),
        "Traceback of something else",
        COMMITTED.format("04.000", 7),
    )
    (only,) = log.rounds
    assert (only.epoch, only.group, only.how, only.is_committed) == (7, "aa", "completed", True)
    assert [only.spans(at(second)) for second in (2.0, 2.5, 3.9, 4.0)] == [False, True, True, False]


def test_an_update_lasts_from_the_end_of_its_round(tmp_path: Path) -> None:
    log = written(
        tmp_path / "log",
        GROUPED.format("01.000", 7, "aa"),
        LANDED.format("01.500", 7),  # of the epoch before
        COMMITTED.format("04.000", 7),
        LANDED.format("05.250", 8),
        GROUPED.format("06.000", 8, "bb"),
    )
    assert [item.landing_seconds for item in log.rounds] == [1.25, None]


@pytest.mark.parametrize(
    ("last", "how"),
    [
        (FAILED.format("05.000", 7), "failed: A reducer was lost."),
        (GROUPED.format("05.000", 7, "bb"), "left for another group"),
    ],
)
def test_a_round_without_a_commit_ends_too(tmp_path: Path, last: str, how: str) -> None:
    log = written(
        tmp_path / "log", GROUPED.format("01.000", 7, "aa"), EXCHANGING.format("02.000", 7, "aa"), last
    )
    first = log.rounds[0]
    assert (first.how, first.ended, first.is_committed) == (how, at(5), False)
    assert first.spans(at(4.9))


def test_it_reads_on_where_it_was_and_begins_again_in_an_emptied_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = HomeRounds(path).look()
    assert log.last is None
    with path.open("w") as file:
        file.write(GROUPED.format("01.000", 7, "aa") + "\n" + EXCHANGING.format("02.000", 7, "aa")[:60])
    assert log.look().last is not None
    assert not log.rounds[0].is_exchanging  # half of the line is there
    with path.open("a") as file:
        file.write(EXCHANGING.format("02.000", 7, "aa")[60:] + "\n")
    assert log.look().rounds[0].is_exchanging
    path.write_text(COMMITTED.format("03.000", 7) + "\n")
    assert log.look().rounds[0].is_committed
