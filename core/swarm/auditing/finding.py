"""The message by which an auditor tells the others: where to look, and by which right; nobody has to believe it."""

import struct
from dataclasses import dataclass
from typing import Self

from core.admission.peer_key import MAX_PUBLIC_KEY_BYTES
from core.swarm.auditing.draw import CommittedPlace, is_draw_of
from core.swarm.auditing.verdict import AuditVerdict
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GROUP_ID_BYTES

_HEAD = struct.Struct(f"<I{GROUP_ID_BYTES}s32sIBHH")
_MOST_DRAW_BYTES = 512
_VERDICTS = (AuditVerdict.FALSE_AGGREGATE, AuditVerdict.NO_ACCOUNT)
"""The verdicts of findings, in the order of their numbers on the wire."""
MOST_FINDING_BYTES = _HEAD.size + _MOST_DRAW_BYTES + MAX_PUBLIC_KEY_BYTES


@dataclass(frozen=True)
class AuditFinding:
    """A part of a committed round of which its reducer has given no good account.

    Every member of the group can verify it. The draw proves that the auditor was to look there. The account, for
    which the member asks the reducer itself, shows what there was to find.
    """

    epoch: int
    group: bytes
    """Id of the group."""
    root: bytes
    """Root of the commit."""
    part: int
    """Index of the part, whose reducer follows from the group."""
    verdict: AuditVerdict
    """Outcome of the auditor's audit, which is not that the part is sound."""
    draw: bytes
    """The auditor's draw (`core.swarm.auditing.draw`)."""
    public_key: bytes
    """The auditor's public key in OpenSSH's notation."""

    def place(self, run: str) -> CommittedPlace:
        """Return the round that is meant, in the ``run`` with that DHT prefix."""
        return CommittedPlace(run, self.epoch, self.group, self.root)

    def is_by(self, auditor: bytes, run: str) -> bool:
        """Return true if the draw is that of the peer with the id ``auditor`` for this round of the ``run``."""
        return is_draw_of(auditor, self.public_key, self.draw, self.place(run))

    def pack(self) -> bytes:
        """Return the finding as bytes, about 700 of them."""
        verdict = _VERDICTS.index(self.verdict)
        lengths = len(self.draw), len(self.public_key)
        head = _HEAD.pack(self.epoch, self.group, self.root, self.part, verdict, *lengths)
        return head + self.draw + self.public_key

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read a finding that `pack` made; raises MalformedPart if there is none in ``packed``."""
        if not _HEAD.size <= len(packed) <= MOST_FINDING_BYTES:
            raise MalformedPart("A finding of an audit has an impossible size.")
        epoch, group, root, part, verdict, draw, key = _HEAD.unpack_from(packed)
        if verdict >= len(_VERDICTS):
            raise MalformedPart("A finding of an audit has an unknown verdict.")
        if len(packed) != _HEAD.size + draw + key:
            raise MalformedPart("A finding of an audit was cut off.")
        rest = packed[_HEAD.size :]
        return cls(epoch, group, root, part, _VERDICTS[verdict], rest[:draw], rest[draw:])
