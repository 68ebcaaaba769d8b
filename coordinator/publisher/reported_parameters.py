"""The peers' reports of their parameters at each epoch, to check a state that one of them gives."""

import threading
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from coordinator.peer_users import PeerUsers, UserOrPeer
from core.digest import sketch_distance
from core.swarm.membership.agreement import believed_epoch, leading_place
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.wire.records import ProgressRecord

_EPOCHS = 64
"""Epochs for which a user's claims are remembered."""
_MOST_USERS = 4096
"""Largest number of users whose claims are remembered."""


@dataclass(frozen=True)
class _ReportedState:
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
    """The users' claims of the last epochs that each was at; one that changes its claim is counted for the newest.

    Each user's claims push out claims of its own alone, however many epochs it names. Where there are too many users,
    those that were away for the longest time are forgotten.
    """

    def __init__(self, beginning: Beginning, users: PeerUsers, tolerance: float) -> None:
        """Compare claims by ``tolerance``, the largest relative difference between sketches (`SwarmRules`)."""
        self._beginning, self._peer_users, self._tolerance = beginning, users, tolerance
        self._claims: dict[UserOrPeer, dict[int, _ReportedState]] = {}
        """Claims by user and epoch, those that were made last at the end."""
        self._believed: int | None = None
        """The epoch that the swarm had reached when trainers were last seen."""
        self._lock = threading.Lock()

    def see(self, records: Sequence[ProgressRecord]) -> None:
        """Note the digests that synchronised trainers report; raises DatabaseError if their users are unknown."""
        able = [item for item in records if item.synchronised and not item.auxiliary]
        users = self._peer_users.of(item.peer_id for item in able)
        admitted = list(filter(self._beginning.admits, able))
        believed = believed_epoch(self._peer_users.one_per_user(admitted))
        with self._lock:
            self._believed = self._believed if believed is None else believed
            for record in admitted:
                self._enter(users[record.peer_id], record)

    def _enter(self, user: UserOrPeer, record: ProgressRecord) -> None:
        claims = self._claims.pop(user, {})
        claims.pop(record.epoch, None)
        claims[record.epoch] = _ReportedState.of(record)
        _keep_last(claims, _EPOCHS)
        self._claims[user] = claims
        _keep_last(self._claims, _MOST_USERS)

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
        """Explain why a state that a peer gave is not the swarm's; None if it is.

        One of an epoch that the swarm has not reached is never believed: only those that made it up
        are there.
        """
        believed = self._believed
        if believed is not None and place.epoch > believed + 1:
            return (
                f"the swarm is at epoch {believed}, by the word of several volunteers where there are several"
            )
        return self.objection(place)

    def objection(self, place: Place) -> str | None:
        """Explain how a state differs from volunteers' reports of its epoch; None if half of them agree."""
        with self._lock:
            claims = [found[place.epoch] for found in self._claims.values() if place.epoch in found]
        if not claims:
            return f"no peer said what the parameters are at epoch {place.epoch}"
        behind = sum(claim.fits(place, self._tolerance) for claim in claims)
        return None if 2 * behind >= len(claims) else f"{behind} of {len(claims)} volunteers confirm it"


def _keep_last(entries: dict[Any, Any], count: int) -> None:
    """Remove the first of ``entries`` until at most ``count`` are left."""
    while len(entries) > count:
        del entries[next(iter(entries))]


def _place(record: ProgressRecord) -> tuple[int, bytes, bytes]:
    return record.epoch, record.head, record.parameters
