"""The peers' reports of their parameters at each epoch, to check a state that one of them gives."""

import threading
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from coordinator.peer_users import PeerUsers, UserOrPeer
from core.digest import sketch_distance
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.majority import believed_epoch, leading_place
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import VOICE

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
    voices: int = VOICE
    """Units of the voices that claim it together; one voice for a user."""
    state: bytes | None = None
    """Root of the pieces of parameters and optimizer state together."""

    @classmethod
    def of(cls, record: ProgressRecord) -> Self:
        voices = VOICE if record.counted_voices is None else record.counted_voices
        return cls(record.head, record.parameters, array("d", record.sketch), voices, record.state)

    def fits(self, place: Place, tolerance: float) -> bool:
        """Return true if it is that state, or the same on another kind of machine, whose last bits differ."""
        if self.head != place.head or self.parameters.hex() == place.digest:
            return self.head == place.head
        is_comparable = len(self.sketch) == len(place.sketch) > 0
        return is_comparable and sketch_distance(place.sketch, self.sketch) <= tolerance


class ReportedParameters:
    """The users' claims of the last epochs that each was at; one that changes its claim is counted for the newest.

    Each user's claims push out claims of its own alone, however many epochs it names. Where there are too many users,
    those that were away for the longest time are forgotten. Of a large swarm, the peers count that a summary has at
    each place: it tells no users apart.
    """

    def __init__(self, beginning: Beginning, users: PeerUsers, tolerance: float) -> None:
        """Compare claims by ``tolerance``, the largest relative difference between sketches (`SwarmRules`)."""
        self._beginning, self._peer_users, self._tolerance = beginning, users, tolerance
        self._claims: dict[UserOrPeer, dict[int, _ReportedState]] = {}
        """Claims by user and epoch, those that were made last at the end."""
        self._summarised: dict[int, dict[tuple[bytes, bytes], _ReportedState]] = {}
        """Claims of the peers in summaries, by epoch and place, those of the last summaries at the end."""
        self._believed: int | None = None
        """The epoch that the swarm had reached when trainers were last seen."""
        self._lock = threading.Lock()

    def see(self, records: Sequence[ProgressRecord]) -> None:
        """Note the digests that synchronised trainers report; raises DatabaseError if their users are unknown."""
        able = [item for item in records if item.synchronised and not item.auxiliary]
        users = self._peer_users.of(item.peer_id for item in able if not isinstance(item, Cohort))
        admitted = list(filter(self._beginning.admits, able))
        believed = believed_epoch(self._peer_users.one_per_user(admitted))
        with self._lock:
            self._believed = self._believed if believed is None else believed
            for record in admitted:
                if not isinstance(record, Cohort):
                    self._enter(users[record.peer_id], record)
            self._enter_summary([record for record in admitted if isinstance(record, Cohort)])

    def _enter(self, user: UserOrPeer, record: ProgressRecord) -> None:
        claims = self._claims.pop(user, {})
        claims.pop(record.epoch, None)
        claims[record.epoch] = _ReportedState.of(record)
        _keep_last(claims, _EPOCHS)
        self._claims[user] = claims
        _keep_last(self._claims, _MOST_USERS)

    def _enter_summary(self, cohorts: Sequence[Cohort]) -> None:
        """Note the voices at each place, the most that any summary has had there: in the end stragglers are left."""
        places = defaultdict[tuple[int, bytes, bytes], list[Cohort]](list)
        for cohort in cohorts:
            places[_place(cohort)].append(cohort)
        for (epoch, *place), there in places.items():
            states = self._summarised.pop(epoch, {})
            known = states.get((place[0], place[1]))
            voices = max(sum(item.voices for item in there), known.voices if known else 0)
            states[place[0], place[1]] = replace(_ReportedState.of(there[0]), voices=voices)
            self._summarised[epoch] = states
        _keep_last(self._summarised, _EPOCHS)

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
        behind = Counter[tuple[int, bytes, bytes]]()
        for place, _ in {(_place(item), users[item.peer_id]) for item in able if item.counted_voices is None}:
            behind[place] += VOICE
        for item in able:
            behind[_place(item)] += item.counted_voices or 0
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
            claims += self._summarised.get(place.epoch, {}).values()
        if not claims:
            return f"no peer said what the parameters are at epoch {place.epoch}"
        made = sum(claim.voices for claim in claims)
        behind = sum(claim.voices for claim in claims if claim.fits(place, self._tolerance))
        if 2 * behind >= made:
            return None
        return f"{round(behind / VOICE)} of {round(made / VOICE)} volunteers confirm it"

    def users_at(self, place: Place) -> frozenset[UserOrPeer]:
        """Return the users that claim to be, or to have been, at the epoch and head of ``place``."""
        return self._users_where(place, lambda claim: claim.head == place.head)

    def naming(self, place: Place) -> frozenset[UserOrPeer]:
        """Return the users that name the very state at ``place``, by its root."""
        return self._users_where(place, lambda claim: place.state is not None and claim.state == place.state)

    def fitting(self, place: Place) -> frozenset[UserOrPeer]:
        """Return the users whose claims of the parameters fit ``place``, by digest or public sketch."""
        return self._users_where(place, lambda claim: claim.fits(place, self._tolerance))

    def _users_where(self, place: Place, holds: Callable[[_ReportedState], bool]) -> frozenset[UserOrPeer]:
        with self._lock:
            claims = [
                (user, found[place.epoch]) for user, found in self._claims.items() if place.epoch in found
            ]
        return frozenset(user for user, claim in claims if holds(claim))


def _keep_last(entries: dict[Any, Any], count: int) -> None:
    """Remove the first of ``entries`` until at most ``count`` are left."""
    while len(entries) > count:
        del entries[next(iter(entries))]


def _place(record: ProgressRecord) -> tuple[int, bytes, bytes]:
    return record.epoch, record.head, record.parameters
