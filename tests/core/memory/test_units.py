"""Sizes of memory, as people write them and as they are shown."""

import pytest

from core.errors import MemoryPlanError
from core.memory.units import format_size, parse_size

GIB = 2**30


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8GiB", 8 * GIB),
        ("8 gib", 8 * GIB),
        ("8G", 8 * GIB),
        ("8GB", 8 * 10**9),
        ("1.5TiB", 3 * 2**39),
        (".5M", 2**19),
        ("512MiB", 2**29),
        ("4096", 4096),
        ("4096B", 4096),
    ],
)
def test_sizes_are_read_with_any_unit(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["3bananas", "", "GiB", "-8GiB", "8 i", "8iB", "1e3", "0", "0GiB", "9999999T", "٨GiB"]
)
def test_what_is_no_size_is_refused_with_the_units_there_are(text: str) -> None:
    with pytest.raises(MemoryPlanError, match="8GiB"):
        parse_size(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1536, "1.5 KiB"),
        (8 * GIB, "8 GiB"),
        (8 * 10**9, "7.45 GiB"),
        (700 * 2**20, "700 MiB"),
        (1023 * 2**20, "1 GiB"),
        (2**50, "1024 TiB"),
    ],
)
def test_sizes_are_shown_with_three_digits(size: int, text: str) -> None:
    assert format_size(size) == text
