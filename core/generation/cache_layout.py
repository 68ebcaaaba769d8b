"""Layout of the caches by attention pattern, and the memory that drawing takes; without torch."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeAlias

from core.model.config import AttentionPattern, ModelConfig
from core.model.techniques import Precision

if TYPE_CHECKING:
    from torch import Tensor

CodePosition: TypeAlias = "int | Tensor"
"""Position of a code in its image, counted row by row: a number, or an int64 tensor."""


@dataclass(frozen=True)
class Slots:
    """Lines of slots: a code writes one slot of one line, and sees no other line.

    *Row* layers have one line, for the current row; *column* layers one for each column; *convolutional* ones one for
    as many of the newest rows as the window has, column by column, so that what a code sees lies together.
    """

    pattern: AttentionPattern
    grid: int
    """Codes along one side of an image."""
    window: int
    """Rows and columns of the convolutional pattern's square."""

    @classmethod
    def of(cls, config: ModelConfig, pattern: AttentionPattern) -> Self:
        """Return the slots of a layer of ``config`` with the attention ``pattern``."""
        return cls(pattern, config.grid, config.convolution_size)

    @property
    def lines(self) -> int:
        """Number of lines: one for each column in *column* layers, else one."""
        return self.grid if self.pattern is AttentionPattern.COLUMN else 1

    @property
    def length(self) -> int:
        """Slots of a line."""
        return self.grid * self._rows if self.pattern is AttentionPattern.CONVOLUTIONAL else self.grid

    @property
    def _rows(self) -> int:
        return min(self.window, self.grid)

    def line(self, position: CodePosition) -> CodePosition:
        """Return the line of the code at ``position``; a tensor gives a tensor of its shape."""
        return position % self.lines

    def slot(self, position: CodePosition) -> CodePosition:
        """Return the slot of the code at ``position`` within its line; a tensor gives a tensor of its shape."""
        row, column = position // self.grid, position % self.grid
        if self.pattern is AttentionPattern.ROW:
            return column
        return row if self.pattern is AttentionPattern.COLUMN else column * self._rows + row % self._rows

    def near(self, position: int) -> slice:
        """Return the range of slots that contains all that the code at ``position`` sees."""
        row, column = divmod(position, self.grid)
        if self.pattern is AttentionPattern.CONVOLUTIONAL:
            return slice(max(0, column - self.window + 1) * self._rows, (column + 1) * self._rows)
        return slice(0, 1 + (column if self.pattern is AttentionPattern.ROW else row))

    def sees(self, position: CodePosition, slot: CodePosition) -> "bool | Tensor":
        """Return True where the code at ``position`` sees a ``slot`` of its line.

        Both are numbers, or int64 tensors whose shapes broadcast: the result is a boolean tensor of the
        common shape then.
        """
        row, column = position // self.grid, position % self.grid
        if self.pattern is not AttentionPattern.CONVOLUTIONAL:
            return slot <= self.slot(position)
        above, left = (row - slot) % self._rows, column - slot // self._rows
        return (above <= row) & (left >= 0) & (left < self.window)


_FULL = Precision.FLOAT32.bytes_per_value
_DOUBLE = 8
"""Bytes of a value of the noise that codes are drawn by."""


def bytes_per_image(config: ModelConfig, precision: Precision = Precision.FLOAT32) -> int:
    """Return the bytes of an image while it is drawn: caches and working memory, without the codec.

    ``config`` is that of the model, and ``precision`` the one in which it computes.
    """
    value = precision.bytes_per_value
    of_token = 2 * config.heads * config.dim_head
    slots = [Slots.of(config, config.layer_pattern(layer)) for layer in range(config.depth)]
    cached = sum(item.lines * item.length for item in slots) * of_token
    if config.token_shift:
        cached += 2 * config.depth * (config.grid + 2) * config.dim // 2
    return cached * value + _bytes_of_step(config, max(item.length for item in slots), value)


def _bytes_of_step(config: ModelConfig, slots: int, value: int) -> int:
    """Return the most that computing one code takes: in feed-forward, attention, or the choice of the code."""
    streams = 6 * config.dim * _FULL
    heads = 6 * config.heads * config.dim_head * (_FULL if value == _FULL else value + _FULL)
    hidden = 3 * config.feed_forward_factor * config.dim * value
    attention = 3 * config.heads * (config.text_positions + slots + config.dim_head) * value
    choice = config.image_vocab * (value + 2 * _FULL + 4 * _DOUBLE)
    return streams + heads + max(hidden, attention, choice)


def bytes_of_text(config: ModelConfig, prompts: int, precision: Precision = Precision.FLOAT32) -> int:
    """Return the bytes that drawing takes for any number of images: prompts, their reading, and tables.

    Args:
        config: Sizes of the model.
        prompts: Number of prompts that are read at once.
        precision: Precision in which the model computes.
    """
    value, inner = precision.bytes_per_value, config.heads * config.dim_head
    seen = 2 * config.depth * inner * config.text_positions * value
    attention = inner * (4 * value + 6 * _FULL) + config.dim * (value + 2 * _FULL)
    hidden = 3 * config.feed_forward_factor * config.dim * value
    reading = (config.text_positions + config.grid) * (4 * config.dim * _FULL + max(attention, hidden))
    return prompts * (seen + reading) + _bytes_of_tables(config, value)


def _bytes_of_tables(config: ModelConfig, value: int) -> int:
    """Return the bytes of masks, and of rotations or learned positions, for every code of an image."""
    patterns = set(map(config.layer_pattern, range(config.depth)))
    masks = sum(Slots.of(config, pattern).length for pattern in patterns) * value
    positions = 0 if config.rotary else config.dim * _FULL
    return config.image_length * (masks + positions + 3 * config.dim_head * _FULL)


def images_that_fit(
    config: ModelConfig,
    free: int,
    largest: int,
    precision: Precision = Precision.FLOAT32,
    *,
    guided: bool = False,
) -> int:
    """Return the number of images of a prompt to draw at once; at least 1, even if 1 does not fit.

    Args:
        config: Sizes of the model.
        free: Bytes that drawing may take.
        largest: Largest number to return.
        precision: Precision in which the model computes.
        guided: True if each image is computed with and without its prompt.
    """
    rows = 1 + guided
    left = free - bytes_of_text(config, rows, precision)
    return max(1, min(largest, left // (rows * bytes_per_image(config, precision))))
