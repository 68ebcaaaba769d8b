"""How the tensors of a round are cut into parts, and which peer of a group reduces which part: pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import median_low

import torch

from core.rules import Encoding, SwarmRules
from core.swarm.encoding import wire_bytes

PART_BYTES = 2**19
_STATISTICS = (1, Encoding.FLOAT32)
"""The mean loss, averaged like a gradient; its part's weight counts the epoch's samples."""


@dataclass(frozen=True)
class Slice:
    """Values ``start`` to ``stop`` of a flattened tensor."""

    tensor: int
    start: int
    stop: int


@dataclass(frozen=True)
class Part:
    """What is encoded, sent, reduced and committed as one: slices of tensors that share an encoding."""

    slices: tuple[Slice, ...]
    encoding: Encoding

    @property
    def values(self) -> int:
        return sum(item.stop - item.start for item in self.slices)

    @property
    def wire_bytes(self) -> int:
        return wire_bytes(self.encoding, self.values)

    def gather(self, tensors: Sequence[torch.Tensor]) -> torch.Tensor:
        """The part's values as one flat tensor (a view where it is one slice)."""
        pieces = [tensors[item.tensor].view(-1)[item.start : item.stop] for item in self.slices]
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)

    def scatter(self, values: torch.Tensor, tensors: Sequence[torch.Tensor]) -> None:
        """Write a flat tensor back to where the part's values belong."""
        offset = 0
        for item in self.slices:
            length = item.stop - item.start
            tensors[item.tensor].view(-1)[item.start : item.stop].copy_(values[offset : offset + length])
            offset += length


def cut(
    encodings: Sequence[tuple[int, Encoding]], *, part_bytes: int = PART_BYTES, first_tensor: int = 0
) -> tuple[Part, ...]:
    """Cut tensors, given as (elements, encoding), into parts of about ``part_bytes`` on the wire.

    Tensors under an elementwise encoding share parts with their neighbours, so that hundreds of small tensors do not
    become hundreds of messages; quantized tensors do not, because the codebook of a part is its own.
    """
    parts: list[Part] = []
    open_slices: list[Slice] = []
    open_encoding: Encoding | None = None
    for index, (elements, encoding) in enumerate(encodings, start=first_tensor):
        quantized = encoding in (Encoding.UNIFORM8, Encoding.BLOCKWISE8)
        room = part_bytes if quantized else part_bytes // wire_bytes(encoding, 1)
        for start in range(0, elements, room):
            piece = Slice(index, start, min(start + room, elements))
            held = sum(item.stop - item.start for item in open_slices)
            if open_slices and (
                quantized or encoding != open_encoding or held + piece.stop - piece.start > room
            ):
                parts.append(Part(tuple(open_slices), open_encoding or encoding))
                open_slices = []
            open_slices, open_encoding = [*open_slices, piece], encoding
    if open_slices and open_encoding is not None:
        parts.append(Part(tuple(open_slices), open_encoding))
    return tuple(parts)


def round_parts(sizes: Sequence[int], rules: SwarmRules) -> tuple[Part, ...]:
    """How gradients of those sizes travel: 8 bits for large tensors, 16 for small ones (the paper, section 3.3)."""
    encodings = [
        (
            size,
            rules.gradient_encoding if size >= rules.large_tensor_elements else rules.small_tensor_encoding,
        )
        for size in sizes
    ]
    return (*cut(encodings), *cut([_STATISTICS], first_tensor=len(sizes)))


def reducer_shares(bandwidths: Sequence[float | None], can_reduce: Sequence[bool]) -> tuple[float, ...]:
    """The share of the bytes that each peer reduces, summing to 1.

    Shares follow the announced bandwidths, but an announcement is only a claim: nobody gets more than twice the
    median, so that no single peer can make itself the only reducer.
    """
    known = [rate for rate, able in zip(bandwidths, can_reduce, strict=True) if able and rate is not None]
    typical = (median_low(known) if known else 0.0) or 1.0
    rates = [  # in units of the median, so that no sum of claims overflows
        (1.0 if rate is None else min(rate / typical, 2.0)) if able else 0.0
        for rate, able in zip(bandwidths, can_reduce, strict=True)
    ]
    if not any(rates):
        rates = [float(able) for able in can_reduce]
    total = sum(rates)
    if not total:
        raise ValueError("a group needs at least one peer that can reduce")
    return tuple(rate / total for rate in rates)


def assign(parts: Sequence[Part], shares: Sequence[float]) -> tuple[int, ...]:
    """For each part the index of the peer that reduces it: contiguous runs in proportion to the shares."""
    total = sum(part.wire_bytes for part in parts)
    borders = [border * total for border in accumulate(shares)]
    able = [index for index, share in enumerate(shares) if share > 0]
    owners, position = [], 0.0
    for part in parts:
        middle = position + part.wire_bytes / 2
        owners.append(next((index for index in able if middle <= borders[index]), able[-1]))
        position += part.wire_bytes
    return tuple(owners)
