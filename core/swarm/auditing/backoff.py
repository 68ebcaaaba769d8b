"""Decides for how long a peer that failed a round does not reduce, or is in no group: pure functions.

Time is counted in averaging rounds of the peer that decides: rounds that fail cost minutes in one run and seconds in
another, and a culprit that is met again costs just one of them.
"""

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum


class PeerFault(StrEnum):
    """Faults that peers remember of each other, in the words of a log after "peer X"."""

    LOST_PARTS = "did not return the parts that it was to reduce"
    SILENT_SENDER = "sent nothing to a group that it had joined"
    FALSE_GROUP = "announced a group otherwise than its members had"
    UNKNOWN_GROUP = "announced a group of which several reducers know nothing"
    FALSE_AGGREGATE = "committed another aggregate than its group's contributions give"
    OTHER_AGGREGATE = "returned another aggregate than the group committed"
    NO_ACCOUNT = "did not show what it had aggregated"
    FALSE_FINDING = "accused a reducer whose account is sound"
    NO_ROWS = "named no rows of its work, round after round"
    FALSE_WORK = "sent other values than the rows that it names give"
    SILENT_LEADER = "took this peer into a group, and never began it"
    OPPOSED = "turned the aggregate of a group against what the others computed"


class Exclusion(IntEnum):
    """Tasks from which a peer is excluded, from none to all."""

    NONE = 0
    REDUCING = 1
    """The peer gets no part to reduce, and is followed only where no other one looks for followers."""
    GROUPS = 2
    """The peer is neither followed nor taken into a group."""


@dataclass(frozen=True)
class BackOffRules:
    """Rules that say how long a fault is remembered."""

    first_rounds: int = 2
    """Number of rounds in which a peer does not reduce after its first fault; each further one doubles it."""
    most_rounds: int = 256
    """Largest number of rounds for which a peer is excluded."""
    forgiving_rounds: int = 8
    """Number of rounds after an exclusion in which one strike is forgiven."""
    strikes_for_groups: int = 6
    """Number of strikes from which on a peer is excluded from groups as well, and not only from reducing."""


USUAL = BackOffRules()
_STRIKES = {
    PeerFault.LOST_PARTS: 1,
    PeerFault.SILENT_SENDER: 1,
    PeerFault.FALSE_GROUP: 6,
    PeerFault.UNKNOWN_GROUP: 2,
    PeerFault.FALSE_AGGREGATE: 4,
    PeerFault.OTHER_AGGREGATE: 4,
    PeerFault.NO_ACCOUNT: 1,
    PeerFault.FALSE_FINDING: 1,
    PeerFault.NO_ROWS: 4,
    PeerFault.FALSE_WORK: 6,
    PeerFault.SILENT_LEADER: 3,
    PeerFault.OPPOSED: 4,
}
"""Strikes for a fault: lines are lost by accident, a group or an aggregate is not falsified by accident."""
ACCIDENTAL = frozenset(
    {
        PeerFault.LOST_PARTS,
        PeerFault.SILENT_SENDER,
        PeerFault.NO_ACCOUNT,
        PeerFault.FALSE_FINDING,
        PeerFault.SILENT_LEADER,
    }
)
"""Faults that honest peers may have, and that never exclude a peer from groups, however often they occur.

A slow line loses parts and accounts in every round. A reducer and a sender that collude can show an honest auditor
another account than the other members.
"""


OF_USER = frozenset(
    {
        PeerFault.FALSE_GROUP,
        PeerFault.FALSE_AGGREGATE,
        PeerFault.OTHER_AGGREGATE,
        PeerFault.NO_ROWS,
        PeerFault.FALSE_WORK,
    }
)
"""Faults that are remembered of a user with all its peers: with its next peer it would go on else.

The others are those of a line or a computer, or are shown by nothing but this peer's own values.
"""


@dataclass(frozen=True)
class Conduct:
    """The faults of one peer that are remembered."""

    strikes: int = 0
    """Number of faults that are not forgiven yet, each counted by its weight."""
    until: int = 0
    """Number of the first round in which the peer may do all again."""


def after_fault(
    conduct: Conduct, fault: PeerFault, round_number: int, rules: BackOffRules = USUAL
) -> Conduct:
    """Return the ``conduct`` of a peer after a ``fault`` in the round ``round_number``, under ``rules``.

    One accident costs an honest peer its part of reducing in two rounds, and is forgotten eight rounds later. A peer
    that fails whenever it may fails one round in 33. Accidental faults alone exclude no peer from groups.
    """
    left = _left(conduct, round_number, rules)
    strikes = left + _STRIKES[fault]
    is_first = fault is PeerFault.OPPOSED and left < _STRIKES[fault]  # noise may explain it, beside accidents
    if fault in ACCIDENTAL or is_first:
        strikes = max(left, min(strikes, rules.strikes_for_groups - 1))
    rounds = min(rules.first_rounds << min(strikes - 1, 32), rules.most_rounds)
    return Conduct(strikes, max(conduct.until, round_number + 1 + rounds))


def forgiven(conduct: Conduct, round_number: int, rules: BackOffRules = USUAL) -> Conduct:
    """Return the ``conduct`` without what ``rules`` forgive by the round with the number ``round_number``."""
    return replace(conduct, strikes=_left(conduct, round_number, rules))


def exclusion(conduct: Conduct, round_number: int, rules: BackOffRules = USUAL) -> Exclusion:
    """Return what a peer of this ``conduct`` may not do under ``rules`` in the round ``round_number``."""
    if round_number >= conduct.until:
        return Exclusion.NONE
    return Exclusion.GROUPS if conduct.strikes >= rules.strikes_for_groups else Exclusion.REDUCING


def _left(conduct: Conduct, round_number: int, rules: BackOffRules) -> int:
    return max(0, conduct.strikes - max(0, round_number - conduct.until) // rules.forgiving_rounds)
