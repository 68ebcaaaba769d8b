"""The peers' reports of their parameters at each epoch, to check a state that one of them gives."""

from array import array
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from coordinator.peer_users import PeerUsers, UserOrPeer
from core.digest import sketch_distance
from core.swarm.membership.agreement import leading_place
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.wire.records import ProgressRecord

_EPOCHS = 64
_MOST_USERS = 4096
"""Largest number of users whose claims are remembered for an epoch."""


@dataclass(frozen=True)
class _Claim:
    """The state that a peer claims to have."""

    head: bytes
    parameters: bytes
    """Digest of the parameters."""
    sketch: "array[float]"

    @classmethod
    def of(cls, record: ProgressRecord) -> Self:
        return cls(record.head, record.parameters, array("d", record.sketch))

    def fits(self, place: Place, tolerance: float) -> bool:
        """Return true if it is that state, or the same on another kind of machine, whose last bits differ."""
        if self.head != place.head or self.parameters.hex() == place.digest:
            return self.head == place.head
        is_comparable = len(self.sketch) == len(place.sketch) > 0
        return is_comparable and sketch_distance(place.sketch, self.sketch) <= tolerance


class ReportedParameters:
    """The claims of the last epochs, one for each user; one that changes its claim is counted for the newest."""

    def __init__(self, beginning: Beginning, users: PeerUsers, tolerance: float) -> None:
        """Compare claims by ``tolerance``, the largest relative difference between sketches (`SwarmRules`)."""
        self._beginning, self._peer_users, self._tolerance = beginning, users, tolerance
        self._epochs: OrderedDict[int, dict[UserOrPeer, _Claim]] = OrderedDict()

    def see(self, records: Sequence[ProgressRecord]) -> None:
        """Take in what trainers that stand behind their epoch say now; DatabaseError if it is not told whose."""
        able = [item for item in records if item.synchronised and not item.auxiliary]
        users = self._peer_users.of(item.peer_id for item in able)
        for record in filter(self._beginning.admits, able):
            claims, user = self._epochs.setdefault(record.epoch, {}), users[record.peer_id]
            if len(claims) < _MOST_USERS or user in claims:
                claims[user] = _Claim.of(record)
        for epoch in sorted(self._epochs)[:-_EPOCHS]:
            del self._epochs[epoch]

    def leading(self, records: Sequence[ProgressRecord]) -> int | None:
        """Return the epoch at which trainers stand now; None while no trainer stands at one."""
        place = leading_place(self._peer_users.one_per_user(records))
        return place[0] if place else None

    def donors(self, records: Sequence[ProgressRecord]) -> list[bytes]:
        """Find the donors of the newest state that most peers have; best first, one of each user."""
        able = [
            item
            for item in records
            if item.synchronised and item.can_be_asked and not (item.auxiliary or item.paused)
        ]
        able = list(filter(self._beginning.admits, able))
        users = self._peer_users.of(item.peer_id for item in able)
        behind = Counter(place for place, _ in {(_place(item), users[item.peer_id]) for item in able})
        ranked = sorted(able, key=lambda item: -behind[_place(item)])
        best = {users[item.peer_id]: item.peer_id for item in reversed(ranked)}
        return [item.peer_id for item in ranked if best[users[item.peer_id]] == item.peer_id]

    def refusal(self, place: Place) -> str | None:
        """Explain how a state differs from volunteers' reports of its epoch; None if half of them agree."""
        claims = self._epochs.get(place.epoch)
        if not claims:
            return f"no peer said what the parameters are at epoch {place.epoch}"
        behind = sum(claim.fits(place, self._tolerance) for claim in claims.values())
        return None if 2 * behind >= len(claims) else f"{behind} of {len(claims)} volunteers confirm it"


def _place(record: ProgressRecord) -> tuple[int, bytes, bytes]:
    return record.epoch, record.head, record.parameters
