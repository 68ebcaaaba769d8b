"""A peer as a participant of the rounds of one run: what its averager is told."""

import dataclasses
from collections.abc import Sequence

import hivemind

from core.run.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.aggregation.rule import AggregationRule
from core.swarm.auditing.draw import USUAL_AUDITS, AuditRules
from core.swarm.rounds.events import Observer, unobserved
from core.swarm.rounds.partition import Part
from core.swarm.state.state_donor import StateDonor
from core.swarm.wire.identity import PeerIdentity


@dataclasses.dataclass(frozen=True)
class RoundParticipant:
    """A peer as a participant of the rounds of one run."""

    parts: Sequence[Part]
    """Parts into which all peers of the run cut their tensors, in order.

    The weight of the last one counts the epoch's samples.
    """
    dht: "hivemind.DHT"
    """Running DHT node of this peer."""
    identity: PeerIdentity
    """Identity under whose owner key this peer's commit records are stored."""
    prefix: str
    """DHT prefix of the run."""
    rules: SwarmRules
    """Bounds of the seconds of matchmaking and exchange, the size of a group, and the samples of a member."""
    client_mode: bool = False
    """True if the peer never accepts incoming connections: it neither reduces nor gives its state."""
    auxiliary: bool = False
    """True if the peer only reduces. Not possible in client mode."""
    bandwidth: float | None = None
    """Largest bandwidth that the group learns, in bytes a second; None leaves that to the caps of the line."""
    admission: Admission | None = None
    """Admission of this peer; None in an open run."""
    rule: AggregationRule | None = None
    """Combination of the contributions to each part that is reduced here; None for the run's own."""
    audits: AuditRules = USUAL_AUDITS
    """Share of the rounds' bytes that is spent on audits; the same for all peers of a run."""
    observe: Observer = unobserved
    """Receiver of each event of a round and its count there, called in the averager's process."""
    donor: StateDonor | None = None
    """Giver of this peer's state; None is one with the usual bounds."""
