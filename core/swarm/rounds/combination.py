"""Decides which groups of an epoch combine, and what their reducers send each other: pure functions.

Every part has a binary tree of the groups. The reducer of the part in each group takes the aggregates of at most two
other groups, sends the weighted mean of these and its own to one, and passes the result back the same way. Every
second part has the groups in the opposite order: a group that has two below it in one tree has none in the other, so
that all pass about as many bytes (two trees: Sanders, Speck and Träff, 2009).
"""

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.run.rules import SwarmRules
from core.swarm.rounds.partition import Part, RoundLoad
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import MOST_MEMBERS

FAN_IN = 2
"""Most groups below one in the tree of a part."""
_GROUP_ID_BYTES = 20
_LEAST_MEMBERS = 2
_GROUPS_AT_A_PLACE = 4
"""Groups whose peers meet at one key of the DHT, at least, where there are several keys."""
ATTEMPTS = 4
"""Passages through the trees: each is without the groups that the one before it lost.

In a quarter of the passages among 1,000 homes a reducer dies if 30 % of them die an hour (simulated). With two
passages one epoch in 25 came to a single group.
"""
_GIVING_SHARE = 3
"""Part of the time to combine in which what came of it is given to members, as a divisor."""
_SETTLES = 3
"""Times to settle that a commit may take, as a multiple of that in the limits."""


@dataclass(frozen=True)
class ReducedGroup:
    """A group that has reduced all parts inside, as the others learn of it."""

    id: bytes
    samples: float
    """Samples behind its aggregate."""
    members: int
    """Number of its members that contributed or could have."""
    reducers: tuple[bytes, ...]
    """Ids of peers that reduce in the group: of each part, or of the last part alone, whose reducer is the head."""
    contributors: bytes = bytes(32)
    """SHA-256 of the names and samples of its contributors, by which a list of them is checked."""

    @property
    def head(self) -> bytes:
        """Id of the peer that speaks for the group: it reduces the last part, which counts the samples."""
        return self.reducers[-1]


def members_of_group(expected_peers: int, rules: SwarmRules, most_groups: int) -> int:
    """Return the number of members at which a group is full.

    As few groups form as the rules allow, all of about the same size: one of two members beside one of 64 would be
    lost more often, and the swarm would wait for its few reducers. None is so large that one peer is left over.

    Args:
        expected_peers: peers known to be at the epoch.
        rules: the run's rules, which bound the size of a group.
        most_groups: most groups of an epoch.
    """
    groups = min(most_groups, math.ceil(expected_peers / rules.group_size))
    members = min(rules.group_size, math.ceil(expected_peers / groups))
    less = members - 1
    leaves_one = groups > 1 and expected_peers % members == 1
    fits = less >= _LEAST_MEMBERS and expected_peers % less != 1 and expected_peers <= less * most_groups
    return less if leaves_one and fits else members


@dataclass(frozen=True)
class GroupShape:
    """The shape that the groups of an epoch are to have, so that each has its share of reducers."""

    groups: int
    """Number of groups that are to form."""
    members: int
    """Number of members at which a group is full."""
    clients: int
    """Largest number of members of a group that accept no connections; its leader accepts some."""


def group_shape(expected_peers: int, expected_clients: int, rules: SwarmRules) -> GroupShape:
    """Return the shape of the groups of an epoch.

    Those that accept connections reduce. Were they to form groups among themselves, the others would have no leader,
    and the few that are left would reduce for many.

    Args:
        expected_peers: peers known to be at the epoch.
        expected_clients: those of them that accept no connections.
        rules: the run's rules, which bound the size of a group and the number of groups.
    """
    members = members_of_group(expected_peers, rules, rules.most_groups)
    groups = min(rules.most_groups, math.ceil(expected_peers / members))
    clients = min(members - 1, math.ceil(expected_clients / groups)) if groups > 1 else members - 1
    return GroupShape(groups, members, max(0, clients))


def meeting_places(expected_peers: int, rules: SwarmRules) -> int:
    """Return the number of keys at which the peers of an epoch look for groups: a power of two.

    Each peer draws a key, and reads the declarations of all that look there. With several groups at each, there is
    nearly always one that forms there, also where the peers' views of the swarm differ by a few.

    Args:
        expected_peers: peers known to be at the epoch.
        rules: the run's rules; one group an epoch meets at one key.
    """
    if rules.most_groups == 1:
        return 1
    places = expected_peers // (_GROUPS_AT_A_PLACE * rules.group_size)
    return 1 << max(0, places.bit_length() - 1)


def chosen_groups(reduced: Iterable[ReducedGroup], most_groups: int) -> tuple[ReducedGroup, ...]:
    """Return those of the ``reduced`` groups that one commit covers, in the order that all peers share.

    Groups with more samples come first, as their commits do. A group is left out if one of its reducers also reduces
    in a group before it, since a peer in several groups would pass a multiple of the bytes, and if the record of the
    commit cannot count its members. At most ``most_groups`` are chosen.
    """
    chosen: list[ReducedGroup] = []
    reducers: set[bytes] = set()
    members = 0
    for group in sorted(reduced, key=lambda item: (-item.samples, item.id)):
        has_room = len(chosen) < most_groups and members + group.members <= MOST_MEMBERS
        if has_room and reducers.isdisjoint(group.reducers):
            chosen.append(group)
            reducers.update(group.reducers)
            members += group.members
    return tuple(chosen)


def may_others_form(expected_peers: int, members: Sequence[int], most_groups: int) -> bool:
    """Return true if groups that have formed wait for another one to form.

    One of them may exchange before the peers of the next have found each other: its batch is complete already. A peer
    that is left over makes no group.

    Args:
        expected_peers: peers known to be at the epoch.
        members: number of members of each group that has formed.
        most_groups: most groups of an epoch.
    """
    return len(members) < most_groups and expected_peers - sum(members) >= _LEAST_MEMBERS


def may_form_again(seconds: float, limits: TimeLimits, most_groups: int) -> bool:
    """Return true if the peers of a group that failed are early enough to form another one for the same commit.

    Groups that have formed are waited for about as long as a reducer may be silent, after the first has reduced. A
    group that forms after a sender's limit of silence has ended is done by then. A later one would exchange in vain.

    Args:
        seconds: seconds since the exchange of the group began; 0 if it had not begun.
        limits: the limits of the group.
        most_groups: most groups of an epoch.
    """
    return most_groups > 1 and seconds <= limits.sender_seconds


def seconds_to_commit(limits: TimeLimits) -> float:
    """Return the seconds in which a member commits under ``limits`` that got the last part at their end."""
    return limits.reducer_seconds + _SETTLES * limits.settle_seconds


def seconds_to_commit_of_others(limits: TimeLimits, rules: SwarmRules, most_groups: int) -> float:
    """Return the seconds for which the members of a group that failed wait for the commit of other groups.

    Args:
        limits: the limits of the group.
        rules: the run's rules.
        most_groups: most groups of an epoch; where several combine, they wait for each other before they commit.
    """
    alone = seconds_to_commit(limits)
    if most_groups == 1:
        return alone
    combined = combination_limits(limits, rules)
    return alone + combined.wait_seconds + combined.attempt_seconds


def groups_of_next_attempt(
    groups: Sequence[ReducedGroup], lost: Collection[bytes], attempts: int
) -> tuple[ReducedGroup, ...]:
    """Return the groups that combine after ``attempts`` passages that failed; one alone commits its own aggregate.

    Args:
        groups: the groups of the last passage, in order.
        lost: ids of the groups of which a reducer was lost or late; each falls out whole, in all parts.
        attempts: number of passages so far.
    """
    left = tuple(group for group in groups if group.id not in lost)
    return left if attempts < ATTEMPTS else left[:1]


def combined_id(groups: Sequence[ReducedGroup]) -> bytes:
    """Return the id under which the ``groups`` commit together, 20 bytes: the commit's root covers it.

    It is the digest of the groups with the samples, members and contributors of each; one group alone keeps its own
    id.
    """
    if len(groups) == 1:
        return groups[0].id
    named = [
        (group.id.hex(), group.samples.hex(), group.members, group.contributors.hex()) for group in groups
    ]
    return hashlib.sha256(repr(named).encode()).digest()[:_GROUP_ID_BYTES]


@dataclass(frozen=True)
class GroupTrees:
    """The trees by which a number of groups combine, one for each part."""

    groups: int
    """Number of the groups, which are named by their positions in the order that all share."""

    @property
    def depth(self) -> int:
        """Edges from the root of a tree to the group that is the farthest from it."""
        depth, place = 0, self.groups - 1
        while place > 0:
            depth, place = depth + 1, (place - 1) // FAN_IN
        return depth

    def root(self, part: int) -> int:
        """Return the position of the group that holds the mean of all groups of ``part``."""
        return self._position(0, part)

    def above(self, position: int, part: int) -> int | None:
        """Return the position of the group to which that at ``position`` sends its mean of ``part``.

        It is None for the group that holds the mean of all.
        """
        place = self._place(position, part)
        return self._position((place - 1) // FAN_IN, part) if place else None

    def below(self, position: int, part: int) -> tuple[int, ...]:
        """Return the positions of the groups that send their means of ``part`` to the group at ``position``."""
        first = FAN_IN * self._place(position, part) + 1
        places = range(first, min(first + FAN_IN, self.groups))
        return tuple(self._position(place, part) for place in places)

    def _place(self, position: int, part: int) -> int:
        return position if part % 2 == 0 else self.groups - 1 - position

    def _position(self, place: int, part: int) -> int:
        return self._place(place, part)  # the mirror image of a mirror image


def combination_loads(groups: Sequence[ReducedGroup], parts: Sequence[Part]) -> Mapping[bytes, RoundLoad]:
    """Return the bytes that each reducer of ``groups`` passes for the combination, beside those of its own group.

    Means of ``parts`` go up and aggregates come down, over each edge once. So no reducer sends, nor receives, more
    than three times what its own parts take, however many groups there are.
    """
    trees = GroupTrees(len(groups))
    passed: dict[bytes, RoundLoad] = {}
    for position, group in enumerate(groups):
        for index, (part, reducer) in enumerate(zip(parts, group.reducers, strict=True)):
            up, down = int(trees.above(position, index) is not None), len(trees.below(position, index))
            before = passed.get(reducer, RoundLoad(0, 0))
            passed[reducer] = RoundLoad(
                before.sent + up * part.partial_bytes + down * part.aggregate_bytes,
                before.received + down * part.partial_bytes + up * part.aggregate_bytes,
            )
    return passed


def combination_seconds(
    groups: Sequence[ReducedGroup],
    parts: Sequence[Part],
    seconds_of: Callable[[bytes, RoundLoad], float],
) -> Mapping[bytes, float]:
    """Return the seconds in which the ``groups`` would combine, were all reducers as fast as each one.

    Parts follow each other through the trees. So the time is that of a reducer's own bytes, and of one more part for
    each edge that the last part passes up and down. The slowest reducer decides.

    Args:
        groups: the groups that combine, in order.
        parts: the parts of the round.
        seconds_of: gives the seconds that the peer with an id takes for a load.
    """
    largest = max(max(part.partial_bytes, part.aggregate_bytes) for part in parts)
    edges = 2 * GroupTrees(len(groups)).depth
    return {
        reducer: seconds_of(reducer, load) + edges * seconds_of(reducer, RoundLoad(largest, largest))
        for reducer, load in combination_loads(groups, parts).items()
    }


def late_groups(
    groups: Sequence[ReducedGroup], seconds: Mapping[bytes, float], most: float
) -> frozenset[bytes]:
    """Return the ids of the ``groups`` with a reducer that takes over ``most`` seconds, by its id in ``seconds``."""
    return frozenset(
        group.id for group in groups if any(seconds[reducer] > most for reducer in set(group.reducers))
    )


@dataclass(frozen=True)
class CombinationLimits:
    """The patience of groups with each other, in seconds."""

    forming_seconds: float
    """Seconds after the first group has reduced in which others may form, if there are peers for them."""
    wait_seconds: float
    """Seconds after the first group has reduced in which the others may; those that have not are left out."""
    silence_seconds: float
    """Silence after which a reducer of a group counts as lost."""
    attempt_seconds: float
    """Seconds after which a passage through the trees ends."""


def seconds_to_give(limits: TimeLimits, rules: SwarmRules) -> float:
    """Return the seconds of an exchange after which the members of a group must be given something.

    What is given later does not reach all of them before the exchange under ``limits`` ends, with what ``rules``
    leave for combining. A part takes no longer than the silence after which a sender is lost.
    """
    whole = limits.allreduce_seconds + rules.combining_seconds
    return whole - min(limits.sender_seconds, rules.combining_seconds / _GIVING_SHARE)


def combination_limits(limits: TimeLimits, rules: SwarmRules) -> CombinationLimits:
    """Return the limits for groups that have formed and exchange under ``limits``.

    All of it fits into what ``rules`` leave of a round after its group has formed, has exchanged, and before it
    commits. The time of a passage follows from the rules alone: groups on fast lines and on slow ones pass together.
    A run that leaves no time for it has one group an epoch.
    """
    share = rules.combining_seconds / (1 + ATTEMPTS)
    attempt = min(rules.allreduce_seconds, share)
    wait = min(limits.matchmaking_seconds + limits.reducer_seconds, share)
    return CombinationLimits(
        forming_seconds=min(limits.matchmaking_seconds, wait),
        wait_seconds=wait,
        silence_seconds=min(limits.sender_seconds, attempt),
        attempt_seconds=attempt,
    )
