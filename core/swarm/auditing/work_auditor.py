"""One peer's audits of what others computed: whom it audits, and what follows; works in the averager's process.

The trainer recomputes, since it has the model. What follows is this peer's own: it forms no group with a peer whose
work it found false, and asks the others to look. Nobody has to believe it, and the parameters at which it looked
are gone: so others audit the accused in their next rounds.
"""

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.failure_series import in_words
from core.swarm.auditing.account import ContributionWithheld
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.conduct import MOST_PEERS, PeerConducts
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.trust import NEWCOMER, TrustInUser, WorkVerdict, after_audit
from core.swarm.auditing.work_draw import WorkDraw
from core.swarm.rounds.group import Group
from core.swarm.wire.streams import PeerLost, messages

_log = logging.getLogger(__name__)

_SUSPICION_ROUNDS = 32
"""Rounds in which a user may accuse others once, and for which an accusation counts: it costs audits.

Useless drifts are counted apart from false work, so that who told of a doubt can still tell of what is worse.
"""
_USELESS_DRIFT = b"useless drift"
"""Name of a group in a suspicion of a drift, and no more than that."""
_SILENCE_SECONDS = 10.0
_FOREIGN_PARTS = 2
"""Parts of a sample that other peers reduced."""
UNNAMED_ROUNDS = 8
"""Rounds in a row without rows after which a peer is to blame for that."""
_drawn = SystemRandom()

ContributionOf = Callable[[bytes, int, int], Awaitable[averaging_pb2.AveragingData | None]]
"""Asks a reducer what a sender sent it: by the id of the group, the sender's position, and the index of the part.

It returns None where that cannot be had, and raises ContributionWithheld if the reducer shows nothing.
"""


@dataclass(frozen=True)
class WorkSample:
    """The values that a peer sent in a committed round, as far as this one reduced them."""

    peer: bytes
    """Id of the peer."""
    epoch: int
    head: bytes
    """Root of the commit at which the epoch began."""
    weight: float
    """Samples that the peer claims."""
    rows: RowClaim
    """The rows that it names."""
    parts: Mapping[int, bytes]
    """Encoded values by the indices of parts, as packed runtime tensors."""
    foreign: Mapping[int, bytes] = field(default_factory=dict)
    """Encoded values of parts that others reduced, by their indices: a peer may send its friends something else."""
    contradiction: str = ""
    """Contradiction of this sample with what the peer signed for another reducer, in words after "it", or empty."""
    is_withheld: bool = False
    """True if none of the others that were asked showed what the peer had sent them."""

    @property
    def name(self) -> str:
        """The id of the peer in base58, from which its order of the data is drawn."""
        return str(PeerID(self.peer).to_base58())


class WorkAuditor:
    """Chooses samples of others' work, and remembers how far each user's work was found sound."""

    def __init__(
        self,
        peer_id: PeerID,
        conducts: PeerConducts,
        stub_of: Callable[[PeerID], Any],
        most_parts: int | None,
        on_suspicion: Callable[[bool], None] = lambda suspected: None,
        contribution_of: ContributionOf | None = None,
    ) -> None:
        """Trust nobody yet.

        Args:
            peer_id: id of this peer.
            conducts: remembers what is found.
            stub_of: gives the RPC stub of a peer.
            most_parts: parts that a sample has at most; None: all that this peer reduced.
            on_suspicion: called with true while a peer is accused by others, and not found sound since.
            contribution_of: asks another reducer what a sender sent it; None if samples hold own parts alone.
        """
        self._me, self._conducts, self._stub_of = peer_id, conducts, stub_of
        self._most_parts, self._on_suspicion = most_parts, on_suspicion
        self._contribution_of = contribution_of
        self._witness: RoundWitness | None = None
        self._trust: OrderedDict[object, TrustInUser] = OrderedDict()
        self._users: dict[PeerID, object] = {}
        """User of the peer whose work was sampled last: its group may be gone when that is judged."""
        self._accusers: dict[tuple[object, bool], int] = {}
        """Number of the round in which each user accused another one last, of false work or of a useless drift."""
        self._round = 0
        self._unnamed: dict[PeerID, int] = {}
        """Rounds in a row in which a peer named no rows."""

    def note(self, witness: RoundWitness) -> None:
        """Note a round that was committed, of which ``witness`` has what was sent to this peer."""
        self._witness = witness
        self._round += 1
        self._note_unnamed(witness)
        for user, trust in list(self._trust.items()):
            if trust.accused_in is not None and trust.accused_in <= self._round - _SUSPICION_ROUNDS:
                self._trust[user] = replace(trust, accused_in=None)
        self._tell_suspicion()

    def _note_unnamed(self, witness: RoundWitness) -> None:
        """Blame peers that name no rows round after round: nobody could audit what they send.

        A peer that was started again names none once.
        """
        group, held = witness.group, self._held(witness)
        for at in {at for index in held for at in witness.received.senders(index)}:
            peer = group.sender(at)
            if peer == self._me or witness.claim_of(at).rows:
                self._unnamed.pop(peer, None)
                continue
            self._unnamed[peer] = self._unnamed.pop(peer, 0) + 1
            if self._unnamed[peer] >= UNNAMED_ROUNDS:
                del self._unnamed[peer]
                self._conducts.blame(peer, PeerFault.NO_ROWS)
        while len(self._unnamed) > MOST_PEERS:
            del self._unnamed[next(iter(self._unnamed))]

    async def sample(
        self, draw: WorkDraw, epoch: int, head: bytes, own_weight: float, most_rows: float = math.inf
    ) -> WorkSample | None:
        """Return a sample of the work that a drawn peer sent in the last round; None if there is none to audit.

        It has some parts that other peers reduced. Else a peer would send true gradients to honest reducers, and
        others to those that it knows.

        Args:
            draw: this peer's draw for the ``head``.
            epoch: epoch of the round, at which its work was computed.
            head: root of the commit at which the epoch began.
            own_weight: samples that this peer computed for it.
            most_rows: rows from which on work is more than this peer can audit; it is drawn only if all is.
        """
        found = self._choose(draw, epoch, head, own_weight, most_rows)
        witness = self._witness
        if found is None or witness is None or self._contribution_of is None:
            return found
        position = witness.group.position_of(PeerID(found.peer))
        assert position is not None, "it was chosen among the senders"
        foreign: dict[int, bytes] = {}
        withheld = 0
        for index in self._foreign(witness.group, position):
            try:
                message = await self._contribution_of(witness.group.id, position, index)
            except ContributionWithheld:
                withheld += 1
                continue
            if message is None:
                continue
            foreign[index] = message.tensor_part.SerializeToString()
            if (message.weight, witness.rows_in(message)) != (found.weight, found.rows):
                found = replace(found, contradiction="told another reducer of other rows or samples.")
            if len(foreign) == _FOREIGN_PARTS:
                break
        return replace(found, foreign=foreign, is_withheld=withheld > 0 and not foreign)

    def _foreign(self, group: Group, sender: int) -> list[int]:
        """Draw parts that others reduced, each of another peer, so that nobody foresees which.

        Those that the ``sender`` and its user's peers reduced prove nothing: it may sign for them what it likes.
        """
        me, values, own = group.members.index(self._me), len(group.owners) - 1, group.user_of(sender)
        owners = [
            owner for owner in sorted(set(group.owners[:values]) - {me}) if group.user_of_member(owner) != own
        ]
        drawn = _drawn.sample(owners, min(2 * _FOREIGN_PARTS, len(owners)))
        return [
            _drawn.choice([index for index in group.parts_of(owner) if index < values]) for owner in drawn
        ]

    def _choose(
        self, draw: WorkDraw, epoch: int, head: bytes, own_weight: float, most_rows: float
    ) -> WorkSample | None:
        """Return a sample of the parts that this peer reduced, of a drawn peer."""
        witness = self._witness
        if witness is None or (witness.epoch, witness.parent) != (epoch, head):
            return None
        group = witness.group
        held = [index for index in self._held(witness) if index < len(group.owners) - 1]
        senders = {at for index in held for at in witness.received.senders(index)}
        others = {at for at in senders if group.sender(at) != self._me}
        small = {at for at in others if 0 < witness.claim_of(at).rows < most_rows}
        needs = {at: self.trust_in(group, at).need for at in small or others}
        chosen = draw.chosen(group.id, needs)
        if chosen is None:
            return None
        self._users = {group.sender(chosen): group.user_of(chosen)}
        sample = self._sample(witness, chosen, held)
        return sample if draw.affords(group.id, own_weight, float(sample.rows.rows)) else None

    def trust_in(self, group: Group, position: int) -> TrustInUser:
        """Return the trust in the user of the sender at ``position`` in ``group``."""
        return self._trust.get(group.user_of(position), NEWCOMER)

    def _held(self, witness: RoundWitness) -> tuple[int, ...]:
        return witness.group.parts_of(witness.group.members.index(self._me))

    def _sample(self, witness: RoundWitness, sender: int, held: list[int]) -> WorkSample:
        spread = held[:: max(1, len(held) // self._most_parts)] if self._most_parts else held
        found = ((index, witness.received.message(index, sender)) for index in spread)
        sent = {index: message for index, message in found if message is not None}
        return WorkSample(
            witness.group.sender(sender).to_bytes(),
            witness.epoch,
            witness.parent,
            max((message.weight for message in sent.values()), default=0.0),
            witness.claim_of(sender),
            {index: message.tensor_part.SerializeToString() for index, message in sent.items()},
        )

    async def judge(self, peer: PeerID, verdict: WorkVerdict) -> None:
        """Draw the consequences of the ``verdict`` on the work of ``peer``, and tell the others of a suspicion."""
        group = self._witness.group if self._witness is not None else None
        user = self._users.get(peer, peer)
        trust = after_audit(self._trust.get(user, NEWCOMER), verdict)
        is_useless = verdict is WorkVerdict.USELESS
        self._keep(user, replace(trust, accused_in=self._round) if is_useless else trust)
        if verdict is WorkVerdict.FALSE:
            self._conducts.blame(peer, PeerFault.FALSE_WORK)
        elif not is_useless:
            return
        if group is not None:
            others = (item for at, item in enumerate(group.members) if at not in group.clients)
            about = averaging_pb2.AveragingData(
                peer_id=peer.to_bytes(), group_id=_USELESS_DRIFT if is_useless else b""
            )
            told = (item for item in others if item not in (self._me, peer))
            await asyncio.gather(*(self._tell(item, about) for item in told))

    def suspect(self, about: averaging_pb2.AveragingData, caller: PeerID) -> bool:
        """Suspect the peer that ``about`` names, as ``caller`` says; return false if it may not say so now."""
        accused, is_useless = PeerID(about.peer_id), about.group_id == _USELESS_DRIFT
        group = self._witness.group if self._witness is not None else None
        position = group.position_of(accused) if group is not None else None
        if group is None or position is None or caller not in group.members:
            return False
        accuser = group.members.index(caller)
        user = (group.users[accuser] if group.users else "") or caller
        recent = self._round - _SUSPICION_ROUNDS
        self._accusers = {one: at for one, at in self._accusers.items() if at > recent}
        if (user, is_useless) in self._accusers:
            return False
        self._accusers[user, is_useless] = self._round
        owner = group.user_of(position)
        self._keep(owner, replace(self._trust.get(owner, NEWCOMER), accused_in=self._round))
        _log.warning("Peer %s doubts the work of peer %s: it is audited soon.", caller, accused)
        return True

    def _keep(self, user: object, trust: TrustInUser) -> None:
        self._trust[user] = trust
        self._trust.move_to_end(user)
        while len(self._trust) > MOST_PEERS:
            self._trust.popitem(last=False)
        self._tell_suspicion()

    def _tell_suspicion(self) -> None:
        self._on_suspicion(any(item.accused_in is not None for item in self._trust.values()))

    async def _tell(self, member: PeerID, about: averaging_pb2.AveragingData) -> None:
        try:
            async for _ in messages(
                self._stub_of(member).rpc_suspect_work(about), silence_seconds=_SILENCE_SECONDS
            ):
                pass
        except PeerLost as error:
            _log.info("Peer %s was not told of suspicious work: %s", member, in_words(error))
