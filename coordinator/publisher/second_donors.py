"""Nothing leaves under the organiser's name by the word of one volunteer: a second one must hold the same state."""

import secrets
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from coordinator.peer_users import PeerUsers, UserOrPeer
from coordinator.publisher.reported_parameters import ReportedParameters
from core.projection import SEED_BYTES, projected
from core.swarm.membership.majority import counts
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState, schema_of
from core.swarm.verifying.comparison import difference
from core.swarm.wire.records import ProgressRecord

_MOST_ASKED = 16
"""Largest number of users that are asked about one state."""
_LEAST = 2
"""Users that must hold the same state, where several users are at its place."""


class AskSums(Protocol):
    """The way to ask several peers for projections of their states."""

    def __call__(self, peers: Sequence[bytes], question: SumsQuestion) -> Mapping[bytes, StateSums]:
        """Return the answers of those ``peers`` (ids) that gave one; SwarmError if none can be asked."""


@dataclass(frozen=True)
class SeededAnswers:
    """The users' answers about a state, by a seed that was drawn when it was fixed."""

    seed: bytes
    sums: Mapping[UserOrPeer, StateSums]
    """Answers by user; only of those that are at the place."""
    asked: frozenset[UserOrPeer]
    """Users that were asked."""
    able: frozenset[UserOrPeer]
    """Users of whom a peer can be asked, wherever it is."""


class SecondDonors:
    """The users who can say whether a state is the swarm's, parameters and optimizer state alike."""

    def __init__(
        self,
        reported: ReportedParameters,
        users: PeerUsers,
        records: Callable[[], Sequence[ProgressRecord]],
        ask: AskSums,
        tolerance: float,
    ) -> None:
        """Ask peers of several users.

        Args:
            reported: the users' claims, from which it is known which of them named which state.
            users: the users of peers.
            records: gives the records of the other peers.
            ask: asks peers for projections.
            tolerance: the run's `sketch_tolerance`.
        """
        self._reported, self._users, self._records = reported, users, records
        self._ask, self._tolerance = ask, tolerance

    def user_of(self, peer: bytes) -> UserOrPeer:
        """Return the user of ``peer`` (its id)."""
        return self._users.of([peer])[peer]

    def ask(self, epoch: int, head: bytes) -> SeededAnswers:
        """Ask one peer of each user at a place, of which a state is fixed: its root is known, or it is held.

        Until then the seed must not be known, or a state could be made to fit it.
        """
        able = [record for record in self._records() if counts(record) and record.can_be_asked]
        users = self._users.of(record.peer_id for record in able)
        found = {
            users[record.peer_id]: record.peer_id
            for record in able
            if not record.paused and (record.epoch, record.head) == (epoch, head)
        }
        peers = dict(islice(found.items(), _MOST_ASKED))
        question = SumsQuestion(epoch, head, secrets.token_bytes(SEED_BYTES))
        given = self._ask(list(peers.values()), question) if peers else {}
        sums = {
            user: given[peer]
            for user, peer in peers.items()
            if peer in given and given[peer].sums is not None and given[peer].is_at(epoch, head)
        }
        return SeededAnswers(question.seed, sums, frozenset(peers), frozenset(users.values()))

    def shortfall(self, place: Place, answers: SeededAnswers, giver: UserOrPeer) -> str | None:
        """Explain why a state at ``place`` cannot be known to be the swarm's, whatever its bytes; None if it can.

        It cannot where nobody but its ``giver`` has given ``answers`` or names its root, though others could.
        """
        return self._too_few(self._reported.naming(place) | answers.sums.keys() | {giver}, place, answers)

    def objection(
        self, state: SwarmState, place: Place, answers: SeededAnswers, giver: UserOrPeer | None
    ) -> str | None:
        """Explain why ``state`` must not leave under the organiser's name; None if enough users hold the same.

        Of two users at its place both must; of more at least two, and more than hold another one. Users whose records
        name the very same state count without a question. Of users that accept no connections, the public sketch
        counts where the coordinator has made the state itself; else one who gives it is alone among them.

        Args:
            state: the state.
            place: its place, with its fingerprints.
            answers: what the users said of it.
            giver: the user that gave it; None if it is the coordinator's own.
        """
        naming = self._reported.naming(place)
        agreeing = naming | (self._reported.fitting(place) - answers.asked if giver is None else {giver})
        differing, why = set[UserOrPeer](), ""
        sums, schema = projected(state.tensors, answers.seed), schema_of(state.tensors)
        for user, answer in answers.sums.items():
            assert answer.sums is not None
            if user in naming:
                continue
            if found := difference(sums, answer.sums, schema, self._tolerance):
                differing.add(user)
                why = why or found
            else:
                agreeing |= {user}
        agreeing -= differing - {giver}
        if differing and len(differing) >= len(agreeing):
            return (
                f"of the volunteers {len(differing)} hold another state, and {len(agreeing)} this one: {why}"
            )
        return self._too_few(agreeing, place, answers)

    def _too_few(self, agreeing: Set[UserOrPeer], place: Place, answers: SeededAnswers) -> str | None:
        """Explain why the ``agreeing`` users are too few for a state at ``place``; None if they are enough."""
        known = (self._reported.users_at(place) & answers.able) | agreeing
        if len(agreeing) < min(_LEAST, len(known)):
            return f"{len(agreeing)} of {len(known)} volunteers are known to hold it, and two are needed"
        return None
