"""Predicts what a peer passes in an epoch, on the wire and with all that is beside the exchange: pure functions."""

from dataclasses import dataclass

from core.memory.missed_rounds import rounds_in_place_of_state
from core.run.control_traffic import OVERHEAD, ControlTraffic, control_traffic, keeper_traffic
from core.run.describe import bytes_of_round, bytes_of_state, bytes_of_update
from core.run.rules import TrainingRules

_GROUPS_BELOW = 2
"""Most groups whose means a reducer takes, in the binary trees of groups (`core.swarm.rounds.combination`)."""


def most_rounds_fetched(training: TrainingRules) -> int:
    """Return the number of missed rounds up to which a peer of ``training`` fetches them, and not a state."""
    return rounds_in_place_of_state(bytes_of_state(training), bytes_of_round(training).aggregates)


@dataclass(frozen=True)
class EpochTraffic:
    """Bytes that a peer passes in an epoch."""

    up: float
    """Bytes that the peer sends."""
    down: float
    """Bytes that the peer receives."""

    @property
    def most(self) -> float:
        """Bytes of the way that has more of them."""
        return max(self.up, self.down)


def traffic_of_caller(training: TrainingRules, epoch_seconds: float, peers: int) -> EpochTraffic:
    """Return the traffic of a peer that others can't connect to: it sends its values and gets all aggregates.

    Args:
        training: rules of the run.
        epoch_seconds: seconds from one update to the next.
        peers: number of peers in the swarm, this one included.
    """
    size = bytes_of_round(training)
    return _on_wire(size.values, size.aggregates, control_traffic(epoch_seconds, peers))


def traffic_of_equals(training: TrainingRules, epoch_seconds: float, peers: int) -> EpochTraffic:
    """Return the traffic of a peer of a swarm in which all share the reducing alike, as the paper's do.

    It passes about twice as much of the exchange as one that others can't connect to.

    Args:
        training: rules of the run.
        epoch_seconds: seconds from one update to the next.
        peers: number of peers in the swarm, this one included.
    """
    exchanged = (peers - 1) / peers * bytes_of_update(training)
    return _on_wire(exchanged, exchanged, control_traffic(epoch_seconds, peers))


def most_traffic(training: TrainingRules, epoch_seconds: float, peers: int) -> EpochTraffic:
    """Return the most traffic of a peer that others can connect to, without the states that it gives to newcomers.

    That is if no other does more than keep records: it gets the values of the whole group, and sends each member the
    aggregates. Where values and aggregates take as much, its exchange is half as many times that of
    `traffic_of_equals` as the group has members. In a swarm of several groups that combine, it passes the means of at
    most three groups as well.

    Args:
        training: rules of the run.
        epoch_seconds: seconds from one update to the next.
        peers: number of peers in the swarm, this one included.
    """
    size, others = bytes_of_round(training), min(peers, training.swarm.group_size) - 1
    sent, received = max(size.values, size.aggregates * others), max(size.aggregates, size.values * others)
    if training.swarm.most_groups > 1 and peers > training.swarm.group_size:
        sent += size.partials + _GROUPS_BELOW * size.aggregates
        received += _GROUPS_BELOW * size.partials + size.aggregates
    return _on_wire(sent, received, keeper_traffic(epoch_seconds, peers))


def _on_wire(sent: float, received: float, beside: ControlTraffic) -> EpochTraffic:
    return EpochTraffic(up=OVERHEAD * sent + beside.up, down=OVERHEAD * received + beside.down)
