"""The states that a swarm vouches for, by their roots: pure functions over signed records.

No donor is believed about its own state alone. Each trainer's record of progress names the root of the state that it
holds; each record of a commit names the root of the state that its writer's round led from.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.swarm.wire.records import CommitRecord, ProgressRecord

_MOST_STATES = 8
_MOST_PEERS = 256


@dataclass(frozen=True)
class VouchedState:
    """The root of a state, and the peers (their ids) that say that it is the swarm's."""

    root: bytes
    peers: frozenset[bytes]


def vouched_by_progress(records: Sequence[ProgressRecord], *, least_epoch: int) -> tuple[VouchedState, ...]:
    """Return the states that ``records`` name at ``least_epoch`` or later, those that most peers name first."""
    named = [(record.peer_id, record.state) for record in records if record.epoch >= least_epoch]
    return _counted(named)


def vouched_by_commits(records: Mapping[bytes, CommitRecord]) -> tuple[VouchedState, ...]:
    """Return the states that commits led from, those that most writers name first.

    ``records`` are the commit records by the ids of their writers.
    """
    return _counted((writer, record.state) for writer, record in records.items())


def _counted(named: Iterable[tuple[bytes, bytes | None]]) -> tuple[VouchedState, ...]:
    peers: dict[bytes, set[bytes]] = {}
    for peer, root in named:
        if root is not None and len(found := peers.setdefault(root, set())) < _MOST_PEERS:
            found.add(peer)
    states = [VouchedState(root, frozenset(found)) for root, found in peers.items()]
    return tuple(sorted(states, key=lambda state: (-len(state.peers), state.root))[:_MOST_STATES])


@dataclass(frozen=True)
class StateVoices:
    """The swarm's word on the states that donors offer."""

    progress: tuple[VouchedState, ...] = ()
    """The states that records of progress name."""
    commits: tuple[VouchedState, ...] = ()
    """The states that commits name."""
    servers: frozenset[bytes] = frozenset()
    """Ids of donors that compute nothing, and give to many at once."""

    def ranked(self, offers: Mapping[bytes, bytes]) -> list[bytes]:
        """Return the roots that are on offer, best first.

        A donor's own voice does not count for what it offers, however it gave it: it counts only beside that of
        another peer. A server's root comes first if no root has more voices in records of progress, or none in
        commits: it may be an epoch behind, and rounds come faster than a state from trainers. Then come roots that
        records of progress vouch for, those that commits do, and among equals those that more peers name; where that
        decides nothing, those that more peers name or offer. Equals keep the order of the donors.

        Args:
            offers: the root that each donor (its id) offers, in the order of the donors.
        """
        now, before = ({item.root: item.peers for item in states} for states in (self.progress, self.commits))
        trusted = best_vouched(offers, self.progress) | best_vouched(offers, self.commits)

        def rank(root: bytes) -> tuple[bool, bool, bool, int, int]:
            donors = donors_of(root, offers)
            in_progress, in_commits = now.get(root, frozenset()), before.get(root, frozenset())
            named = in_progress | in_commits
            return (
                not (root in trusted and donors & self.servers),
                not other_voices(in_progress, donors),
                not other_voices(in_commits, donors),
                -other_voices(named, donors),
                -len(named | donors),
            )

        return sorted(dict.fromkeys(offers.values()), key=rank)


def best_vouched(offers: Mapping[bytes, bytes], states: Sequence[VouchedState]) -> set[bytes]:
    """Return the roots that most peers name, if another peer names them than the donors that offer them.

    Args:
        offers: the root that each donor (its id) offers.
        states: the states that records name.
    """
    most = max((len(state.peers) for state in states), default=0)
    return {
        state.root
        for state in states
        if len(state.peers) == most and other_voices(state.peers, donors_of(state.root, offers))
    }


def donors_of(root: bytes, offers: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Return the ids of the donors that offer the state with this ``root``; ``offers`` has the root of each donor."""
    return frozenset(donor for donor, offered in offers.items() if offered == root)


def other_voices(peers: frozenset[bytes], donors: frozenset[bytes]) -> int:
    """Return the number of ``peers`` that name a state, but for one of its ``donors``, who may be alone in it."""
    return len(peers) - bool(peers & donors)
