"""The sizes of low-rank gradients, by which traffic and memory are counted; free of torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class FactorSizes:
    """The matrices that travel as two factors of few columns, and the sizes of these."""

    rank: int
    """Columns of each factor."""
    least_elements: int
    """Fewest elements of a matrix that has factors."""

    def of(self, shape: Sequence[int]) -> tuple[int, int] | None:
        """Return the shape of both factors of a tensor of that ``shape``, one above the other; None if it has none.

        A matrix has factors only where they take less than half of its elements.
        """
        if len(shape) != 2 or prod(shape) < self.least_elements or 2 * sum(shape) * self.rank >= prod(shape):
            return None
        return sum(shape), self.rank
