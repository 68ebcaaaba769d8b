"""Decides from the announcements of a group who sends, who reduces which part, and how long that takes: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.run.rules import SwarmRules
from core.swarm.rounds.partition import (
    Part,
    assign,
    exchange_seconds,
    paced_factor,
    reducer_shares,
    round_loads,
    taking_seconds,
)
from core.swarm.rounds.round import RoundFailed


@dataclass(frozen=True)
class MemberAnnouncement:
    """Announcement of a member to its group."""

    bandwidth: float | None = None
    """Bytes a second of its line; None if it is not known."""
    download: float | None = None
    """Bytes of messages a second that it takes at most; None without a limit."""
    sends: bool = True
    """True if the member contributes; auxiliary peers only reduce."""
    reduces: bool = True
    """True if the member accepts connections; one that does not neither leads a group nor reduces in it."""


@dataclass(frozen=True)
class RoundAssignment:
    """The tasks of the members of a group, by their indices, and the time that these take."""

    senders: tuple[int, ...]
    """Indices of the members that contribute."""
    owners: tuple[int, ...]
    """Index of the member that reduces each part."""
    seconds: float
    """Seconds of the exchange at the bandwidths that members announced; 0 if none did."""
    clients: tuple[int, ...]
    """Indices of the members that accept no connections."""
    taking: tuple[float, ...]
    """Seconds over which others spread what they send to each member; 0 is as fast as they can."""


def assignment_of(
    announced: Sequence[MemberAnnouncement], parts: Sequence[Part], rules: SwarmRules
) -> RoundAssignment:
    """Return the tasks of the members that ``announced`` themselves, in the order that all of them share.

    Args:
        announced: what each member told its leader.
        parts: the parts of the run's rounds, in order.
        rules: the run's rules, which bound the seconds of an exchange.

    Raises:
        RoundFailed: the group has no sender, or no peer that accepts connections.
    """
    if not any(item.reduces for item in announced):
        raise RoundFailed("No peer of the group accepts incoming connections.")
    rates = [item.bandwidth for item in announced]
    shares = reducer_shares(rates, [item.reduces for item in announced])
    senders = tuple(index for index, item in enumerate(announced) if item.sends)
    if not senders:
        raise RoundFailed("A group of auxiliary peers has nothing to average.")
    owners = assign(parts, shares)
    longest = rules.allreduce_seconds
    loads = round_loads(parts, owners, senders, len(announced))
    factor = paced_factor(owners)
    taking = taking_seconds(loads, [item.download for item in announced], most=longest / factor)
    seconds = max(exchange_seconds(loads, rates, most=longest), factor * max(taking))
    clients = tuple(index for index, item in enumerate(announced) if not item.reduces)
    return RoundAssignment(senders, owners, seconds, clients, taking)
