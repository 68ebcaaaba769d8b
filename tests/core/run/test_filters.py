"""The paper's filters, as a table of cases."""

import math

import pytest
from pydantic import ValidationError

from core.run.filters import DropReason, FilterSettings, drop_reason

CASES = [
    ("a red heart", "UNLIKELY", 64, 64, None),
    ("cat", "UNLIKELY", 200, 100, None),
    ("cat", "UNLIKELY", 100, 200, None),
    ("ox", "UNLIKELY", 64, 64, DropReason.SHORT_CAPTION),
    ("", "UNLIKELY", 64, 64, DropReason.SHORT_CAPTION),
    ("a red heart", "UNSURE", 64, 64, DropReason.NSFW),
    ("a red heart", "NSFW", 64, 64, DropReason.NSFW),
    ("a red heart", "", 64, 64, DropReason.NSFW),
    ("a red heart", "UNLIKELY", 0, 64, DropReason.UNKNOWN_SIZE),
    ("a red heart", "UNLIKELY", 64, -1, DropReason.UNKNOWN_SIZE),
    ("a red heart", "UNLIKELY", 201, 100, DropReason.EXTREME_ASPECT_RATIO),
    ("a red heart", "UNLIKELY", 100, 201, DropReason.EXTREME_ASPECT_RATIO),
]


@pytest.mark.parametrize(("caption", "nsfw", "width", "height", "expected"), CASES)
def test_the_papers_filters(
    caption: str, nsfw: str, width: int, height: int, expected: DropReason | None
) -> None:
    assert drop_reason(caption, nsfw, width, height, FilterSettings()) == expected


def test_settings_move_the_limits() -> None:
    settings = FilterSettings(
        min_caption_length=1, safe_labels=frozenset({"UNLIKELY", "UNSURE"}), max_aspect_ratio=4
    )
    assert drop_reason("x", "UNSURE", 400, 100, settings) is None
    assert drop_reason("x", "UNSURE", 401, 100, settings) is DropReason.EXTREME_ASPECT_RATIO


@pytest.mark.parametrize("ratio", [math.inf, math.nan, 0.5])
def test_a_ratio_that_no_index_could_hold_is_refused(ratio: float) -> None:
    with pytest.raises(ValidationError):
        FilterSettings(max_aspect_ratio=ratio)
