"""Maps each peer's record to its user, so that a user with many computers has no more say than others.

A summary of a large swarm names no users: its cohorts bring the voices that the summariser has counted.
"""

from collections.abc import Iterable, Sequence

from hivemind.p2p import PeerID

from coordinator.database.connect import Database
from coordinator.ledger.owners import users_of
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.majority import leading_place
from core.swarm.wire.records import ProgressRecord

UserOrPeer = int | bytes
"""A user's number, or the id of a peer without a user."""


class PeerUsers:
    """Looks up the user of each peer, once, in one thread."""

    def __init__(self, database: Database | None) -> None:
        """Look users up in ``database``; None if the run is open, in which peers have no users."""
        self._database = database
        self._users: dict[bytes, int] = {}

    def of(self, peers: Iterable[bytes]) -> dict[bytes, UserOrPeer]:
        """Return the user of each peer, or the peer without one; raise DatabaseError while the database is away."""
        wanted = set(peers)
        self._learn(wanted - self._users.keys())
        return {peer: self._users.get(peer, peer) for peer in wanted}

    def one_per_user(self, records: Sequence[ProgressRecord]) -> list[ProgressRecord]:
        """Return one record for each user: that of a peer at the place of most of the user's peers.

        Cohorts among ``records`` are returned as they are, if they count at their place.
        """
        single = [record for record in records if not isinstance(record, Cohort)]
        users = self.of(record.peer_id for record in single)
        groups: dict[UserOrPeer, list[ProgressRecord]] = {}
        for record in single:
            groups.setdefault(users[record.peer_id], []).append(record)
        found = [spokesman for group in groups.values() if (spokesman := _representative(group))]
        return [*found, *(record for record in records if isinstance(record, Cohort) and _counts(record))]

    def _learn(self, unknown: set[bytes]) -> None:
        if self._database is None or not unknown:
            return
        names = {PeerID(peer).to_base58(): peer for peer in unknown}
        with self._database.reading() as session:
            self._users |= {names[name]: user for name, user in users_of(session, names).items()}


def _representative(group: Sequence[ProgressRecord]) -> ProgressRecord | None:
    place = leading_place(group)
    there = [item for item in group if _counts(item) and (item.epoch, item.head) == place]
    return min(there, key=lambda item: item.paused, default=None)


def _counts(record: ProgressRecord) -> bool:
    return record.synchronised and not record.auxiliary
