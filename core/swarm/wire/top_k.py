"""Encodes the largest values of each chunk in few bits, and decodes them without making the part dense."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.run.encodings import ChunkRows, TopK, chunk_rows
from core.swarm.wire.bits import (
    Bytes,
    Indices,
    pack,
    pack_ascending,
    pack_scales,
    rounded_scales,
    unpack,
    unpack_ascending,
    unpack_scales,
)

_Floats = NDArray[np.float32]
_FITTING_STEPS = 4
_SMALLEST = 1 / 32
"""Smallest magnitude, as a share of the row's largest, for which the first limits make room."""


@dataclass(frozen=True)
class SparseValues:
    """Values of a part that are sent; all others are zero."""

    indices: torch.Tensor
    """Ascending, int64 of shape (kept,)."""
    values: torch.Tensor
    """float32 of shape (kept,)."""
    length: int
    """Number of values of the part."""

    def dense(self) -> torch.Tensor:
        """Return all values of the part, float32 of shape (length,)."""
        return torch.zeros(self.length).index_copy_(0, self.indices, self.values)


def sparse_mean(contributions: Sequence[SparseValues], weights: Sequence[float]) -> torch.Tensor:
    """Return the mean of ``contributions`` to one part, weighted by samples in ``weights``, of shape (length,).

    They are summed in the order in which they are given, each with its share, like dense ones. Memory is that of
    the result, however many contribute.
    """
    mean, samples = torch.zeros(contributions[0].length), sum(weights)
    for sparse, weight in zip(contributions, weights, strict=True):
        mean.index_add_(0, sparse.indices, sparse.values, alpha=weight / samples)
    return mean


def sparse_mean_of_senders(contributions: Sequence[SparseValues], weights: Sequence[float]) -> torch.Tensor:
    """Return the mean of each value over those of the ``contributions`` that have it, of shape (length,).

    It is weighted by samples in ``weights``, and 0 where none has a value. The result has no value that is larger
    than the largest one that was sent.
    """
    shares, samples = torch.zeros(contributions[0].length), sum(weights)
    for sparse, weight in zip(contributions, weights, strict=True):
        shares[sparse.indices] += weight / samples
    return sparse_mean(contributions, weights).div_(shares.masked_fill_(shares == 0, 1.0))


def encode_top_k(values: torch.Tensor, rules: TopK) -> bytes:
    """Return the wire's bytes of ``values``, finite float32 of shape (values,), as ``rules`` say.

    Among equal magnitudes the first ones are sent.
    """
    flat, start = values.numpy(), 0
    sections: list[Bytes] = []
    for group in chunk_rows(rules, len(flat)):
        stop = start + group.rows * group.length
        sections += _encode_rows(flat[start:stop].reshape(group.rows, group.length), group, rules)
        start = stop
    return b"".join(section.tobytes() for section in sections)


def _encode_rows(chunks: _Floats, group: ChunkRows, rules: TopK) -> tuple[Bytes, ...]:
    indices = largest(np.abs(chunks), group.kept)
    sent = np.take_along_axis(chunks, indices, 1)
    book, places = fitted(np.abs(sent), rules.magnitudes)
    codes = places << 1 | np.signbit(sent)
    low, high = pack_ascending(indices, low_bits=group.low_bits, high_bits=group.high_bits)
    return pack_scales(book), low, high, pack(codes, rules.bits)


def largest(magnitudes: _Floats, kept: int) -> Indices:
    """Return the indices of the ``kept`` largest ``magnitudes`` of each row, ascending; of equal ones the first.

    ``magnitudes`` has shape (rows, length), and the result (rows, kept).
    """
    rows, length = magnitudes.shape
    least = np.partition(magnitudes, length - kept, axis=1)[:, length - kept, None]
    chosen = magnitudes >= least
    tied = np.flatnonzero(np.count_nonzero(chosen, axis=1) > kept)
    if len(tied):
        above, equal = magnitudes[tied] > least[tied], magnitudes[tied] == least[tied]
        room = kept - np.count_nonzero(above, axis=1)
        chosen[tied] = above | (equal & (equal.cumsum(1) <= room[:, None]))
    columns: Indices = np.flatnonzero(chosen) % length
    return columns.reshape(rows, kept)


def fitted(magnitudes: _Floats, levels: int) -> tuple[_Floats, Indices]:
    """Fit ``levels`` ascending magnitudes to those of each row (Lloyd, 1957), and name the level of each.

    Each level is the mean of those that are given it, so the errors of a row add up to zero but for the rounding of
    the levels to 8 significant bits. Where some are zero, the lowest level is: nothing is pushed that did not move.

    Args:
        magnitudes: Shape (rows, kept).
        levels: Levels of a row.

    Returns:
        Levels, of shape (rows, levels), and the place of each magnitude's level, of shape (rows, kept).
    """
    unit = magnitudes.max(1, keepdims=True)
    scaled = magnitudes.astype(np.float64) / np.where(unit > 0, unit, 1)
    ordered = np.sort(scaled, axis=1)
    sums = np.concatenate([np.zeros((len(scaled), 1)), ordered.cumsum(1)], axis=1)
    # geometric steps come first: with even shares of the values the largest few would get no level of their own
    limits = np.maximum(ordered[:, :1], _SMALLEST) ** (1 - np.arange(1, levels) / levels)
    for _ in range(_FITTING_STEPS):
        means = _means(sums, _starts(ordered, limits))
        limits = (means[:, 1:] + means[:, :-1]) / 2
    means = _means(sums, _starts(ordered, limits))
    book = rounded_scales((means * unit).astype(np.float32))
    book[ordered[:, 0] == 0, 0] = 0
    places = np.zeros(scaled.shape, np.int64)
    for at in range(levels - 1):
        places += scaled > limits[:, [at]]
    return book, places


def _starts(ordered: NDArray[np.float64], limits: NDArray[np.float64]) -> Indices:
    """Return where each level's run begins in rows of ascending values, and where the last one ends."""
    rows, kept = ordered.shape
    below = [np.count_nonzero(ordered <= limits[:, [at]], axis=1) for at in range(limits.shape[1])]
    return np.stack([np.zeros(rows, np.int64), *below, np.full(rows, kept)], axis=1)


def _means(sums: NDArray[np.float64], starts: Indices) -> NDArray[np.float64]:
    """Return the mean of each run of a row; an empty run has that of the run before it."""
    totals, counts = np.diff(np.take_along_axis(sums, starts, 1), axis=1), np.diff(starts, axis=1)
    return np.maximum.accumulate(totals / np.maximum(counts, 1), axis=1)


def decode_top_k(buffer: bytes, rules: TopK, values: int) -> SparseValues | None:
    """Return the values that ``buffer`` holds of a part of many ``values``; None if it is not as ``rules`` say.

    Its length must be that which `core.run.encodings.wire_bytes` predicts.
    """
    whole, start, found = np.frombuffer(buffer, np.uint8), 0, []
    for group in chunk_rows(rules, values):
        sections = list(_cut(whole, group.sections(rules.bits)))
        whole = whole[sum(map(len, sections)) :]
        decoded = _decode_rows(*sections, group=group, bits=rules.bits)
        if decoded is None:
            return None
        found.append((decoded[0] + start, decoded[1]))
        start += group.rows * group.length
    indices, kept = (np.concatenate(column) for column in zip(*found, strict=True))
    return SparseValues(torch.from_numpy(indices), torch.from_numpy(kept), values)


def _cut(buffer: Bytes, lengths: Sequence[int]) -> Iterator[Bytes]:
    start = 0
    for length in lengths:
        yield buffer[start : start + length]
        start += length


def _decode_rows(
    book: Bytes, low: Bytes, high: Bytes, packed: Bytes, *, group: ChunkRows, bits: int
) -> tuple[Indices, _Floats] | None:
    """Return the indices and values of chunks of one length, flat; None if they are malformed."""
    levels, shape = unpack_scales(book), (group.rows, group.kept)
    indices = unpack_ascending(low, high, shape=shape, low_bits=group.low_bits, high_bits=group.high_bits)
    if levels is None or indices is None or indices.max() >= group.length:
        return None
    codes = unpack(packed, group.rows * group.kept, bits).reshape(shape)
    kept = np.take_along_axis(levels.reshape(group.rows, -1), codes >> 1, 1)
    np.negative(kept, out=kept, where=(codes & 1).astype(bool))
    return (indices + np.arange(group.rows)[:, None] * group.length).reshape(-1), kept.reshape(-1)
