"""Trust in a user by what was recomputed of its work: pure. It grows with each sound audit, and falls at once."""

from dataclasses import dataclass, replace
from enum import StrEnum

_MOST_SOUND = 15
"""Sound audits beyond which trust grows no more: then a user is audited a sixteenth as often as a newcomer."""
WORK_TOLERANCE = 0.25
"""Difference of gradients, as a share of their length, up to which work is sound."""
FALSE_WORK = 0.75
"""Difference of gradients, as a share of their length, from which on no arithmetic explains it: work is false.

Between both it is doubtful. What was seen once among 767 audits of honest work, by a computer that rounds to 16 bits
and knows the data by heart, is 0.5. Zeros are 1, and other rows or labels more.
"""
_SUSPECTED = 4.0
"""Need to audit a user whose work is doubtful or was false, or that others accuse, as a multiple of a newcomer's."""


class WorkVerdict(StrEnum):
    """Outcome of recomputing what a peer sent."""

    SOUND = "sound"
    FALSE = "other values than its rows give"
    DOUBTFUL = "doubtful"
    USELESS = "no gain on its rows, unlike others' work"
    UNVERIFIABLE = "not verifiable"


@dataclass(frozen=True)
class TrustInUser:
    """The audits of one user's work by one peer."""

    sound: int = 0
    """Number of audits since the last false one that found what was due, up to a limit."""
    false: int = 0
    """Number of audits that found false work."""
    is_doubtful: bool = False
    """True if its work was doubtful, and nothing was found sound since."""
    accused_in: int | None = None
    """Number of the round in which another peer doubted its work; None once something was found sound."""

    @property
    def need(self) -> float:
        """The need of an audit of this user: 1 for a newcomer, less for one whose work was sound before.

        BOINC replicates the work of hosts the less, the more of it was valid (adaptive replication).
        """
        is_caught = self.false > 0 and not self.sound
        is_suspected = self.is_doubtful or is_caught or self.accused_in is not None
        return _SUSPECTED if is_suspected else 1 / (1 + self.sound)

    @property
    def is_verified(self) -> bool:
        """True if the last audit that could tell found the user's work sound."""
        return self.sound > 0


NEWCOMER = TrustInUser()


def after_audit(trust: TrustInUser, verdict: WorkVerdict) -> TrustInUser:
    """Return the ``trust`` in a user after an audit with that ``verdict``.

    What could not be verified earns nothing and costs nothing, and leaves a suspicion. What is doubtful is looked at
    again soon.
    """
    if verdict is WorkVerdict.UNVERIFIABLE:
        return trust
    if verdict in (WorkVerdict.DOUBTFUL, WorkVerdict.USELESS):
        return replace(trust, is_doubtful=True)
    if verdict is WorkVerdict.FALSE:
        return TrustInUser(0, trust.false + 1)
    return TrustInUser(min(trust.sound + 1, _MOST_SOUND), trust.false)
