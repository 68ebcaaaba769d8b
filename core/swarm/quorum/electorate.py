"""The users of whom more than half must vote for a commit, and the committee that votes for them in a large swarm."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from core.swarm.quorum.sortition import drawn_share, lot_of, seed_of, votes_needed
from core.swarm.quorum.votes import voice_of
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import VOICE, voiced, voices_of

RECENT = 4
"""Epochs within which a user has voted that is counted on; fewer are not enough, as a vote may come late."""


@dataclass(frozen=True)
class Electorate:
    """The users that were present at a place of the chain, as one peer saw them."""

    size: int = 0
    """Number of the users."""
    names: frozenset[str] = frozenset()
    """Voices of the users (`voice_of`); empty where a summary only counts them."""
    own: str = ""
    """Voice of the user of the peer that saw them; empty for one that has none."""
    least: int = 0
    """Number of users below which the count never falls, however many are silent."""
    gone_to: tuple[int, bytes] | None = None
    """Epoch and head of a later place, at which more than half of the other users stand; None without any."""
    is_closed: bool = False
    """True if no votes of others count, for a peer that is alone by its settings and repeats epochs."""

    def drawn_share(self, growth: int = 0) -> float:
        """Return the share of the users that vote; ``growth`` counts the steps by which the committee has grown."""
        return drawn_share(self.size, growth)

    @property
    def most_growth(self) -> int:
        """Steps after which the committee of a large swarm is all of its users."""
        return max(0, math.ceil(math.log2(1 / self.drawn_share())))

    def draws(self, parent: bytes, voice: str, growth: int = 0) -> bool:
        """Return true if the user with that ``voice`` votes on the commit after ``parent``, the last one's root.

        All peers draw the same committee as far as they count the same users. It has grown by ``growth`` steps.
        """
        if self.is_closed:
            return voice == self.own
        share = self.drawn_share(growth)
        return share >= 1.0 or lot_of(seed_of(parent), voice) < share

    def has_quorum(self, votes: Fraction, voices: Collection[str], growth: int = 0) -> bool:
        """Return true if an aggregate with that number of ``votes`` is committed.

        Where all vote, more than half of the users decide. Of a drawn committee, as many as `votes_needed` do, and
        more than half of those that voted: there may be more users than this peer counts.

        Args:
            votes: number of votes for the aggregate.
            voices: those that voted at the place, as far as they are drawn.
            growth: steps by which the committee has grown.
        """
        if self.drawn_share(growth) < 1.0 and votes < votes_needed(self.size, growth):
            return False
        return 2 * votes > self.seats(voices, growth)

    def seats(self, voices: Collection[str], growth: int = 0) -> float:
        """Return the number of votes of which at least more than half decide.

        Users that vote at the place are present, whether this peer had seen them there or not.

        Args:
            voices: those that voted at the place, as far as they are drawn.
            growth: steps by which the committee has grown.
        """
        share = self.drawn_share(growth)
        if share < 1.0:
            return max(share * self.size, len(voices))
        if self.names:
            return max(len(self.names.union(voices)), self.least)
        return max(self.size, len(voices))

    @property
    def others(self) -> "Electorate":
        """The electorate as it is for a peer that came too late to vote: without its own user."""
        return replace(self, size=max(0, self.size - 1), names=self.names - {self.own})

    def active(self, last_votes: Mapping[str, int], epoch: int) -> "Electorate":
        """Return the electorate without users that have not voted lately, but at least half as large as it was.

        One that is present and never votes would halt the swarm together with others of its kind: a computer too slow
        for a single sample an epoch, one that died, or a stranger's that costs nothing. A newcomer counts from its
        first vote on. Nothing changes where a summary only counts the users.

        Args:
            last_votes: epoch of the last vote of each voice that was seen.
            epoch: the epoch that is to be committed.
        """
        return self.without(self.silent(last_votes, epoch))

    def silent(self, last_votes: Mapping[str, int], epoch: int) -> frozenset[str]:
        """Return the voices of the users that have not voted within `RECENT` epochs before ``epoch``.

        ``last_votes`` holds the epoch of the last vote of each voice that was seen.
        """
        return frozenset(name for name in self.names if last_votes.get(name, -1) < epoch - RECENT)

    def excluding(self, voices: Collection[str]) -> "Electorate":
        """Return the electorate as it is without the users with those ``voices``, who are known to mean harm.

        It may become as small as that makes it. Nothing changes where a summary only counts the users.
        """
        excluded = self.names.intersection(voices)
        return replace(self, size=self.size - len(excluded), names=self.names - excluded)

    def without(self, silent: Collection[str]) -> "Electorate":
        """Return the electorate without the users with ``silent`` voices, but at least half as large as it was.

        Nothing changes where a summary only counts the users.
        """
        if not self.names or self.drawn_share(0) < 1.0:
            return self
        return replace(self, names=self.names.difference(silent), least=(len(self.names) + 1) // 2)


UNKNOWN = Electorate()
"""The electorate of a peer that has seen no user: those that vote are all that it knows of."""


def electorate_of(others: Iterable[ProgressRecord], own: ProgressRecord) -> Electorate:
    """Return the users of trainers that are present at the place in ``own``, this peer's own user among them.

    Args:
        others: the records of the other peers, or cohorts of a summary.
        own: this peer's record.
    """
    records = list(others)
    found, voice = users_at(records, own.epoch, own.head), voice_of(own.user, own.peer_id)
    is_counted = bool(found.size) and not found.names
    names = frozenset() if is_counted else found.names | {voice}
    size = found.size + 1 if is_counted else len(names)
    return Electorate(size, names, own=voice, gone_to=_gone_to(records, own))


def is_place_of_most(records: Iterable[ProgressRecord], epoch: int, head: bytes) -> bool:
    """Return true if more than half of the users that are present at a place stand there, as their records say.

    They have applied the commit that led there, which is as good as a vote for it. Those that never vote count here,
    so a peer that has not seen who was silent finds the way of the swarm.

    Args:
        records: the records of peers, or cohorts of a summary.
        epoch: epoch of the place.
        head: root of the commit that led there.
    """
    near = [record for record in records if record.epoch >= epoch - 1]  # on other branches as well
    there = [record for record in near if (record.epoch, record.head) == (epoch, head)]
    return 2 * _trainers(there).size > _trainers(near).size


def _gone_to(records: Sequence[ProgressRecord], own: ProgressRecord) -> tuple[int, bytes] | None:
    """Return the place past that in ``own`` at which more than half of the users of ``records`` stand."""
    near = [record for record in records if record.epoch >= own.epoch - 1]
    users = {
        place: _trainers([record for record in near if (record.epoch, record.head) == place]).size
        for place in {(record.epoch, record.head) for record in near if record.epoch > own.epoch}
    }
    most = max(users, key=lambda place: (users[place], place), default=None)
    return most if most is not None and 2 * users[most] > _trainers(near).size else None


def users_at(records: Iterable[ProgressRecord], epoch: int, head: bytes) -> Electorate:
    """Return the users of synchronised trainers that are at a place, arrive there, or have gone on.

    Peers that are paused, that join, or that are on another branch do not vote there.

    Args:
        records: the records of peers, or cohorts of a summary.
        epoch: epoch of the place.
        head: root of the commit that led there.
    """
    return _trainers([record for record in records if _is_near(record, epoch, head)])


def _trainers(records: Sequence[ProgressRecord]) -> Electorate:
    """Return the users of the synchronised trainers among ``records``."""
    present = [record for record in records if record.synchronised and record.computes]
    if any(record.counted_voices is not None for record in present):
        return Electorate(math.ceil(voices_of(voiced(present)) / VOICE))
    names = frozenset(voice_of(record.user, record.peer_id) for record in present)
    return Electorate(len(names), names)


def _is_near(record: ProgressRecord, epoch: int, head: bytes) -> bool:
    return record.epoch >= epoch - 1 and (record.epoch != epoch or record.head == head)
