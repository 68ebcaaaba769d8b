"""Remembers the faults of the peers that this one met in rounds; works in the averager's process."""

import logging
from collections import OrderedDict
from itertools import islice

from hivemind.p2p import PeerID

from core.swarm.auditing.backoff import (
    USUAL,
    BackOffRules,
    Conduct,
    Exclusion,
    PeerFault,
    after_fault,
    exclusion,
    forgiven,
)
from core.swarm.rounds.assignment import MOST_REFUSED

_log = logging.getLogger(__name__)

MOST_PEERS = 1024
"""Peers that are remembered: the least culpable are forgotten first."""


class PeerConducts:
    """The faults of peers, and what follows from them in the round under way."""

    def __init__(self, rules: BackOffRules = USUAL) -> None:
        """Remember nothing yet; ``rules`` say for how long a fault counts."""
        self._rules, self._round = rules, 0
        self._conduct: OrderedDict[PeerID, Conduct] = OrderedDict()

    def begin_round(self) -> None:
        """Count a round; what is forgiven by then is forgotten."""
        self._round += 1
        for peer, conduct in list(self._conduct.items()):
            if not forgiven(conduct, self._round, self._rules).strikes:
                del self._conduct[peer]

    def blame(self, peer: PeerID, fault: PeerFault) -> None:
        """Note a ``fault`` of ``peer`` in the present round, and log what follows."""
        conduct = after_fault(self._conduct.get(peer, Conduct()), fault, self._round, self._rules)
        self._conduct[peer] = conduct
        if len(self._conduct) > MOST_PEERS:
            least = min(self._conduct, key=lambda item: (self._conduct[item].strikes, item.to_bytes()))
            del self._conduct[least]
        out_of_groups = exclusion(conduct, self._round, self._rules) is Exclusion.GROUPS
        _log.warning(
            "Peer %s %s (%d strikes): %s in the next %d rounds.",
            peer,
            fault.value,
            conduct.strikes,
            "this peer forms no group with it" if out_of_groups else "this peer asks that it reduces nothing",
            conduct.until - self._round - 1,
        )

    @property
    def refused(self) -> tuple[PeerID, ...]:
        """Peers that this one asks its group not to let reduce, the worst first."""
        found = (peer for peer in self._ranked if self._excluded(peer) > Exclusion.NONE)
        return tuple(islice(found, MOST_REFUSED))

    def avoided(self, others: int) -> frozenset[PeerID]:
        """Return the peers with which this one forms no group, where that many ``others`` are expected in it.

        They are the worst ones, and fewer than the others: there is always one left to form a group with.
        """
        excluded = (peer for peer in self._ranked if self._excluded(peer) is Exclusion.GROUPS)
        return frozenset(islice(excluded, max(0, others - 1)))

    @property
    def _ranked(self) -> list[PeerID]:
        return sorted(self._conduct, key=lambda item: (-self._conduct[item].strikes, item.to_bytes()))

    def _excluded(self, peer: PeerID) -> Exclusion:
        return exclusion(self._conduct[peer], self._round, self._rules)
