"""The forms in which a run's values travel, and the bytes that they take on the wire; free of torch."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import repeat
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Discriminator, Field, Tag, model_validator

from core.run.fields import Rules

BLOCK = 4096
"""Values that share a scale in `Encoding.BLOCKWISE8`."""
BLOCK_4_BITS = 128
"""Values that share a scale in `Encoding.BLOCKWISE4`."""
PART_BYTES = 2**19
PART_VALUES = 2**20
"""Most values of a sparse part: its reducer holds them in float32, and a round has parts for all reducers."""
LEVELS = 256
"""Entries of the codebook of a part in 8 bits."""
_CODEBOOK_BYTES = 4 * LEVELS
_SCALE_BYTES = 2


class Encoding(StrEnum):
    """Encoding of a tensor's values on the wire, each value with the others."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    UNIFORM8 = "uniform8"
    """Encoding of the paper: 256 levels around the mean.

    Their codebook holds bucket averages (Dettmers, 2015).
    """
    BLOCKWISE8 = "blockwise8"
    """Non-linear 8 bits with a scale for each block; a smaller error on heavy tails."""
    BLOCKWISE4 = "blockwise4"
    """Even steps in 4 bits with a scale for each small block; meant for drifts, with error feedback."""

    @property
    def bits_per_value(self) -> int:
        """Bits of one encoded value, without codebooks and scales."""
        return {Encoding.FLOAT32: 32, Encoding.FLOAT16: 16, Encoding.BLOCKWISE4: 4}.get(self, 8)

    @property
    def whole_tensors(self) -> bool:
        """True if a part holds values of one tensor alone: its codebook or its scales are its own."""
        return self not in (Encoding.FLOAT32, Encoding.FLOAT16)


_MOST_BITS = 4
"""Bits of a value in the finest sparse form."""


class TopK(Rules):
    """Sparse form of drifts: the largest values of each chunk in few bits (Sarfi et al., 2025, "SparseLoCo").

    What is left out stays in the sender's error buffer, so it is no encoding for gradients, which have none.
    """

    chunk: Literal[256, 512, 1024, 2048, 4096, 8192, 16_384] = 4096
    """Values of a chunk; the last chunk of a part may have fewer."""
    kept: Annotated[int, Field(ge=1)] = 128
    """Values of a whole chunk that are sent; a shorter one sends the same share, rounded up."""
    bits: Annotated[int, Field(ge=2, le=_MOST_BITS)] = 2
    """Bits of a value that is sent: its sign, and one of 2, 4 or 8 magnitudes."""

    @model_validator(mode="after")
    def _kept_fits(self) -> Self:
        if self.kept > self.chunk:
            raise ValueError(f"kept must not exceed chunk: {self.kept} of {self.chunk} values")
        return self

    @property
    def magnitudes(self) -> int:
        """Magnitudes that a chunk's values can have."""
        return 1 << (self.bits - 1)

    def __str__(self) -> str:
        return f"{self.kept} of {self.chunk} in {self.bits} bits"


class LowRank(Rules):
    """Low-rank form of gradients, in one pass (PowerSGD: Vogels et al., 2019).

    A matrix travels as its products with two narrow bases, which all peers share and take from the last aggregate.
    What does not travel stays with its contributor.
    """

    rank: Annotated[int, Field(ge=1, le=64)] = 4
    """Columns of each basis."""
    factor_encoding: Literal[Encoding.FLOAT16, Encoding.FLOAT32] = Encoding.FLOAT16
    """Encoding of the products."""

    def __str__(self) -> str:
        return f"rank {self.rank} in {self.factor_encoding.bits_per_value} bits"


def _form(given: object) -> str:
    return "name" if isinstance(given, str) else "top_k"


def _gradient_form(given: object) -> str:
    return "name" if isinstance(given, str) else "low_rank"


WireFormat = Encoding | TopK
"""Any form in which values travel."""
WireFormatField = Annotated[
    Annotated[Encoding, Tag("name")] | Annotated[TopK, Tag("top_k")], Discriminator(_form)
]
"""`WireFormat` as a field of a manifest: an encoding's name, or a table of the fields of `TopK`."""


GradientFormField = Annotated[
    Annotated[Encoding, Tag("name")] | Annotated[LowRank, Tag("low_rank")], Discriminator(_gradient_form)
]
"""Form of gradients as a field of a manifest: an encoding's name, or a table of the fields of `LowRank`."""


class RoundTensor(NamedTuple):
    """A parameter's tensor in a round: its shape there, and the forms in which it travels."""

    shape: tuple[int, ...]
    values: WireFormat
    """Form in which members send it."""
    aggregate: WireFormat
    """Form in which its reducers send the aggregate."""

    @property
    def elements(self) -> int:
        """Number of values that travel."""
        return math.prod(self.shape)

    @property
    def is_alone(self) -> bool:
        """True if its parts hold values of no other tensor, in either form."""
        return stands_alone(self.values, self.aggregate)


class ChunkRows(NamedTuple):
    """Chunks of one length in a sparse part."""

    rows: int
    """Number of such chunks."""
    length: int
    """Values of each chunk."""
    kept: int
    """Values of each chunk that are sent."""

    @property
    def low_bits(self) -> int:
        """Bits of an index that are written as they are (Elias, 1974; Fano, 1971)."""
        return (self.length // self.kept).bit_length() - 1

    @property
    def high_bits(self) -> int:
        """Bits that hold the rest of a chunk's ascending indices, in unary steps."""
        return self.kept + ((self.length - 1) >> self.low_bits)

    def sections(self, bits: int) -> tuple[int, int, int, int]:
        """Return the bytes of magnitudes, of both halves of the indices, and of the values in ``bits`` each."""
        packed = (self.kept * self.low_bits, self.high_bits, self.kept * bits)
        low, high, values = (math.ceil(self.rows * item / 8) for item in packed)
        return self.rows * _SCALE_BYTES << (bits - 1), low, high, values


def chunk_rows(rules: TopK, values: int) -> tuple[ChunkRows, ...]:
    """Return the chunks of a part of many ``values`` under ``rules``: whole ones, and the last if it is shorter."""
    rows, rest = divmod(values, rules.chunk)
    whole = (ChunkRows(rows, rules.chunk, rules.kept),) if rows else ()
    last = (ChunkRows(1, rest, math.ceil(rules.kept * rest / rules.chunk)),) if rest else ()
    return whole + last


_WIRE_BYTES: Mapping[Encoding, Callable[[int], int]] = {
    Encoding.FLOAT32: lambda values: 4 * values,
    Encoding.FLOAT16: lambda values: 2 * values,
    Encoding.UNIFORM8: lambda values: 8 + _CODEBOOK_BYTES + values,
    Encoding.BLOCKWISE8: lambda values: 16 + 4 * math.ceil(values / BLOCK) + _CODEBOOK_BYTES + values,
    Encoding.BLOCKWISE4: lambda values: (
        _SCALE_BYTES * math.ceil(values / BLOCK_4_BITS) + math.ceil(values / 2)
    ),
}


def wire_bytes(form: WireFormat, values: int) -> int:
    """Return the bytes that many ``values`` take on the wire in ``form``, without the message around them."""
    if isinstance(form, TopK):
        return sum(sum(item.sections(form.bits)) for item in chunk_rows(form, values))
    return _WIRE_BYTES[form](values)


def finer(form: WireFormat) -> WireFormat:
    """Return the form in which reducers of several groups send each other means whose aggregates have ``form``.

    What is left out of a mean on its way is in no aggregate, and a second rounding adds to that of the aggregate. So
    coarse forms become finer, and all others stay.
    """
    if isinstance(form, TopK):
        return TopK(chunk=form.chunk, kept=min(2 * form.kept, form.chunk), bits=_MOST_BITS)
    return Encoding.BLOCKWISE8 if form is Encoding.BLOCKWISE4 else form


def part_values(values: WireFormat, aggregate: WireFormat, part_bytes: int = PART_BYTES) -> int:
    """Return the most values of a part, of about ``part_bytes`` on the wire where it is dense.

    Neither what members send in the form ``values`` nor the ``aggregate`` in its own form is larger.
    """
    return min(_room(values, part_bytes), _room(aggregate, part_bytes))


def _room(form: WireFormat, part_bytes: int) -> int:
    if isinstance(form, TopK):
        return PART_VALUES
    return part_bytes * 8 // max(8, form.bits_per_value)


def stands_alone(values: WireFormat, aggregate: WireFormat) -> bool:
    """Return true if a part whose ``values`` and ``aggregate`` travel in these forms holds one tensor alone."""
    return any(isinstance(form, Encoding) and form.whole_tensors for form in (values, aggregate))


STATISTICS = RoundTensor((1,), Encoding.FLOAT32, Encoding.FLOAT32)
"""The mean loss, averaged like a gradient; its part's weight counts the epoch's samples."""


class RoundBytes(NamedTuple):
    """Bytes of all values of a round, cut into parts, without the messages around them."""

    values: int
    """Bytes of what one member contributes."""
    aggregates: int
    """Bytes of the aggregates, which are what a committed round keeps."""
    partials: int
    """Bytes of the means of one group on their way to others, where groups combine."""


def round_bytes(tensors: Iterable[RoundTensor]) -> RoundBytes:
    """Return the bytes that all ``tensors`` of a round take once, and those of their aggregates, in any order.

    Parts in which tensors are side by side are taken as full; where such a part is sparse and ends with a shorter
    chunk, that changes a few bytes.
    """
    side_by_side: Counter[tuple[WireFormat, WireFormat]] = Counter()
    runs: list[tuple[int, WireFormat, WireFormat]] = []
    for item in tensors:
        if item.is_alone:
            runs.append((item.elements, item.values, item.aggregate))
        else:
            side_by_side[item.values, item.aggregate] += item.elements
    runs += [(elements, *forms) for forms, elements in side_by_side.items()]
    parts = [
        (size, values, aggregate)
        for elements, values, aggregate in runs
        for size in _sizes(elements, values, aggregate)
    ]
    return RoundBytes(
        sum(wire_bytes(values, size) for size, values, _ in parts),
        sum(wire_bytes(aggregate, size) for size, _, aggregate in parts),
        sum(wire_bytes(finer(aggregate), size) for size, _, aggregate in parts),
    )


def _sizes(elements: int, values: WireFormat, aggregate: WireFormat) -> Iterator[int]:
    """Yield the number of values of each part of a run of many ``elements``."""
    room = part_values(values, aggregate)
    yield from repeat(room, elements // room)
    if rest := elements % room:
        yield rest
