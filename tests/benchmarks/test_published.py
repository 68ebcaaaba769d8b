"""The comparison of imported weights writes nothing that is beyond its tolerance."""

import pytest
import torch

from benchmarks.contestants.worker import WorkerError
from benchmarks.published import MODELS, TOLERANCE, row

LOGITS = {"text_logits": torch.linspace(-1, 1, 8), "image_logits": torch.linspace(-1, 1, 4)}


def moved(by: float) -> dict[str, torch.Tensor]:
    return LOGITS | {"image_logits": LOGITS["image_logits"] + by}


def test_a_row_says_how_far_the_farthest_logit_is() -> None:
    found = row("small", "training", MODELS["small"], LOGITS, moved(TOLERANCE / 2))
    assert (found["difference_of_text"], found["logits"]) == (0.0, 12)
    assert found["difference_of_image"] == pytest.approx(TOLERANCE / 2, rel=0.05)


@pytest.mark.parametrize("by", [2 * TOLERANCE, float("nan")])
def test_logits_beyond_the_tolerance_end_the_comparison(by: float) -> None:
    with pytest.raises(WorkerError, match="logits differ"):
        row("small", "training", MODELS["small"], LOGITS, moved(by))
