"""Whose word a peer's record is: its user's, so that who brings many computers has no more say than others."""

from collections.abc import Iterable, Sequence

from hivemind.p2p import PeerID

from coordinator.database.connect import Database
from coordinator.ledger.owners import users_of
from core.swarm.agreement import leading_place
from core.swarm.records import ProgressRecord

Voice = int | bytes
"""A user's number; a peer's id where nobody stands behind it by name."""


class Voices:
    """For one thread; whose a peer is, is looked up once."""

    def __init__(self, database: Database | None) -> None:
        """``database`` is that of a run with a gate; None: the run is open, and each peer speaks for itself."""
        self._database = database
        self._users: dict[bytes, int] = {}

    def of(self, peers: Iterable[bytes]) -> dict[bytes, Voice]:
        """The voice of each of these peers; DatabaseError while it cannot be told."""
        wanted = set(peers)
        self._learn(wanted - self._users.keys())
        return {peer: self._users.get(peer, peer) for peer in wanted}

    def spokesmen(self, records: Sequence[ProgressRecord]) -> list[ProgressRecord]:
        """One record for each voice: of a peer that stands where most of the user's peers do."""
        voices = self.of(record.peer_id for record in records)
        groups: dict[Voice, list[ProgressRecord]] = {}
        for record in records:
            groups.setdefault(voices[record.peer_id], []).append(record)
        return [spokesman for group in groups.values() if (spokesman := _spokesman(group))]

    def _learn(self, unknown: set[bytes]) -> None:
        if self._database is None or not unknown:
            return
        names = {PeerID(peer).to_base58(): peer for peer in unknown}
        with self._database.reading() as session:
            self._users |= {names[name]: user for name, user in users_of(session, names).items()}


def _spokesman(group: Sequence[ProgressRecord]) -> ProgressRecord | None:
    place = leading_place(group)
    there = [item for item in group if item.synchronised and not item.auxiliary]
    there = [item for item in there if (item.epoch, item.head) == place]
    return min(there, key=lambda item: item.paused, default=None)
