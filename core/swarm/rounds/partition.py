"""Cuts the tensors of a round into parts, and assigns each part to a reducer: pure functions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import median_low

import torch

from core.run.encodings import (
    PART_BYTES,
    PART_VALUES,
    STATISTICS,
    RoundTensor,
    TopK,
    WireFormat,
    finer,
    part_values,
    stands_alone,
    wire_bytes,
)
from core.run.rules import SwarmRules
from core.swarm.bandwidth import UNKNOWN_RATE
from core.swarm.wire.encoding import decode, encode

_LEAST_SHARED_BYTES = 2**15
"""Bytes that a part of several dense tensors may always take, so that it is worth a message of its own."""


@dataclass(frozen=True)
class Slice:
    """Values ``start`` to ``stop`` of a flattened tensor."""

    tensor: int
    """Index of the tensor among those of the round."""
    start: int
    stop: int


@dataclass(frozen=True)
class Part:
    """The unit that is encoded, sent, reduced and committed: slices of tensors that share both forms."""

    slices: tuple[Slice, ...]
    encoding: WireFormat
    """Form in which members send their values."""
    aggregate_as: WireFormat | None = None
    """Form in which the reducer sends the aggregate; None for that of the values."""

    @property
    def aggregate_encoding(self) -> WireFormat:
        """Form in which the reducer sends the aggregate."""
        return self.aggregate_as or self.encoding

    @property
    def values(self) -> int:
        """Number of values in the part."""
        return sum(item.stop - item.start for item in self.slices)

    @property
    def wire_bytes(self) -> int:
        """Bytes that a member's values of the part take on the wire, without the message around them."""
        return wire_bytes(self.encoding, self.values)

    @property
    def aggregate_bytes(self) -> int:
        """Bytes that the aggregate of the part takes on the wire, without the message around them."""
        return wire_bytes(self.aggregate_encoding, self.values)

    @property
    def partial_encoding(self) -> WireFormat:
        """Form in which reducers of several groups send each other their means of the part."""
        return finer(self.aggregate_encoding)

    @property
    def partial_bytes(self) -> int:
        """Bytes that a group's mean of the part takes on the wire, without the message around them."""
        return wire_bytes(self.partial_encoding, self.values)

    def gather(self, tensors: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return the part's values from ``tensors`` as one tensor of shape (values,), a view where it is one slice.

        ``tensors`` are those of the round, in order and of any shape.
        """
        pieces = [tensors[item.tensor].view(-1)[item.start : item.stop] for item in self.slices]
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)

    def scatter(self, values: torch.Tensor, tensors: Sequence[torch.Tensor]) -> None:
        """Write ``values``, of shape (values,), back into the ``tensors`` of the round, where they belong."""
        offset = 0
        for item in self.slices:
            length = item.stop - item.start
            tensors[item.tensor].view(-1)[item.start : item.stop].copy_(values[offset : offset + length])
            offset += length


def as_received(part: Part, values: torch.Tensor) -> torch.Tensor:
    """Return the ``values`` of ``part``, of shape (values,), as a peer decodes them that gets them encoded."""
    return decode(encode(values, part.encoding), part.encoding, part.values)


def cut(
    encodings: Sequence[tuple[int, WireFormat]],
    *,
    aggregates: Sequence[WireFormat] | None = None,
    part_bytes: int = PART_BYTES,
    shared_bytes: int | None = None,
    first_tensor: int = 0,
) -> tuple[Part, ...]:
    """Cut tensors into parts of about ``part_bytes`` on the wire.

    Tensors under elementwise or sparse encodings share parts with their neighbours, so that hundreds of small tensors
    do not become hundreds of messages; quantized tensors do not, because the codebook of a part is its own. Sparse
    parts are bounded in their values, whatever ``part_bytes`` says.

    Args:
        encodings: each tensor as (elements, form of what members send).
        aggregates: the form of each tensor's aggregate; None: that of its values.
        part_bytes: bytes that a dense part takes about, in either form.
        shared_bytes: the same for dense parts that neighbours may share; None: ``part_bytes``.
        first_tensor: index of the first tensor in the round.
    """
    forms = [form for _, form in encodings] if aggregates is None else aggregates
    parts: list[Part] = []
    for index, ((elements, values), aggregate) in enumerate(
        zip(encodings, forms, strict=True), start=first_tensor
    ):
        most = part_bytes if shared_bytes is None or stands_alone(values, aggregate) else shared_bytes
        room = part_values(values, aggregate, most)
        for start in range(0, elements, room):
            piece = Slice(index, start, min(start + room, elements))
            part = Part((piece,), values, aggregate if aggregate != values else None)
            if parts and _fit_together(parts[-1], part, room):
                part = replace(part, slices=(*parts.pop().slices, piece))
            parts.append(part)
    return tuple(parts)


def _fit_together(before: Part, after: Part, room: int) -> bool:
    """Return true if both are of the same forms, which tensors may share, and have at most ``room`` values."""
    forms = after.encoding, after.aggregate_encoding
    return (
        not stands_alone(*forms)
        and forms == (before.encoding, before.aggregate_encoding)
        and before.values + after.values <= room
    )


def round_parts(shapes: Sequence[Sequence[int]], rules: SwarmRules) -> tuple[Part, ...]:
    """Cut gradients, or drifts, of parameters of these ``shapes`` into parts, followed by the part of the mean loss.

    ``rules`` name the encodings. No part has tensors of unlike forms, neither of values nor of aggregates.
    """
    tensors = [rules.travelling(shape) for shape in shapes]
    parts = cut(
        [(item.elements, item.values) for item in tensors],
        aggregates=[item.aggregate for item in tensors],
        shared_bytes=_shared_bytes(tensors),
    )
    loss = cut([(STATISTICS.elements, STATISTICS.values)], first_tensor=len(shapes))
    return (*parts, *loss)


def _shared_bytes(tensors: Sequence[RoundTensor]) -> int:
    """Return the bytes that a part of several dense tensors takes at most: beside sparse parts no more than those.

    A part is reduced whole by one peer, which sends it to all others. One of half a megabyte beside sparse ones of 38
    kB was a tenth of the round, and its reducer took twice as long as the others.
    """
    forms = {form for item in tensors for form in (item.values, item.aggregate)}
    sparse = [wire_bytes(form, PART_VALUES) for form in forms if isinstance(form, TopK)]
    return max(_LEAST_SHARED_BYTES, min(PART_BYTES, max(sparse))) if sparse else PART_BYTES


def round_tensors(shapes: Sequence[Sequence[int]], rules: SwarmRules) -> list[torch.Tensor]:
    """Return zeros, float32 on the CPU, in the shapes that a round averages, and one value for the mean loss.

    ``shapes`` are those of the parameters; ``rules`` say which of them take part in another shape.
    """
    return [*(torch.zeros(rules.travelling(shape).shape) for shape in shapes), torch.zeros(1)]


def reducer_shares(bandwidths: Sequence[float | None], can_reduce: Sequence[bool]) -> tuple[float, ...]:
    """Return the share of the bytes that each peer reduces, summing to 1.

    Shares follow the announced ``bandwidths`` (bytes a second; None: UNKNOWN_RATE), but an announcement is
    only a claim: no peer gets more than twice the median, so that none can make itself the only reducer.
    Peers for which ``can_reduce`` is false get 0. Raises ValueError if no peer can reduce.
    """
    rates = [
        (UNKNOWN_RATE if rate is None else rate) if able else 0.0
        for rate, able in zip(bandwidths, can_reduce, strict=True)
    ]
    able_rates = [rate for rate, able in zip(rates, can_reduce, strict=True) if able]
    typical = (median_low(able_rates) if able_rates else 0.0) or 1.0
    rates = [min(rate / typical, 2.0) for rate in rates]  # in units of the median: no sum of claims overflows
    if not any(rates):
        rates = [float(able) for able in can_reduce]
    total = sum(rates)
    if not total:
        raise ValueError("a group needs at least one peer that can reduce")
    return tuple(rate / total for rate in rates)


def assign(parts: Sequence[Part], shares: Sequence[float]) -> tuple[int, ...]:
    """Return the index of the reducer of each of ``parts``: contiguous runs in proportion to ``shares``."""
    total = sum(part.wire_bytes for part in parts)
    borders = [border * total for border in accumulate(shares)]
    able = [index for index, share in enumerate(shares) if share > 0]
    owners, position = [], 0.0
    for part in parts:
        middle = position + part.wire_bytes / 2
        owners.append(next((index for index in able if middle <= borders[index]), able[-1]))
        position += part.wire_bytes
    return tuple(owners)


@dataclass(frozen=True)
class RoundLoad:
    """Bytes that one member passes in an exchange, without the messages around them."""

    sent: int
    """Bytes that the member sends."""
    received: int
    """Bytes that the member receives."""


def round_loads(
    parts: Sequence[Part], owners: Sequence[int], senders: Sequence[int], members: int
) -> tuple[RoundLoad, ...]:
    """Return what each member passes: its values for others' parts, others' values for its own, and the aggregates.

    Args:
        parts: the parts of the round.
        owners: index of the member that reduces each part.
        senders: indices of the members that contribute.
        members: number of members.
    """
    values, aggregates = _owned_bytes(parts, owners, members)

    def of_member(member: int) -> RoundLoad:
        others = len([sender for sender in senders if sender != member])
        sends = member in senders
        return RoundLoad(
            sent=(sum(values) - values[member]) * sends + aggregates[member] * others,
            received=(sum(aggregates) - aggregates[member]) * sends + values[member] * others,
        )

    return tuple(map(of_member, range(members)))


def exchange_seconds(loads: Sequence[RoundLoad], bandwidths: Sequence[float | None], *, most: float) -> float:
    """Return the seconds that the slowest member takes at its announced bandwidth; 0 if none announced one.

    A member that would take over ``most`` seconds is left out: waiting for it would not help.

    Args:
        loads: what each member passes.
        bandwidths: bytes a second that each member announced; None for unknown.
        most: the most seconds for which a member is considered.
    """
    found = 0.0
    for load, rate in zip(loads, bandwidths, strict=True):
        slower = max(load.sent, load.received)
        if rate and slower <= most * rate:
            found = max(found, slower / rate)
    return found


def taking_seconds(
    loads: Sequence[RoundLoad], downloads: Sequence[float | None], *, most: float
) -> tuple[float, ...]:
    """Return the seconds over which others spread what they send to each member; 0 for one without a limit.

    Only its own limit would hold them back otherwise. The buffers between them and it then fill at the speed of the
    line: libp2p's QUIC takes in 1.1 MB ahead of its reader. A member's claim never stretches a round beyond ``most``.

    Args:
        loads: what each member passes.
        downloads: bytes a second that each member takes at most; None without a limit.
        most: the most seconds for a member.
    """
    return tuple(
        0.0 if rate is None else min(load.received / rate if rate else math.inf, most)
        for load, rate in zip(loads, downloads, strict=True)
    )


def paced_factor(owners: Sequence[int]) -> float:
    """Return the seconds of an exchange that is paced, as a multiple of those over which a member takes its bytes.

    Aggregates begin to arrive once each sender's first part has: after a half of the values of a reducer of two
    parts. So the exchange takes up to 1 + 1/n of that time with n parts each, and twice as long with one.

    Args:
        owners: index of the member that reduces each part.
    """
    return 1.0 + 1.0 / min(Counter(owners).values(), default=1)


def _owned_bytes(parts: Sequence[Part], owners: Sequence[int], members: int) -> tuple[list[int], list[int]]:
    """Return for each member the bytes of one sender's values of its parts, and of their aggregates."""
    values, aggregates = [0] * members, [0] * members
    for part, owner in zip(parts, owners, strict=True):
        values[owner] += part.wire_bytes
        aggregates[owner] += part.aggregate_bytes
    return values, aggregates
