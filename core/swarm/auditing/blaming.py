"""Decides which peers are to blame for what a round lost."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from hivemind.p2p import PeerID

from core.swarm.aggregation.contributions import dense_of
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.plausibility import ComparedAggregate, ComparedPart, OwnReference
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import decode_received

_SEVERAL = 2
"""Peers that, failing together, rather tell of what they have in common."""


@dataclass(frozen=True)
class RoundLosses:
    """Losses of one member in a round that it took part in to the end, by the others that caused them."""

    reducers: frozenset[PeerID]
    """The other members that were to reduce parts."""
    senders: frozenset[PeerID]
    """The other members that were to send this one values; empty if it reduced nothing."""
    lost: frozenset[PeerID]
    """Reducers that did not return all of their parts."""
    refusing: frozenset[PeerID]
    """Reducers that said that they have no such group."""
    silent: frozenset[PeerID]
    """Senders that sent this member nothing."""
    leader: PeerID | None
    """Peer that announced the group; None if that was this member itself."""
    is_committed: bool = False
    """True if the aggregate of this group was committed: its reducers had it, and have ended the exchange since."""
    is_late: bool = False
    """True if most of the others may have given this member up, as they had begun long before it."""
    most_refuse: bool = False
    """True if reducers of most users, beside the leader's, said that they have no such group."""

    @classmethod
    def of(
        cls,
        reduction: AllReduce,
        leader: PeerID | None,
        *,
        is_committed: bool,
        is_late: bool = False,
        have_others_committed: bool = False,
    ) -> Self:
        """Return what was missed in an exchange.

        Args:
            reduction: the exchange, as this member took part in it.
            leader: the peer that announced its group; None if that was this member.
            is_committed: true if the aggregate of the group was committed.
            is_late: true if most of the others may have given this member up, as they had begun long before it.
            have_others_committed: true if another group's aggregate was: one that comes too late gives up without a
                word.
        """
        group, me = reduction.group, reduction.rank
        head = None if have_others_committed else reduction.silent_head
        senders = set(group.senders) - {me} if group.parts_of(me) else ()
        return cls(
            reducers=frozenset(group.members[owner] for owner in set(group.owners) - {me}),
            senders=frozenset(group.members[sender] for sender in senders),
            lost=reduction.lost_reducers | ({head} if head is not None else set()),
            refusing=reduction.refusing_reducers,
            silent=reduction.silent_senders,
            leader=leader,
            is_committed=is_committed,
            is_late=is_late,
            most_refuse=_most_refuse(reduction, leader),
        )


def faults_of(losses: RoundLosses) -> Mapping[PeerID, PeerFault]:
    """Return the peers that are to blame for ``losses``, each with one fault.

    Where all others failed, of which there are several, this member's own line or machine is the likelier cause, and
    no one is blamed. Nor is the other one of two peers: each line is as likely the cause, and they need each other.
    Where the reducers of most users know nothing of the group, they may have been announced another one, or say so to
    have the leader blamed: all of them are. Fewer are missing like those that are silent. Where the group's aggregate
    was committed, they knew the group: this member came too late if all refused it, and blames none. Nor
    does one that was late by itself blame any that refuse it or have sent nothing: they may have gone on without it.
    """
    faults: dict[PeerID, PeerFault] = {}
    if len(losses.reducers | losses.senders) < _SEVERAL:
        return faults
    lost, misled, silent = losses.lost, losses.refusing & losses.lost, losses.silent
    if losses.is_late:
        lost, misled, silent = lost - misled, frozenset(), frozenset()
    if losses.is_committed:
        lost -= misled if misled == losses.reducers else frozenset()
    elif losses.leader is not None and losses.most_refuse and len(misled - {losses.leader}) >= _SEVERAL:
        faults[losses.leader] = PeerFault.UNKNOWN_GROUP
    if not _are_all(silent, losses.senders):
        faults |= dict.fromkeys(silent, PeerFault.SILENT_SENDER)
    if not _are_all(losses.lost, losses.reducers):
        faults |= {
            peer: PeerFault.LOST_PARTS for peer in lost if faults.get(peer) is not PeerFault.UNKNOWN_GROUP
        }
    return faults


def _most_refuse(reduction: AllReduce, leader: PeerID | None) -> bool:
    group = reduction.group
    others = {at for at in set(group.owners) - {reduction.rank} if group.members[at] != leader}
    refusing = {at for at in others if group.members[at] in reduction.refusing_reducers}
    users, all_users = (set(map(group.user_of_member, each)) for each in (refusing, others))
    return 2 * len(users) > len(all_users)


def equivocating(
    reducers: Sequence[PeerID], returned: Sequence[ReducedPart | None], committed: Mapping[int, ReducedPart]
) -> frozenset[PeerID]:
    """Return the reducers that gave this member another aggregate than the one its group committed.

    A reducer encodes each aggregate once, and sends the same bytes to all. An audit of the committed part would find
    it sound.

    Args:
        reducers: the reducer of each part.
        returned: the parts as they came in the exchange, None for each that did not.
        committed: the committed parts by their indices; empty where another group's were committed.
    """
    return frozenset(
        reducers[index]
        for index, due in committed.items()
        # the same object in most rounds: digests of all parts would take long
        if (part := returned[index]) is not None and part is not due and part.digest != due.digest
    )


def opposing(witness: RoundWitness, reference: OwnReference, me: PeerID) -> frozenset[PeerID]:
    """Return the senders that turned an aggregate to which this member objects: it has no other proof than its own.

    They sent the opposite of what it sent itself, or far more, as far as it reduced their values. Where all others
    did, and there are several, this member is the odd one, and no one is blamed.

    Args:
        witness: has what was sent to this member in the round.
        reference: this member's own contributions, that to the round among them.
        me: id of this member.
    """
    group = witness.group
    others = {group.sender(at): at for at in range(len(group.senders)) if group.sender(at) != me}
    found = {peer for peer, at in others.items() if _opposes(witness, at, reference)}
    return frozenset() if _are_all(found, others) else frozenset(found)


def _opposes(witness: RoundWitness, sender: int, reference: OwnReference) -> bool:
    sent = ((part, witness.received.message(index, sender)) for index, part in enumerate(reference.parts))
    found = ComparedAggregate.of(
        ComparedPart.of(
            dense_of(decode_received(message.tensor_part, part.encoding, part.values)),
            part.gather(reference.inputs),
        )
        for part, message in sent
        if message is not None
    )
    return reference.is_opposed(found) or reference.is_too_long(found)


def _are_all(failed: Collection[PeerID], others: Collection[PeerID]) -> bool:
    return len(others) >= _SEVERAL and len(failed) == len(others)
