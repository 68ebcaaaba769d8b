"""Decides from the announcements of a group who sends, who reduces which part, and how long that takes: pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

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

MOST_REFUSED = 8
"""Most peers that a member may name as ones that should not reduce."""
SHORT_NAME_BYTES = 8


def short_name(peer_id: bytes) -> bytes:
    """Return the end of the SHA-256 in a ``peer_id``, by which announcements name peers."""
    return peer_id[-SHORT_NAME_BYTES:]


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
    refuses: frozenset[bytes] = frozenset()
    """Short names (`short_name`) of peers that failed this member in earlier rounds."""


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


def refused_members(
    announced: Sequence[MemberAnnouncement], members: Sequence[bytes], users: Sequence[str] = ()
) -> frozenset[int]:
    """Return the indices of the members that get no part to reduce, since most of the others name them.

    Each member has experiences of its own, and all must assign alike: so what counts is what they announced. More
    than half of the users of the other members that send and accept connections must name a peer; a minority that
    agrees on it can shut nobody out. The peers of a user share its one voice evenly. In a group of two the other one
    decides alone. No one is refused if nobody were left.

    Args:
        announced: what each member told its leader.
        members: ids of the members, in the same order.
        users: name of the user of each member, "" where it is not known; empty in an open run. Each member without a
            known user has a voice of its own.
    """
    able = [index for index, item in enumerate(announced) if item.reduces]
    voters = [index for index in able if announced[index].sends]

    def user_of(index: int) -> str | bytes:
        return (users[index] if users else "") or members[index]

    def is_refused(index: int) -> bool:
        others = [voter for voter in voters if voter != index]
        peers = Counter(map(user_of, others))
        naming = [voter for voter in others if short_name(members[index]) in announced[voter].refuses]
        return 2 * sum(Fraction(1, peers[user_of(voter)]) for voter in naming) > len(peers)

    refused = frozenset(filter(is_refused, able))
    return refused if len(refused) < len(able) else frozenset()


def assignment_of(
    announced: Sequence[MemberAnnouncement],
    parts: Sequence[Part],
    rules: SwarmRules,
    members: Sequence[bytes] = (),
    users: Sequence[str] = (),
) -> RoundAssignment:
    """Return the tasks of the members that ``announced`` themselves, in the order that all of them share.

    Args:
        announced: what each member told its leader.
        parts: the parts of the run's rounds, in order.
        rules: the run's rules, which bound the seconds of an exchange.
        members: ids of the members in the same order; empty if none refuses another one.
        users: name of the user of each member, "" where it is not known; empty in an open run.

    Raises:
        RoundFailed: the group has no sender, or no peer that accepts connections.
    """
    if not any(item.reduces for item in announced):
        raise RoundFailed("No peer of the group accepts incoming connections.")
    rates = [item.bandwidth for item in announced]
    refused = refused_members(announced, members, users) if members else frozenset()
    shares = reducer_shares(
        rates, [item.reduces and index not in refused for index, item in enumerate(announced)]
    )
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
