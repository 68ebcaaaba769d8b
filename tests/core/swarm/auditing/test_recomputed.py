"""The difference of what was sent from what was recomputed, as a share of its length, and the verdict on it."""

import math

import pytest
import torch

from core.run.encodings import Encoding
from core.swarm.auditing.recomputed import difference, rms_of, verdict_on
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.rounds.partition import cut

PARTS = cut([(4, Encoding.FLOAT32), (4, Encoding.UNIFORM8)])
DUE = [torch.tensor([3.0, 0.0, 4.0, 0.0]), torch.zeros(4)]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({0: DUE[0]}, 0.0),
        ({0: 2 * DUE[0]}, 1.0),
        ({0: torch.zeros(4)}, 1.0),
        ({0: DUE[0] + torch.tensor([0.0, 0.5, 0.0, 0.0])}, 0.1),
        ({0: DUE[0], 1: torch.tensor([0.0, 0.0, 0.0, 5.0])}, 1.0),
        ({1: torch.zeros(4)}, 0.0),
        ({1: torch.ones(4)}, math.inf),
    ],
)
def test_a_difference_is_relative_to_what_is_due(sent: dict[int, torch.Tensor], expected: float) -> None:
    assert difference(PARTS, sent, DUE) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [({1: torch.full((4,), 0.1)}, 0.2), ({1: torch.full((4,), 5.0)}, 10.0), ({0: 2 * DUE[0]}, 1.0)],
)
def test_a_part_with_next_to_nothing_counts_for_a_least_size(
    sent: dict[int, torch.Tensor], expected: float
) -> None:
    """What was sent in place of nothing is false by its size alone."""
    assert difference(PARTS, sent, DUE, least_rms=0.5) == pytest.approx(expected)
    assert rms_of(PARTS, [0], DUE) == 2.5
    assert rms_of(PARTS, [], DUE) == 0.0


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (0.0, WorkVerdict.SOUND),
        (0.25, WorkVerdict.SOUND),
        (0.26, WorkVerdict.DOUBTFUL),
        (0.75, WorkVerdict.DOUBTFUL),
        (0.76, WorkVerdict.FALSE),
        (math.inf, WorkVerdict.FALSE),
        (math.nan, WorkVerdict.FALSE),
    ],
)
def test_a_small_difference_is_tolerated(found: float, verdict: WorkVerdict) -> None:
    assert verdict_on(found) is verdict
