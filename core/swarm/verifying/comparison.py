"""Judges whether a state is the swarm's, by what several users' peers hold at its place: pure functions.

The root of a state's pieces names every byte of it, but only peers on like processors share it: 8-bit moments are
rounded differently elsewhere. Projections by a secret seed tell such states from forged ones.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.projection import TensorSums, distances
from core.swarm.membership.majority import counts
from core.swarm.projections.sums import StateSums
from core.swarm.state.replica import Place
from core.swarm.state.state import PARAMETERS, StateSchema
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import Voter, voiced, voices_of, voter_of

MOST_WITNESSES = 16
"""Users that are asked: of a swarm of which 30 % lie, more than half of 16 do in 3 of 100 draws."""
_LEAST_AGAINST = 2
"""Users by whose word a state is dropped: a single one may be the liar."""
_TENSOR_FACTOR, _WHOLE_FACTOR = 10.0, 3.0
"""Multiples of the run's `sketch_tolerance` by which a tensor, and all parameters together, may differ.

Peers on unlike processors re-synchronise once their parameters together are further apart than that tolerance, and
single tensors then are up to five times as far (measured over 300 epochs).
"""


class StateTrust(StrEnum):
    """The trust in a state that this peer holds."""

    OWN = "own"  # no other peer gave it
    TAKEN = "taken"  # another peer gave it, and nothing confirms it yet
    CONFIRMED = "confirmed"  # as many users hold the same as do not, or more
    REFUSED = "refused"  # most users hold another state


@dataclass(frozen=True)
class StateWitnesses:
    """Users at the place of a state that were drawn to say whether it is the swarm's."""

    agreeing: frozenset[Voter] = frozenset()
    """Users whose records name the very same state, parameters and optimizer state alike."""
    asked: Mapping[bytes, Voter] = field(default_factory=dict)
    """Peers (their ids) of further users, one of each, that are to be asked."""


@dataclass(frozen=True)
class StateAnswers:
    """The outcome of a check: the users by what their answers say, and the number of those without one."""

    agreeing: frozenset[Voter] = frozenset()
    differing: frozenset[Voter] = frozenset()
    silent: int = 0
    """Number of users that gave no answer, or were at another place by then."""
    why: str = ""
    """The first difference, in words."""

    @property
    def trust(self) -> StateTrust:
        """The trust that follows; `StateTrust.TAKEN` where too few have answered."""
        against = len(self.differing)
        total = len(self.agreeing) + against + self.silent
        if against >= _LEAST_AGAINST and 2 * against > total:
            return StateTrust.REFUSED
        return StateTrust.CONFIRMED if total and 2 * len(self.agreeing) >= total else StateTrust.TAKEN


def witnesses_at(
    place: Place, others: Sequence[ProgressRecord], draws: random.Random, *, most: int = MOST_WITNESSES
) -> StateWitnesses:
    """Return users that hold a state at ``place``; none while less than half of the swarm's users have come there.

    At a place where the swarm is not yet, those that lie may be alone.

    Args:
        place: the place of the state.
        others: the records of the other peers.
        draws: draws the users, so that no one can foresee them.
        most: the largest number of users.
    """
    standing = [record for record in others if counts(record) and not record.paused]
    there = [record for record in standing if (record.epoch, record.head) == (place.epoch, place.head)]
    if place.state is None or 2 * voices_of(voiced(there)) < voices_of(voiced(standing)):
        return StateWitnesses()
    same = {voter_of(record, record.peer_id) for record in there if record.state == place.state}
    peers: dict[Voter, list[bytes]] = {voter: [] for voter in same}
    for record in there:
        if (voter := voter_of(record, record.peer_id)) in same or record.can_be_asked:
            peers.setdefault(voter, []).append(record.peer_id)
    drawn = draws.sample(sorted(peers, key=str), min(most, len(peers)))
    return StateWitnesses(
        frozenset(voter for voter in drawn if voter in same),
        {draws.choice(peers[voter]): voter for voter in drawn if voter not in same},
    )


def compared(
    own: StateSums,
    answers: Mapping[bytes, StateSums],
    witnesses: StateWitnesses,
    schema: StateSchema,
    tolerance: float,
) -> StateAnswers:
    """Return what the ``answers`` of ``witnesses`` say of the state with the sums ``own``.

    Args:
        own: the verifier's own sums.
        answers: the answers by the ids of the peers that gave them.
        witnesses: the users that were asked, and those that need not be.
        schema: the tensors of a state.
        tolerance: the run's `sketch_tolerance`.
    """
    assert own.sums is not None
    agreeing, differing, why = set(witnesses.agreeing), set[Voter](), ""
    for peer, voter in witnesses.asked.items():
        answer = answers.get(peer)
        if answer is None or answer.sums is None or not answer.is_at(own.epoch, own.head):
            continue
        if found := difference(own.sums, answer.sums, schema, tolerance):
            differing.add(voter)
            why = why or found
        else:
            agreeing.add(voter)
    silent = len(witnesses.agreeing) + len(witnesses.asked) - len(agreeing) - len(differing)
    return StateAnswers(frozenset(agreeing), frozenset(differing), silent, why)


def difference(sums: TensorSums, reference: TensorSums, schema: StateSchema, tolerance: float) -> str | None:
    """Return how two states differ by their sums, in words; None if they are alike on any processors.

    Args:
        sums: sums of the one state.
        reference: sums of the other one, by the same seed.
        schema: the tensors of a state.
        tolerance: the run's `sketch_tolerance`.
    """
    if sums.shape != reference.shape or len(schema) != len(reference):
        return "it has other tensors"
    for item, apart in zip(schema, distances(sums, reference), strict=True):
        if apart > _TENSOR_FACTOR * tolerance:
            return f"{item.name} differs by {apart:.1e}, relatively"
    kept = [index for index, item in enumerate(schema) if item.name.startswith(PARAMETERS)]
    if not kept:
        return None
    apart = distances(sums[kept].reshape(1, -1), reference[kept].reshape(1, -1))[0]
    if apart > _WHOLE_FACTOR * tolerance:
        return f"the parameters together differ by {apart:.1e}, relatively"
    return None
