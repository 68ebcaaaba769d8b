"""The claim by which a peer names the rows behind its contribution to a round, so that others can recompute it."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Self

from core.swarm.wire.encoding import MalformedPart

_HEAD_BYTES = 32
DIGEST_BYTES = 8
_SPAN = struct.Struct(f"<I{_HEAD_BYTES}s5I{DIGEST_BYTES}s2I")
MOST_SPANS = 6
"""Spans of a claim: two windows at each of the three heads to which work may belong."""
MOST_CLAIM_BYTES = MOST_SPANS * _SPAN.size
_MOST = (1 << 32) - 1


class WindowPlace(NamedTuple):
    """A window in the walk of one peer through the data, by which others find and recognise it."""

    number: int
    """Number of windows before it, by which its size is known."""
    start: tuple[int, int, int, int]
    """Passes, shards, row groups and rows before it (`core.data.streaming.walk.Position`)."""
    digest: bytes
    """First bytes of the SHA-256 of its rows: a peer that reads other ones cannot tell what was computed."""


@dataclass(frozen=True)
class RowSpan:
    """Rows of one window that a peer computed one after the other at one head."""

    epoch: int
    head: bytes
    window: WindowPlace
    first: int
    """Number of rows of the epoch before the first of these."""
    count: int

    def joined(self, later: "RowSpan") -> "RowSpan | None":
        """Return both as one if ``later`` goes on where this one ends, else None."""
        same = (self.epoch, self.head, self.window) == (later.epoch, later.head, later.window)
        if not same or later.first != self.first + self.count:
            return None
        return RowSpan(self.epoch, self.head, self.window, self.first, self.count + later.count)


@dataclass(frozen=True)
class RowClaim:
    """The rows behind a contribution; empty if its peer names none, so that nothing of it can be checked."""

    spans: tuple[RowSpan, ...] = ()

    @classmethod
    def of(cls, spans: Sequence[RowSpan]) -> Self:
        """Return the claim of ``spans`` in their order; it is empty if they are too many to be told."""
        found: list[RowSpan] = []
        for span in spans:
            joined = found[-1].joined(span) if found else None
            if joined is None:
                found.append(span)
            else:
                found[-1] = joined
        return cls(tuple(found) if len(found) <= MOST_SPANS and not _overlap(found) else ())

    @property
    def rows(self) -> int:
        """Number of rows, each counted as often as it was computed."""
        return sum(span.count for span in self.spans)

    def pack(self) -> bytes:
        """Return the claim as at most `MOST_CLAIM_BYTES` bytes."""
        return b"".join(map(_packed, self.spans))

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read a claim that `pack` made; raises MalformedPart if ``packed`` is none."""
        if len(packed) > MOST_CLAIM_BYTES or len(packed) % _SPAN.size:
            raise MalformedPart("A claim of rows has an impossible size.")
        spans = tuple(map(_unpacked, _SPAN.iter_unpack(packed)))
        if not all(span.count for span in spans):
            raise MalformedPart("A claim of rows has a span without rows.")
        if _overlap(spans):
            raise MalformedPart("A claim of rows names some of them twice.")
        return cls(spans)


def _overlap(spans: Sequence[RowSpan]) -> bool:
    """Return true if some row is named twice: it would be computed once, and counted twice."""
    ordered = sorted(spans, key=lambda span: (span.epoch, span.head, span.window, span.first))
    return any(
        (before.epoch, before.head, before.window) == (span.epoch, span.head, span.window)
        and before.first + before.count > span.first
        for before, span in pairwise(ordered)
    )


def _packed(span: RowSpan) -> bytes:
    place = (min(number, _MOST) for number in (span.window.number, *span.window.start))
    return _SPAN.pack(span.epoch, span.head, *place, span.window.digest, span.first, span.count)


def _unpacked(fields: tuple[object, ...]) -> RowSpan:
    epoch, head, number, *start, digest, first, count = fields
    return RowSpan(epoch, head, WindowPlace(number, tuple(start), digest), first, count)  # type: ignore[arg-type]
