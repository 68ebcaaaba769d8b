"""Which of several joined runs is trained, by their shares of time, as a table, and over many turns."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from client.policy.shares import MOST_OWED, SharingRun, owed_after, run_to_train

TURN = 3600.0
A, B, C = (SharingRun(name, 100) for name in "abc")


def owed(run: SharingRun, seconds: float) -> SharingRun:
    return replace(run, owed=seconds)


def skipped(run: SharingRun) -> SharingRun:
    return replace(run, can_train=False)


def reserve(run: SharingRun) -> SharingRun:
    return replace(run, share=0)


@pytest.mark.parametrize(
    ("runs", "current", "turn_is_over", "chosen"),
    [
        ([], None, True, None),
        ([A], "a", True, "a"),
        ([A, B], None, True, "a"),
        ([A, owed(B, 5)], None, True, "b"),
        ([A, owed(B, 5)], "a", False, "a"),
        ([A, owed(B, 5)], "a", True, "b"),
        ([A, B], "b", True, "b"),
        ([owed(A, -5), owed(B, 1), owed(C, 4)], "a", True, "c"),
        ([A, owed(skipped(B), 5)], "a", True, "a"),
        ([skipped(A), owed(B, -5)], "a", False, "b"),
        ([skipped(A), skipped(B)], "b", True, "b"),
        ([skipped(A), skipped(B)], None, True, "a"),
        ([A, owed(reserve(B), 5)], "a", True, "a"),
        ([skipped(A), reserve(B)], "a", False, "b"),
        ([A, reserve(B)], "b", False, "a"),
        ([reserve(A), reserve(B)], "b", False, "b"),
        ([A, B], "left meanwhile", False, "a"),
    ],
    ids=[
        "no run",
        "a single run",
        "the first of two that are owed the same",
        "the one that is owed most",
        "the current one while its turn lasts",
        "the one that is owed most, after a turn",
        "the current one, where the others are owed no more",
        "the most of three",
        "a skipped one has no turn",
        "a skipped one loses its turn at once",
        "where none can be trained, the current one is shown",
        "where none can be trained, the first one is shown",
        "one without a share waits for the others",
        "and is trained once no other can be",
        "and makes way at once",
        "runs without shares among themselves",
        "a current run that was left",
    ],
)
def test_the_run_that_is_trained(
    runs: Sequence[SharingRun], current: str | None, turn_is_over: bool, chosen: str | None
) -> None:
    assert run_to_train(runs, current, turn_is_over=turn_is_over) == chosen


@pytest.mark.parametrize(
    ("runs", "trained", "after"),
    [
        ([A, B], "a", {"a": -50.0, "b": 50.0}),
        ([replace(A, share=300), B], "a", {"a": -25.0, "b": 25.0}),
        ([A, skipped(B)], "a", {"a": 0.0, "b": 0.0}),
        ([A, reserve(B)], "a", {"a": 0.0, "b": 0.0}),
        ([skipped(A), reserve(B)], "b", {"a": 0.0, "b": 0.0}),
        ([owed(A, -MOST_OWED), owed(B, MOST_OWED)], "a", {"a": -MOST_OWED, "b": MOST_OWED}),
    ],
    ids=[
        "equal shares",
        "three to one",
        "a skipped run is owed nothing",
        "a run without a share neither",
        "a run without a share takes what no other could use",
        "what is owed has a bound",
    ],
)
def test_what_runs_are_owed_after_100_seconds(
    runs: Sequence[SharingRun], trained: str, after: dict[str, float]
) -> None:
    assert owed_after(runs, trained, 100.0) == pytest.approx(after)


def train(runs: list[SharingRun], turns: int) -> tuple[list[SharingRun], list[str]]:
    """Train for whole turns by the rule; the runs as they are afterwards, and who had each turn."""
    had: list[str] = []
    for _ in range(turns):
        chosen = run_to_train(runs, had[-1] if had else None, turn_is_over=True)
        assert chosen is not None
        after = owed_after(runs, chosen, TURN)
        runs = [replace(run, owed=after[run.digest]) for run in runs]
        had.append(chosen)
    return runs, had


@pytest.mark.parametrize("shares", [(100, 100), (300, 100), (100, 10), (100, 50, 25), (1, 1, 1, 1)])
def test_turns_divide_the_time_by_the_shares(shares: tuple[int, ...]) -> None:
    runs = [SharingRun(str(place), share) for place, share in enumerate(shares)]
    _, had = train(runs, 700)
    for run in runs:
        assert had.count(run.digest) == pytest.approx(700 * run.share / sum(shares), abs=1.0)


def test_a_run_that_was_away_for_a_month_does_not_keep_the_others_waiting() -> None:
    runs, _ = train([A, B, skipped(C)], 720)
    back = [replace(run, can_train=True) for run in runs]
    _, had = train(back, 30)
    assert [had.count(name) for name in "abc"] == [10, 10, 10]
    assert "c" in had[:3]
