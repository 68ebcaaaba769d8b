"""The organiser is warned of trainers that make no epochs, and of nothing else."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from coordinator.recorder.standstill import (
    ConditionTimer,
    are_apart,
    by_wait,
    half_wait,
    have_batch,
    holdup_of,
    in_step,
    warning_of,
)
from coordinator.run_now import WAITED_FOR
from core.messages.waiting import SwarmWait
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.wire.records import ProgressRecord
from tests.coordinator.recorder.stand_in_swarm import START
from tests.core.swarm.builders import digest_of, progress

CLIENT: dict[str, Any] = {"reducing": False}
HELPER = progress(9, auxiliary=True, samples=0, samples_per_second=0.0)
FOLLOWER = progress(8, auxiliary=True, paused=True, donates=True, samples=0, samples_per_second=0.0)
HERE = (7, digest_of("head"))


@pytest.mark.parametrize(
    ("peers", "seconds", "warning"),
    [
        ([], 1e6, None),
        ([HELPER, FOLLOWER], 1e6, None),
        ([progress(0, paused=True)], 1e6, None),
        ([progress(0)], 0.0, None),
        ([progress(0), progress(1)], 119.0, None),
        ([progress(0), progress(1)], 500.0, "2 computers train, and no epoch was committed for 8 minutes"),
        ([progress(0, samples_per_second=0.1)], 3_000.0, None),  # its batch takes 1,000 s
        ([progress(0, samples_per_second=0.1)], 5_010.0, "1 computer trains"),
        ([progress(0, samples_per_second=0.0)], 599.0, None),
        ([progress(0, samples_per_second=0.0)], 601.0, "1 computer trains"),
        ([progress(0, **CLIENT)], 0.0, "1 computer cannot train: no peer of this run accepts connections"),
        ([progress(0, **CLIENT), progress(1, **CLIENT)], 0.0, "2 computers cannot reach each other"),
        (
            [progress(0, **CLIENT), progress(1, **CLIENT), FOLLOWER],
            0.0,
            "2 computers cannot reach each other",
        ),
        ([progress(0, **CLIENT), progress(1, paused=True)], 0.0, "1 computer cannot train"),
        ([progress(0, **CLIENT), progress(1, **CLIENT), HELPER], 0.0, None),
        ([progress(0, **CLIENT), progress(1)], 0.0, None),
    ],
)
def test_the_warning(peers: Sequence[ProgressRecord], seconds: float, warning: str | None) -> None:
    found = warning_of(peers, SwarmRules(target_batch_size=100), seconds=seconds)
    assert found is None if warning is None else (found or "").startswith(warning)


@pytest.mark.parametrize(
    ("peers", "round_seconds", "overdue"),
    [
        ([progress(0), progress(1)], 600.0, 3_000.0),  # a batch takes 25 s, but samples do not decide
        ([progress(0, samples_per_second=0.01)], 60.0, 300.0),  # nor here, where it would take 10,000 s
        ([progress(0)], 10.0, 120.0),
        ([progress(0, samples_per_second=0.0)], 10.0, 600.0),
        ([progress(0, samples_per_second=0.0)], 600.0, 3_000.0),
    ],
)
def test_rounds_by_the_clock_are_overdue_after_several_of_them(
    peers: Sequence[ProgressRecord], round_seconds: float, overdue: float
) -> None:
    local = LocalStepRules(round_seconds=round_seconds)
    rules = SwarmRules(
        target_batch_size=100,
        overlap=Overlap.FULL,
        local_steps=local,
        matchmaking_seconds=3.0,
        allreduce_seconds=10.0,
    )

    def found(seconds: float) -> str | None:
        return warning_of(peers, rules, seconds=seconds)

    assert found(overdue) is None
    assert "no epoch was committed" in (found(overdue + 1) or "")


def test_trainers_in_step_are_those_at_the_leading_head() -> None:
    peers = [
        *(progress(number) for number in range(3)),
        progress(3, head=digest_of("a branch of its own")),
        progress(4, epoch=6),
        progress(5, paused=True),
        progress(6, synchronised=False),
        HELPER,
        FOLLOWER,
    ]
    assert in_step(peers, HERE) == 3
    assert in_step(peers, None) == 0


def behind(number: int, **changed: Any) -> ProgressRecord:
    """A trainer that waits for a state that no peer gives it."""
    return progress(number, **{"epoch": 6, "synchronised": False, "samples_per_second": 0.0, **changed})


def on_a_branch(number: int) -> ProgressRecord:
    return progress(number, head=digest_of(f"branch {number}"))


PAIR = [progress(0), progress(1)]
SPLIT = [progress(0), on_a_branch(1), on_a_branch(2)]


@pytest.mark.parametrize(
    ("peers", "apart", "batch", "warning"),
    [
        ([], 0.0, 0.0, None),
        (PAIR, 0.0, 0.0, None),
        (SPLIT, 120.0, 0.0, None),
        (SPLIT, 121.0, 0.0, "Only 1 of 3 computers is in step with the newest epoch, for 2 minutes now."),
        (
            [*PAIR, *(behind(number) for number in range(2, 7))],
            300.0,
            0.0,
            "Only 2 of 7 computers are in step with the newest epoch, for 5 minutes now.",
        ),
        ([behind(0), HELPER], 600.0, 0.0, "The only computer is not in step with the newest epoch, for 10 minutes"),
        ([behind(0), behind(1), HELPER], 600.0, 0.0, "None of 2 computers is in step with the newest epoch"),
        (PAIR, 0.0, 180.0, None),  # a round may take so long
        (PAIR, 0.0, 181.0, "2 computers have the samples of the next epoch, and no round has succeeded for 3 "),
        ([progress(0), behind(1)], 0.0, 240.0, "1 computer has the samples of the next epoch"),
        ([progress(0, **CLIENT), on_a_branch(1).model_copy(update=CLIENT)], 600.0, 600.0, None),
    ],
)  # fmt: skip
def test_trainers_that_do_not_get_together_are_warned_of(
    peers: Sequence[ProgressRecord], apart: float, batch: float, warning: str | None
) -> None:
    found = holdup(peers, apart=apart, batch=batch)
    assert found is None if warning is None else (found or "").startswith(warning)


def holdup(
    peers: Sequence[ProgressRecord], apart: float = 0.0, batch: float = 0.0, wait: float = 0.0
) -> str | None:
    return holdup_of(
        peers, HERE, apart_seconds=apart, batch_seconds=batch, wait_seconds=wait, round_seconds=180.0
    )


WITHOUT_STATE = behind(1, waiting=SwarmWait.NO_DONOR)
ALONE = progress(2, waiting=SwarmWait.UNREACHABLE)


def test_a_warning_tells_what_trainers_say_that_they_wait_for() -> None:
    peers = [progress(0), WITHOUT_STATE, behind(3, waiting=SwarmWait.NO_DONOR), ALONE]
    why = (
        "They state why: 2 wait for a computer that can send the model’s state, "
        "1 waits for a connection with the others at the same epoch."
    )
    assert (holdup(peers, apart=121.0) or "").endswith(why)
    assert (holdup(peers, batch=181.0) or "").endswith(why)
    assert "state why" not in (holdup(PAIR, batch=181.0) or "")


def test_half_of_the_trainers_that_wait_for_long_are_warned_of() -> None:
    peers = [progress(0), ALONE]
    assert holdup(peers, wait=180.0) is None
    assert (holdup(peers, wait=181.0) or "").startswith("Half of 2 computers or more have waited")
    assert (holdup([ALONE], wait=181.0) or "").startswith("The only computer has waited")


@pytest.mark.parametrize(
    ("peers", "waits"),
    [
        ([], False),
        (PAIR, False),
        ([ALONE], True),
        ([progress(0), ALONE], True),
        ([*PAIR, ALONE], False),
        ([*PAIR, ALONE, WITHOUT_STATE], True),
        ([*PAIR, ALONE.model_copy(update={"paused": True}), WITHOUT_STATE], False),
    ],
)
def test_half_of_the_trainers_wait(peers: Sequence[ProgressRecord], waits: bool) -> None:
    assert half_wait(peers) is waits


def test_those_that_wait_are_counted_by_reason() -> None:
    assert by_wait([*PAIR, ALONE, WITHOUT_STATE]) == {"unreachable": 1, "no donor": 1}
    assert set(WAITED_FOR) == set(SwarmWait)


@pytest.mark.parametrize(
    ("peers", "apart"),
    [
        ([], False),
        ([HELPER, FOLLOWER], False),
        (PAIR, False),
        ([progress(0), on_a_branch(1)], False),
        (SPLIT, True),
        ([behind(0)], True),
        ([*PAIR, behind(2), behind(3)], False),
        ([*PAIR, behind(2), behind(3), behind(4)], True),
        ([*PAIR, *(behind(number, paused=True) for number in range(2, 9))], False),
    ],
)
def test_fewer_than_half_in_step_are_apart(peers: Sequence[ProgressRecord], apart: bool) -> None:
    assert are_apart(peers, HERE) is apart


def test_only_samples_of_trainers_in_step_make_a_batch() -> None:
    peers = [progress(0, samples=60), progress(1, samples=40, paused=True), on_a_branch(2)]
    assert not have_batch(peers, HERE, 100)
    assert have_batch([*peers, progress(3, samples=40)], HERE, 100)
    assert not have_batch(peers, None, 100)


def test_what_lasts_is_measured_until_it_breaks_off() -> None:
    timer, seconds = ConditionTimer(), 0.0
    found = []
    for what, passed in (
        ("a", 1.0),
        ("a", 2.0),
        ("b", 4.0),
        ("b", 8.0),
        (None, 16.0),
        (None, 32.0),
        ("b", 64.0),
    ):
        seconds += passed
        found.append(timer.seconds(what, START + timedelta(seconds=seconds)))
    assert found == [0.0, 2.0, 0.0, 8.0, 0.0, 0.0, 0.0]
