"""The states that a swarm vouches for, by their roots: pure functions over signed records.

No donor is believed about its own state alone. Each trainer's record of progress names the root of the state that it
holds; each record of a commit names the root of the state that its writer's round led from. Each user has one voice.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.swarm.wire.records import CommitRecord, ProgressRecord
from core.swarm.wire.voices import VOICE, Voter, shared_out, voiced, voter_of

_MOST_STATES = 8
_MOST_VOTERS = 256


@dataclass(frozen=True)
class VouchedState:
    """The root of a state, and the users that say that it is the swarm's."""

    root: bytes
    voices: Mapping[Voter, int]
    """Units of the voices for it, by the users, or by the ids of peers that have none."""

    @property
    def total(self) -> int:
        """Units of all voices for it."""
        return sum(self.voices.values())


def vouched_by_progress(records: Sequence[ProgressRecord], *, least_epoch: int) -> tuple[VouchedState, ...]:
    """Return the states that ``records`` name at ``least_epoch`` or later, those with the most voices first.

    The peer that a summary names has the voice of one of those for which its record stands, on average.
    """
    return _counted(
        (voter_of(record, record.peer_id), record.state, voices // record.peers)
        for record, voices in voiced(list({record.peer_id: record for record in records}.values()))
        if record.epoch >= least_epoch
    )


def vouched_by_commits(records: Mapping[bytes, CommitRecord]) -> tuple[VouchedState, ...]:
    """Return the states that commits led from, those with the most voices first.

    ``records`` are the commit records by the ids of their writers.
    """
    by_voter = defaultdict[Voter, list[bytes | None]](list)
    for writer, record in sorted(records.items()):
        by_voter[voter_of(record, writer)].append(record.state)
    return _counted(
        (voter, root, voices)
        for voter, roots in by_voter.items()
        for root, voices in zip(roots, shared_out(VOICE, len(roots)), strict=True)
    )


def _counted(named: Iterable[tuple[Voter, bytes | None, int]]) -> tuple[VouchedState, ...]:
    found = defaultdict[bytes, Counter[Voter]](Counter)
    for voter, root, voices in named:
        if root is not None and (voter in found[root] or len(found[root]) < _MOST_VOTERS):
            found[root][voter] += voices
    states = [VouchedState(root, dict(voices)) for root, voices in found.items()]
    return tuple(sorted(states, key=lambda state: (-state.total, state.root))[:_MOST_STATES])


@dataclass(frozen=True)
class StateVoices:
    """The swarm's word on the states that donors offer."""

    progress: tuple[VouchedState, ...] = ()
    """The states that records of progress name."""
    commits: tuple[VouchedState, ...] = ()
    """The states that commits name."""
    servers: frozenset[bytes] = frozenset()
    """Ids of donors that compute nothing, and give to many at once."""
    users: Mapping[bytes, str] = field(default_factory=dict)
    """Names of the users of donors, by the donors' ids; a donor without one is its own user."""

    def voter(self, donor: bytes) -> Voter:
        """Return the user of ``donor`` (its id), or its id if it has none."""
        return self.users.get(donor) or donor

    def ranked(self, offers: Mapping[bytes, bytes]) -> list[bytes]:
        """Return the roots that are on offer, best first.

        A donor's own voice does not count for what it offers, however it gave it: it counts only beside that of
        another user. A server's root comes first if no root has more voices in records of progress, or none in
        commits: it may be an epoch behind, and rounds come faster than a state from trainers. Then come roots that
        records of progress vouch for, those that commits do, and among equals those with more voices; where that
        decides nothing, those that more users name or offer. Equals keep the order of the donors.

        Args:
            offers: the root that each donor (its id) offers, in the order of the donors.
        """
        now, before = ({item.root: item for item in states} for states in (self.progress, self.commits))
        trusted = self.best_vouched(offers, self.progress) | self.best_vouched(offers, self.commits)

        def rank(root: bytes) -> tuple[bool, bool, bool, int, int]:
            donors = self._donors_of(root, offers)
            in_progress = now[root].voices if root in now else {}
            in_commits = before[root].voices if root in before else {}
            named = {
                voter: max(in_progress.get(voter, 0), in_commits.get(voter, 0))
                for voter in in_progress.keys() | in_commits.keys()
            }
            return (
                not (root in trusted and not self.servers.isdisjoint(_peers_of(root, offers))),
                not other_voices(in_progress, donors),
                not other_voices(in_commits, donors),
                -other_voices(named, donors),
                -len(named.keys() | donors),
            )

        return sorted(dict.fromkeys(offers.values()), key=rank)

    def best_vouched(self, offers: Mapping[bytes, bytes], states: Sequence[VouchedState]) -> set[bytes]:
        """Return the roots with the most voices, if another user names them than the donors that offer them.

        Args:
            offers: the root that each donor (its id) offers.
            states: the states that records name.
        """
        most = max((state.total for state in states), default=0)
        return {
            state.root
            for state in states
            if state.total == most and other_voices(state.voices, self._donors_of(state.root, offers))
        }

    def vouched_beside(self, offers: Mapping[bytes, bytes]) -> set[bytes]:
        """Return all roots that another user names than one that offers them; ``offers`` are as for `ranked`."""
        return {
            state.root
            for state in (*self.progress, *self.commits)
            if other_voices(state.voices, self._donors_of(state.root, offers))
        }

    def named_by_several(self, offers: Mapping[bytes, bytes]) -> set[bytes]:
        """Return the roots on offer that two users name or offer; ``offers`` are as for `ranked`."""
        users = {root: set(self._donors_of(root, offers)) for root in offers.values()}
        for state in (*self.progress, *self.commits):
            if state.root in users:
                users[state.root].update(state.voices)
        return {root for root, found in users.items() if len(found) > 1}

    def _donors_of(self, root: bytes, offers: Mapping[bytes, bytes]) -> frozenset[Voter]:
        """Return the users whose donors offer the state with this ``root``."""
        return frozenset(map(self.voter, _peers_of(root, offers)))


def _peers_of(root: bytes, offers: Mapping[bytes, bytes]) -> list[bytes]:
    return [donor for donor, offered in offers.items() if offered == root]


def other_voices(voices: Mapping[Voter, int], donors: frozenset[Voter]) -> int:
    """Return the units of ``voices`` for a state, but for those of one of its ``donors``, who may be alone in it."""
    return sum(voices.values()) - max((voices.get(donor, 0) for donor in donors), default=0)
