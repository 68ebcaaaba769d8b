"""The policy by which audits of a user's work decide what is credited: pure.

Work is credited until something of it is found false. Then nothing counts that was committed since the user's last
sound audit, and nothing more until an audit finds the work sound again. An audit that could not tell decides nothing,
nor does one that the organiser has lifted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
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
    standing = UNCHECKED
    for audit in audits:
        if audit.is_lifted:
            continue
        if audit.verdict is EnteredVerdict.SOUND:
            standing = WorkStanding(standing.sound + 1, audit.place)
        elif audit.verdict is EnteredVerdict.FALSE and standing.withheld_by is None:
            standing = WorkStanding(standing.sound, standing.last_sound, audit.number)
    return standing


def heir_of(audits: Iterable[EnteredAudit], number: int) -> int | None:
    """Return the audit that withholds instead of the one of that ``number``, once that is lifted.

    It is the next that found false work, before any found it sound; None if there is none. ``audits`` are those of
    the user, in the order in which they ended.
    """
    is_after = False
    for audit in audits:
        if audit.number == number:
            is_after = True
        elif is_after and not audit.is_lifted:
            if audit.verdict is EnteredVerdict.SOUND:
                return None
            if audit.verdict is EnteredVerdict.FALSE:
                return audit.number
    return None
