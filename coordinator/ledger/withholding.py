"""The policy by which audits of a user's work decide what is credited: pure.

Work is credited until something of it is found false. Then nothing counts that was committed since the user's last
sound audit, and nothing more until each computer whose work was false is found sound again: another one of the user's
says nothing for it. An audit that could not tell decides nothing, nor does one that the organiser has lifted.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

CommitPlace = tuple[int, int]
"""Generation and number of an epoch, as the ledger counts."""


class EnteredVerdict(StrEnum):
    """Outcome of an audit, as the database has it."""

    SOUND = "sound"
    FALSE = "false"
    DOUBTFUL = "doubtful"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True)
class EnteredAudit:
    """An audit of one user's work."""

    number: int
    place: CommitPlace
    """The epoch that the work was for."""
    verdict: EnteredVerdict
    peer: str
    """Id of the peer that did the work, in base58."""
    is_lifted: bool = False


@dataclass(frozen=True)
class WorkStanding:
    """A user's standing by the audits of its work."""

    sound: int = 0
    """Number of audits that found the work sound."""
    last_sound: CommitPlace | None = None
    """Epoch of the last sound work; None if none was found sound."""
    withheld_by: int | None = None
    """Number of the audit that found false work first since then; None if everything is credited."""

    def credits(self, place: CommitPlace) -> bool:
        """Return true if work that was committed at ``place`` is credited."""
        if self.withheld_by is None:
            return True
        return self.last_sound is not None and place <= self.last_sound


UNCHECKED = WorkStanding()
"""The standing of a user whose work was never checked: it is credited."""


def standing_of(audits: Iterable[EnteredAudit]) -> WorkStanding:
    """Return the standing of a user by the ``audits`` of its work, in the order in which they ended."""
    standing, liars = UNCHECKED, set[str]()
    for audit in audits:
        if audit.is_lifted:
            continue
        if audit.verdict is EnteredVerdict.SOUND:
            liars.discard(audit.peer)
            sound = standing.sound + 1
            standing = replace(standing, sound=sound) if liars else WorkStanding(sound, audit.place)
        elif audit.verdict is EnteredVerdict.FALSE:
            liars.add(audit.peer)
            if standing.withheld_by is None:
                standing = replace(standing, withheld_by=audit.number)
    return standing


def heir_of(audits: Iterable[EnteredAudit], number: int) -> int | None:
    """Return the audit that withholds instead of the one of that ``number``, once that is lifted.

    It is the next that found false work, before any found that of the same peer sound; None if there is none.
    ``audits`` are those of the user, in the order in which they ended.
    """
    peer = ""
    for audit in audits:
        if audit.number == number:
            peer = audit.peer
        elif peer and not audit.is_lifted:
            if audit.verdict is EnteredVerdict.SOUND and audit.peer == peer:
                return None
            if audit.verdict is EnteredVerdict.FALSE:
                return audit.number
    return None
