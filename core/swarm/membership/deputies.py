"""Draws the deputies, peers that summarise a swarm while no entrance does, and decides whose summaries count.

Every reader draws them by itself, from the same peers and the same time, and believes nothing that a deputy says of
itself. Pure functions but for `PresentPeers`.
"""

import hashlib
import struct
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.messages.reach import Reach
from core.run.look_schedule import STORED_SECONDS
from core.swarm.membership.cohorts import cohorts_in
from core.swarm.membership.majority import leading_place
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.rendezvous import spread
from core.swarm.wire.summaries import LARGEST_UNSHARDED, SummaryRecord
from core.swarm.wire.voices import Voter, voter_of

FRESH_SECONDS = 180.0
"""Age of a summary in seconds up to which it tells of the swarm as it is."""
_BY_OTHERS_ALONE = (Reach.PUNCHED, Reach.RELAYED, Reach.OUTGOING)
"""Ways in which peers are reached that answer no calls for summaries."""


@dataclass(frozen=True)
class DeputyRules:
    """The rules by which deputies are drawn, and their summaries believed."""

    fresh_seconds: float = FRESH_SECONDS
    """Age in seconds of the newest summary of an entrance from which on deputies summarise."""
    slot_seconds: float = 1800.0
    """Seconds after which other deputies are drawn."""
    deputies: int = 3
    """Number of peers that summarise at a time."""
    reserves: int = 6
    """Number of peers that take over, in their order, from those that are gone."""
    least_seconds: float = 60.0
    """Seconds, at least, between two summaries of one deputy; more frequent ones are not passed on."""
    step_seconds: float = 180.0
    """Seconds for which each further row of reserves waits for those before it."""
    agreeing: int = 2
    """Number of deputies whose summaries agree that are believed without a check of one's own."""
    size_factor: float = 2.0
    """Largest factor between the numbers of peers in two summaries that agree."""
    most_unsummarised: int = LARGEST_UNSHARDED
    """Number of other peers up to which a swarm without any summary needs none."""
    present_seconds: float = 1800.0
    """Seconds for which a peer must have been seen without a break to be drawn where no summary has named any."""
    roster_seconds: float = 6 * 3600.0
    """Seconds for which deputies are drawn from the same peers: those who wait longest are not the honest ones."""


DEPUTY_RULES = DeputyRules()
"""The rules of every peer; tests have others."""


@dataclass(frozen=True)
class Roster:
    """The peers from which deputies are drawn."""

    peers: frozenset[bytes]
    """Ids of the peers."""
    since: float
    """DHT time in seconds at which the peers were named, or seen last."""
    seed: bytes = b""
    """Bytes that nobody knew before the peers were named: no key can be made to be drawn. Empty without any."""


def roster_of(summary: SummaryRecord) -> Roster:
    """Return the roster out of the last ``summary`` of an entrance: the peers that it names and others connect to."""
    named = frozenset(item.peer_id for item in cohorts_in(summary) if can_sign(item))
    seed = hashlib.sha256(summary.rows + struct.pack(">d", summary.time)).digest()
    return Roster(named, summary.time, seed)


def can_sign(record: ProgressRecord) -> bool:
    """Return true if others could ask the peer of ``record`` for a summary: it accepts connections and is at work."""
    return record.can_be_asked and not record.paused and record.reach not in _BY_OTHERS_ALONE


def drawn(roster: Roster | None, prefix: str, time: float, rules: DeputyRules) -> tuple[bytes, ...]:
    """Return the deputies and their reserves in the order in which they take their turns.

    The order is that of rendezvous hashing over the run, the seed of the roster and the slot of time.

    Args:
        roster: the peers from which they are drawn; None gives none.
        prefix: the run's DHT prefix.
        time: DHT time in seconds.
        rules: the rules of the draw.
    """
    if roster is None or time - roster.since > rules.roster_seconds:
        return ()
    slot = int(time // rules.slot_seconds)
    key = hashlib.sha256(f"{prefix}_deputies_{slot}".encode() + roster.seed).digest()
    ordered = spread(roster.peers, key, identifier=bytes)
    return tuple(ordered[: rules.deputies + rules.reserves])


def admitted(roster: Roster | None, prefix: str, now: float, rules: DeputyRules) -> frozenset[bytes]:
    """Return the ids of the peers whose summaries are passed on.

    They are those that are drawn now, and those whose slot has ended so recently that their summaries are fresh.

    Args:
        roster: the peers from which deputies are drawn.
        prefix: the run's DHT prefix.
        now: the present DHT time in seconds.
        rules: the rules of the draw.
    """
    return frozenset(
        peer for time in (now, now - rules.fresh_seconds) for peer in drawn(roster, prefix, time, rules)
    )


def is_due(
    own: bytes,
    roster: Roster | None,
    held: Iterable[SummaryRecord],
    prefix: str,
    now: float,
    rules: DeputyRules,
) -> bool:
    """Return true if this peer is to summarise the swarm, where no summary of an entrance is fresh.

    Args:
        own: id of this peer.
        roster: the peers from which deputies are drawn.
        held: the summaries that this peer knows, without those of liars.
        prefix: the run's DHT prefix.
        now: the present DHT time in seconds.
        rules: the rules of the draw.
    """
    order = drawn(roster, prefix, now, rules)
    if roster is None or own not in order:
        return False
    rank = order.index(own)
    begun = max(roster.since + rules.fresh_seconds, now - now % rules.slot_seconds)
    if now < begun + rank // rules.deputies * rules.step_seconds:
        return False
    at_work = {item.peer_id for item in held if now - item.time <= rules.fresh_seconds}
    return len(at_work.intersection(order[:rank])) < rules.deputies


def accepted(
    held: Iterable[SummaryRecord],
    roster: Roster | None,
    checked: Collection[bytes],
    prefix: str,
    now: float,
    rules: DeputyRules,
) -> list[SummaryRecord]:
    """Return the fresh summaries of deputies that are believed, the best one first.

    A summary counts if its writer was drawn for the time that it states, among the first whose summaries are there,
    and if another deputy's agrees with it, or records that this peer has drawn do. Of the deputies of one user the
    first alone counts: others would agree with it in whatever it says.

    Args:
        held: the summaries that this peer knows, without those of liars.
        roster: the peers from which deputies are drawn.
        checked: ids of the deputies whose summaries were held against such records, and were not contradicted.
        prefix: the run's DHT prefix.
        now: the present DHT time in seconds.
        rules: the rules of the draw.
    """
    ranked = list[tuple[int, SummaryRecord]]()
    for item in held:
        order = drawn(roster, prefix, item.time, rules)
        if now - item.time <= rules.fresh_seconds and item.peer_id in order:
            ranked.append((order.index(item.peer_id), item))
    ranked.sort(key=lambda found: (found[0], -found[1].time))
    by_user = dict[Voter, SummaryRecord]()
    for _, item in ranked:
        by_user.setdefault(voter_of(item, item.peer_id), item)
    first = list(by_user.values())[: rules.deputies]
    counts = [
        item
        for item in first
        if item.peer_id in checked or sum(agree(item, other, rules) for other in first) >= rules.agreeing
    ]
    return sorted(counts, key=lambda item: item.peer_id not in checked)


def agree(one: SummaryRecord, other: SummaryRecord, rules: DeputyRules) -> bool:
    """Return true if two summaries say the same of what decides: the leading place and the size of the swarm.

    They are made at different times: one may be an epoch ahead, unless it is on another branch.

    Args:
        one: a summary.
        other: another summary.
        rules: the differences that are allowed.
    """
    least, most = sorted((one.peers, other.peers))
    if most > rules.size_factor * least or abs(one.level - other.level) > 1:
        return False
    places = leading_place(cohorts_in(one)), leading_place(cohorts_in(other))
    if places[0] is None or places[1] is None:
        return places[0] == places[1]
    if places[0][0] == places[1][0]:
        return places[0] == places[1]
    return abs(places[0][0] - places[1][0]) == 1 and _knows_branch(one, other)


def _knows_branch(one: SummaryRecord, other: SummaryRecord) -> bool:
    """Return true unless two summaries name places of the same epoch, and not one of them alike."""
    first, second = ({(place.epoch, place.head) for place in item.places} for item in (one, other))
    shared = {epoch for epoch, _ in first} & {epoch for epoch, _ in second}
    return not shared or bool(first & second)


class PresentPeers:
    """The peers that one reader of all records has seen without a break, and since when.

    A record that a look misses is no break: it is one if the peer was not seen for as long as records are stored.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._seen: dict[bytes, tuple[float, float]] = {}
        """DHT times in seconds at which they were seen first and last."""

    def note(self, records: Iterable[ProgressRecord], now: float) -> None:
        """Note the peers of all ``records`` that are seen at ``now``, in seconds of DHT time."""
        for item in filter(can_sign, records):
            first, _ = self._seen.get(item.peer_id, (now, now))
            self._seen[item.peer_id] = first, now
        self._seen = {peer: seen for peer, seen in self._seen.items() if now - seen[1] <= STORED_SECONDS}

    def roster(self, now: float, rules: DeputyRules) -> Roster | None:
        """Return the roster of those that were there for long enough; None without any.

        Args:
            now: the present DHT time in seconds.
            rules: the rules, with the seconds that are long enough.
        """
        long = [peer for peer, (first, _) in self._seen.items() if now - first >= rules.present_seconds]
        return Roster(frozenset(long), now) if long else None
