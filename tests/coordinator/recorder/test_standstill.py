"""The organiser is warned of trainers that make no epochs, and of nothing else."""

from collections.abc import Sequence
from typing import Any

import pytest

from coordinator.recorder.standstill import in_step, warning_of
from core.swarm.wire.records import ProgressRecord
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
        ([progress(0, **CLIENT)], 0.0, "1 computer can't train: no peer of this run accepts connections"),
        ([progress(0, **CLIENT), progress(1, **CLIENT)], 0.0, "2 computers can't reach each other"),
        ([progress(0, **CLIENT), progress(1, **CLIENT), FOLLOWER], 0.0, "2 computers can't reach each other"),
        ([progress(0, **CLIENT), progress(1, paused=True)], 0.0, "1 computer can't train"),
        ([progress(0, **CLIENT), progress(1, **CLIENT), HELPER], 0.0, None),
        ([progress(0, **CLIENT), progress(1)], 0.0, None),
    ],
)
def test_the_warning(peers: Sequence[ProgressRecord], seconds: float, warning: str | None) -> None:
    found = warning_of(peers, target=100, seconds=seconds)
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
    def found(seconds: float) -> str | None:
        return warning_of(peers, target=100, seconds=seconds, round_seconds=round_seconds)

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
