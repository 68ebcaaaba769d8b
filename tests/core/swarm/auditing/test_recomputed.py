"""The difference of what was sent from what was recomputed, as a share of its length, and the verdict on it."""

import math

import pytest
import torch

from core.run.encodings import Encoding
from core.swarm.auditing.recomputed import difference, verdict_on
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
