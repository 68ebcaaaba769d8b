"""The slots of a pattern hold exactly what its attention sees when a code is decoded."""

import itertools

import pytest

from core.generation.cache_layout import Slots
from core.model.config import AttentionPattern, ModelConfig
from tests.core.model.plain_transformer import sees
from tests.core.model.tiny_model import TINY


@pytest.mark.parametrize("pattern", AttentionPattern)
def test_a_code_sees_in_its_line_what_attention_lets_it_see(pattern: AttentionPattern) -> None:
    for grid, window in itertools.product([1, 2, 5], [1, 2, 5, 7]):
        assert_seen(TINY.model_copy(update={"grid": grid, "convolution_size": window}), pattern)


def assert_seen(config: ModelConfig, pattern: AttentionPattern) -> None:
    """Hold what each code sees in its line against a plain mask; a fault names the size of grid and window."""
    slots, first = Slots.of(config, pattern), config.text_positions
    size = f"grid {config.grid}, window {config.convolution_size}"
    kept: dict[tuple[int, int], int] = {}
    for position in range(config.image_length):
        line = int(slots.line(position))
        kept[line, int(slots.slot(position))] = position
        seen = [slot for slot in range(slots.length) if slots.sees(position, slot)]
        expected = [
            key for key in range(position + 1) if sees(config, pattern, first + position, first + key)
        ]
        assert sorted(kept[line, slot] for slot in seen) == expected, size
        assert set(seen) <= set(range(slots.length)[slots.near(position)]), size


@pytest.mark.parametrize(
    ("pattern", "lines", "length"),
    [
        (AttentionPattern.ROW, 1, 32),
        (AttentionPattern.COLUMN, 32, 32),
        (AttentionPattern.CONVOLUTIONAL, 1, 5 * 32),
    ],
)
def test_no_more_is_kept_than_a_row_the_columns_or_the_rows_of_a_window(
    pattern: AttentionPattern, lines: int, length: int
) -> None:
    slots = Slots(pattern, grid=32, window=5)
    assert (slots.lines, slots.length) == (lines, length)
