"""Records of data sets describe their images, with omissions and mistakes that people make."""

import math
from typing import Any

import pytest

from core.data.images import BrokenImageError
from core.data.sources.source import (
    MAX_CAPTION_CHARACTERS,
    MAX_SPLITS,
    caption_of,
    label_of,
    size_of,
    splits_of,
)


@pytest.mark.parametrize(
    ("record", "column", "caption"),
    [
        ({"caption": "a cat", "text": "a dog"}, None, "a cat"),
        ({"TEXT": "a cat"}, None, "a cat"),
        ({"caption": "a cat", "alt": "a dog"}, "alt", "a dog"),
        ({"caption": ["a cat", "a dog"]}, None, "a cat"),
        ({"caption": None}, None, ""),
    ],
)
def test_a_caption_is_found(record: dict[str, Any], column: str | None, caption: str) -> None:
    assert caption_of(record, column) == caption


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"caption": 5},
        {"caption": []},
        {"caption": "half a \ud83d"},
        {"caption": "x" * (MAX_CAPTION_CHARACTERS + 1)},
    ],
)
def test_what_is_no_caption_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(BrokenImageError):
        caption_of(record)


@pytest.mark.parametrize(
    ("record", "label"),
    [({}, "UNLIKELY"), ({"NSFW": "UNSURE"}, "UNSURE"), ({"nsfw": "NSFW"}, "NSFW"), ({"NSFW": None}, "")],
)
def test_only_sources_without_labels_are_vouched_for(record: dict[str, Any], label: str) -> None:
    assert label_of(record) == label


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (640, 480, (640, 480)),
        (640.0, 480.0, (640, 480)),
        (None, 480, None),
        (math.nan, 480.0, None),
        (math.inf, 480, None),
        (0, 480, None),
        (-5, 480, None),
        (1 << 40, 480, None),
        ("640", 480, None),
    ],
)
def test_a_size_is_known_or_it_is_not(width: object, height: object, size: tuple[int, int] | None) -> None:
    assert size_of({"original_width": width, "original_height": height}) == size


def test_splits_are_names_of_files() -> None:
    assert splits_of({}) == ("train",)
    assert splits_of({"split": ["a", "b", "a"]}) == ("a", "b")
    assert len(splits_of({"split": [f"s{number}" for number in range(MAX_SPLITS)]})) == MAX_SPLITS


@pytest.mark.parametrize("value", ["../a", "", [], [1], {"a": 1}, "x" * 65, ["a"] * (MAX_SPLITS + 1)])
def test_what_names_no_splits_is_refused(value: object) -> None:
    with pytest.raises(BrokenImageError):
        splits_of({"split": value})
