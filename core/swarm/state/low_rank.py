"""Gradients of low rank: the bases that all peers share, and what a matrix is in them (PowerSGD in one pass).

Of a matrix M (rows, columns) travel, with bases L (rows, rank) and R (columns, rank) of orthonormal columns,

    P = M R  and  Q = (M - P R^T)^T L,  from which all make  P R^T + L Q^T.

That is M but for the part that is orthogonal to both bases. Both factors are linear in M, so a mean of factors is the
mean of matrices. The next bases are those of the aggregate's own products with the bases: a step of the power
iteration. They are part of the committed state, and change with commits alone.

Where all peers must have equal bits, sums have a fixed order, and no operation is large enough for torch to split it
among threads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import CheckpointError
from core.run.rules import SwarmRules

LEFT, RIGHT = "left", "right"
"""Last parts of the names of a matrix's bases."""
_CHUNK = 28_672  # below 32,768 elements torch does not split an operation among threads
_DEPENDENT = 1e-4
"""Share of a column that earlier ones leave of it, below which it is noise and gives no direction."""
_TOLERANCE = 1e-3
"""Largest error of a product of two columns of a basis that is taken over."""

_Columns = NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """The two bases of one matrix, whose columns are orthonormal."""

    left: Tensor
    """float32 of shape (rows, rank)."""
    right: Tensor
    """float32 of shape (columns, rank)."""

    @classmethod
    def drawn(cls, rows: int, columns: int, rank: int, seed: int) -> Self:
        """Draw bases at random.

        Args:
            rows: Rows of the matrix.
            columns: Columns of the matrix.
            rank: Columns of each basis.
            seed: Number that all peers take for this matrix.
        """
        draws = np.random.default_rng(seed)
        left, right = (draws.standard_normal((rank, size)) for size in (rows, columns))
        return cls(*(_as_tensor(_orthonormal(item, item)) for item in (left, right)))

    @torch.no_grad()
    def factors_of(self, matrix: Tensor) -> Tensor:
        """Return P above Q, of shape (rows + columns, rank), for a float32 ``matrix`` of shape (rows, columns)."""
        first = matrix @ self.right
        second = matrix.T @ self.left - self.right @ (first.T @ self.left)
        return torch.cat([first, second])

    @torch.no_grad()
    def matrix_of(self, factors: Tensor) -> Tensor:
        """Return the matrix, of shape (rows, columns), that ``factors`` of shape (rows + columns, rank) stand for."""
        rows, columns = len(self.left), len(self.right)
        first, second = factors[:rows], factors[rows:].T.contiguous()
        right = self.right.T.contiguous()
        matrix = torch.zeros(rows, columns)
        step = max(1, _CHUNK // columns)
        for start in range(0, rows, step):
            for begin in range(0, columns, _CHUNK):
                rest, across = slice(start, start + step), slice(begin, begin + _CHUNK)
                for place in range(right.shape[0]):
                    one = slice(place, place + 1)
                    matrix[rest, across].addcmul_(first[rest, one], right[one, across])
                    matrix[rest, across].addcmul_(self.left[rest, one], second[one, across])
        return matrix

    @torch.no_grad()
    def advance(self, factors: Tensor) -> None:
        """Become the bases of the matrix that ``factors``, of shape (rows + columns, rank), stand for.

        A product that has too few directions, such as that of a matrix of zeros, leaves the old ones.
        """
        rows = len(self.left)
        first, second, left, right = map(_as_columns, (factors[:rows], factors[rows:], self.left, self.right))
        product = second.copy()  # M^T L = Q + R (P^T L)
        for place, basis in enumerate(left):
            for one, other in zip(first, right, strict=True):
                product[place] += float((one * basis).sum()) * other
        self.left.copy_(_as_tensor(_orthonormal(first, left)))
        self.right.copy_(_as_tensor(_orthonormal(product, right)))


def _as_columns(tensor: Tensor) -> _Columns:
    return np.ascontiguousarray(tensor.detach().numpy().astype(np.float64).T)


def _as_tensor(columns: _Columns) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(columns.T.astype(np.float32)))


def _orthonormal(columns: _Columns, spare: _Columns) -> _Columns:
    """Return orthonormal columns (rank, size) that span ``columns``, filled up from ``spare`` where these depend.

    By Gram and Schmidt, each column twice, since once is not enough in floating point.
    """
    found: list[_Columns] = []
    for column in (*columns, *spare, *np.eye(len(columns), columns.shape[1])):
        before = rest = column
        for _ in range(2):
            for item in found:
                rest = rest - float((rest * item).sum()) * item
        size, whole = (float(np.sqrt((item * item).sum())) for item in (rest, before))
        if whole > 0 and size > _DEPENDENT * whole:
            found.append(rest / size)
        if len(found) == len(columns):
            break
    return np.stack(found)


class Bases:
    """The bases of all matrices of a model whose gradients are of low rank, by the parameters' order."""

    def __init__(self, parameters: Iterable[tuple[str, Tensor]], rules: SwarmRules) -> None:
        """Draw the bases with which all peers begin.

        Args:
            parameters: The model's parameters by name, each of its own shape.
            rules: Rules of the run's rounds.
        """
        self.names: list[str] = []
        self._found: dict[int, Basis] = {}
        form = rules.low_rank
        for index, (name, parameter) in enumerate(parameters):
            self.names.append(name)
            if form is not None and rules.travelling(parameter.shape).shape != tuple(parameter.shape):
                rows, columns = parameter.shape
                self._found[index] = Basis.drawn(rows, columns, form.rank, index)

    def items(self) -> Iterable[tuple[int, Basis]]:
        """Return the bases with the index of their parameter."""
        return self._found.items()

    def gradients_of(self, aggregate: Sequence[Tensor]) -> list[Tensor]:
        """Return a gradient of each parameter's shape for the ``aggregate`` of a round, in the shapes that travel."""
        return [
            self._found[index].matrix_of(item) if index in self._found else item
            for index, item in enumerate(aggregate)
        ]

    def advance(self, aggregate: Sequence[Tensor]) -> None:
        """Change all bases by the ``aggregate``, whose factors have shape (rows + columns, rank)."""
        for index, basis in self._found.items():
            basis.advance(aggregate[index])

    def state_tensors(self) -> dict[str, Tensor]:
        """Return the bases by name, of shapes (rows, rank) and (columns, rank); they are not copies."""
        return {
            f"{self.names[index]}.{side}": tensor
            for index, basis in self._found.items()
            for side, tensor in ((LEFT, basis.left), (RIGHT, basis.right))
        }

    def check(self, tensors: Mapping[str, Tensor]) -> None:
        """Raise CheckpointError unless ``tensors`` are such bases, of the same names and shapes.

        Columns that are not orthonormal would make more of a gradient than it is.
        """
        own = self.state_tensors()
        if own.keys() != tensors.keys():
            raise _unfit()
        for name, tensor in own.items():
            given = tensors[name]
            if given.shape != tensor.shape or given.dtype != tensor.dtype:
                raise _unfit()
            error = given.double().T @ given.double() - torch.eye(given.shape[1], dtype=torch.float64)
            if not bool((error.abs() < _TOLERANCE).all()):
                raise _unfit()

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Take over ``tensors``, which `check` has accepted, in the same shapes."""
        for name, tensor in self.state_tensors().items():
            tensor.copy_(tensors[name])


def _unfit() -> CheckpointError:
    return CheckpointError(
        "The low-rank bases of this checkpoint do not fit the run.",
        "Use a checkpoint of the run that this model belongs to.",
    )
