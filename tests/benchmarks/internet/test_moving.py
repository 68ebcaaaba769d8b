"""The benchmark of a computer that moves tells what that cost from what the recorder and the computer saw."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from benchmarks.internet.moving import HomeMove, outcome_of
from benchmarks.internet.organised_run import SeenEpoch

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
MOVE = HomeMove(5, NOON + timedelta(seconds=1), NOON + timedelta(seconds=11), "11.0.0.14")


def history(*commits: tuple[int, float, int]) -> list[dict[str, Any]]:
    return [
        {"epoch": epoch, "time": (NOON + timedelta(seconds=second)).isoformat(), "peers": peers}
        for epoch, second, peers in commits
    ]


BEFORE = ((4, -20.0, 3), (5, -10.0, 3))


@pytest.mark.parametrize(
    ("commits", "own", "expected"),
    [
        pytest.param(
            (*BEFORE, (6, 16.0, 2), (7, 26.0, 2), (8, 36.0, 3)),
            {5: 10, 6: 0, 7: 0, 8: 10},
            (15.0, 2, 10.0, 26.0, 25.0, 1, 0),
            id="the others went on without it",
        ),
        pytest.param(
            (*BEFORE, (6, 16.0, 2), (7, 26.0, 2), (8, 36.0, 3)),
            {5: 10, 6: -10, 7: -10, 8: 10},
            (15.0, 2, 10.0, 26.0, 25.0, 1, 2),
            id="it went on alone",
        ),
        pytest.param(
            (*BEFORE, (6, 4.0, 3), (7, 26.0, 3)),
            {6: 10, 7: 10},
            (3.0, 3, 10.0, 22.0, 15.0, 0, 0),
            id="its parts had arrived",
        ),
        pytest.param((*BEFORE, (6, 16.0, 2)), {}, (15.0, 2, 10.0, 26.0, None, None, 0), id="it is not back"),
        pytest.param(BEFORE, {}, (None, None, 10.0, None, None, None, 0), id="nobody went on"),
    ],
)
def test_what_a_move_cost(
    commits: tuple[tuple[int, float, int], ...], own: dict[int, int], expected: tuple[float | None, ...]
) -> None:
    """Negative numbers stand for samples of an epoch that nobody else has."""
    seen = {epoch: SeenEpoch(2.5 if samples >= 0 else 2.25, abs(samples)) for epoch, samples in own.items()}
    others = {epoch: SeenEpoch(2.5, 20) for epoch, _, _ in commits}
    found = outcome_of(MOVE, history(*commits), seen, others, MOVE.ended + timedelta(seconds=12))
    assert (found.pop("offline_seconds"), found.pop("reach_seconds")) == (10.0, 12.0)
    assert tuple(found.values()) == expected
