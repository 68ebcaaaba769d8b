"""A part as the members of one group are given it, and the note before it in a run whose groups combine."""

from dataclasses import dataclass
from typing import Self

from hivemind.proto import averaging_pb2

from core.swarm.rounds.group_list import (
    Contributor,
    pack_contributors,
    pack_positions,
    unpack_contributors,
    unpack_positions,
)
from core.swarm.rounds.reduction import ReducedPart, cut_shares, with_shares
from core.swarm.wire.encoding import MalformedPart

MOST_DELAYS = 8
"""Most times to settle for which members may be told to wait before they write a commit."""


@dataclass(frozen=True)
class GivenPart:
    """A part as the members of the group are given it, with what is said of it to them alone."""

    part: ReducedPart
    own_senders: frozenset[int]
    """Positions of the own group's senders that contributed."""
    contributors: tuple[Contributor, ...] = ()
    """Names and samples of these in the last part; empty in the others."""
    delays: int = 0
    """Times to settle for which the group's members wait before they write a commit."""
    own_shares: bytes = b""
    """Shares of the contributions of the own group's senders in its mean; empty if all are whole."""

    @classmethod
    def of_group(cls, part: ReducedPart, delays: int = 0) -> Self:
        """Return the own group's ``part`` as it is given alone; members wait for ``delays`` times to settle."""
        return cls(part, part.included, part.contributors, delays, part.shares)

    def note(self) -> averaging_pb2.AveragingData:
        """Return the message that goes before the part, in a run whose groups combine."""
        return averaging_pb2.AveragingData(
            code=averaging_pb2.NO_CODE,
            peer_id=pack_positions(self.own_senders),
            group_id=with_shares(self.own_shares, pack_contributors(self.contributors)),
            weight=self.delays,
        )


def given_part(part: ReducedPart, note: averaging_pb2.AveragingData, *, senders: int) -> GivenPart:
    """Return ``part`` with what the ``note`` before it says, in a group with that many ``senders``.

    Raises MalformedPart for a note that cannot be.
    """
    if not 0 <= note.weight <= MOST_DELAYS:
        raise MalformedPart("A part came with a note to wait for too long.")
    positions = unpack_positions(note.peer_id, senders)
    shares, names = cut_shares(note.group_id, len(positions))
    return GivenPart(part, positions, unpack_contributors(names), int(note.weight), shares)
