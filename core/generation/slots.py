"""Where an attention pattern keeps the codes that it can still see; free of torch."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeAlias

from core.model.config import AttentionPattern, ModelConfig

if TYPE_CHECKING:
    from torch import Tensor

Position: TypeAlias = "int | Tensor"
"""Of a code in its image, row by row: a number, or int64 tensors."""


@dataclass(frozen=True)
class Slots:
    """Lines of slots: a code writes one slot of one line, and sees no other line.

    *Row* layers have one line, for the current row; *column* layers one for each column; *convolutional* ones one for
    as many of the newest rows as the window has, column by column, so that what a code sees lies together.
    """

    pattern: AttentionPattern
    grid: int
    window: int
    """Rows and columns of the convolutional pattern's square."""

    @classmethod
    def of(cls, config: ModelConfig, pattern: AttentionPattern) -> Self:
        return cls(pattern, config.grid, config.convolution_size)

    @property
    def lines(self) -> int:
        return self.grid if self.pattern is AttentionPattern.COLUMN else 1

    @property
    def length(self) -> int:
        """Slots of a line."""
        return self.grid * self._rows if self.pattern is AttentionPattern.CONVOLUTIONAL else self.grid

    @property
    def _rows(self) -> int:
        return min(self.window, self.grid)

    def line(self, position: Position) -> Position:
        return position % self.lines

    def slot(self, position: Position) -> Position:
        row, column = position // self.grid, position % self.grid
        if self.pattern is AttentionPattern.ROW:
            return column
        return row if self.pattern is AttentionPattern.COLUMN else column * self._rows + row % self._rows

    def near(self, position: int) -> slice:
        """Slots outside of which nothing is seen."""
        row, column = divmod(position, self.grid)
        if self.pattern is AttentionPattern.CONVOLUTIONAL:
            return slice(max(0, column - self.window + 1) * self._rows, (column + 1) * self._rows)
        return slice(0, 1 + (column if self.pattern is AttentionPattern.ROW else row))

    def sees(self, position: Position, slot: Position) -> "bool | Tensor":
        """Whether a code sees a slot of its line."""
        row, column = position // self.grid, position % self.grid
        if self.pattern is not AttentionPattern.CONVOLUTIONAL:
            return slot <= self.slot(position)
        above, left = (row - slot) % self._rows, column - slot // self._rows
        return (above <= row) & (left >= 0) & (left < self.window)
