"""The trainer's pace is calculated from the messages that the daemon receives."""

from datetime import UTC, datetime, timedelta

import pytest

from client.service.trainer.run import TrainingPace

START = datetime(2026, 3, 1, tzinfo=UTC)


def heard(*reports: tuple[str, int, float]) -> TrainingPace:
    """Lives, samples, and seconds since the start."""
    pace = TrainingPace()
    for life, samples, at in reports:
        pace.hear(life, samples, START + timedelta(seconds=at))
    return pace


def test_it_comes_to_what_is_trained_a_second() -> None:
    assert heard(*(("a", 12 * at, at) for at in range(40))).rate == pytest.approx(12)


def test_what_a_daemon_hears_at_once_after_it_was_held_up_makes_nobody_fast() -> None:
    steady = [("a", 10 * at, float(at)) for at in range(20)]
    held_up = [("a", 10 * at, 40 + at / 1e6) for at in range(20, 41)]
    assert heard(*steady, *held_up, ("a", 420, 42.0)).rate == pytest.approx(10, rel=0.01)


def test_it_follows_what_changes() -> None:
    fast, slow = (
        [("a", 50 * at, float(at)) for at in range(20)],
        [("a", 950 + at, 19.0 + at) for at in range(1, 12)],
    )
    assert heard(*fast, *slow).rate == pytest.approx(1)


@pytest.mark.parametrize("then", [("b", 0, 21.0), ("a", 200, 3.0)], ids=["another life", "a clock set back"])
def test_what_cannot_be_compared_changes_nothing(then: tuple[str, int, float]) -> None:
    steady = [("a", 10 * at, float(at)) for at in range(20)]
    assert heard(*steady, then).rate == heard(*steady).rate
