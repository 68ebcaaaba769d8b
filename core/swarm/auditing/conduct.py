"""Remembers the faults of the peers that this one met in rounds; works in the averager's process."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import chain, islice

from hivemind.p2p import PeerID

from core.swarm.auditing.backoff import (
    OF_USER,
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
"""Peers and users that are remembered: the least culpable are forgotten first."""


class PeerConducts:
    """The faults of peers, and what follows from them in the round under way."""

    def __init__(
        self,
        rules: BackOffRules = USUAL,
        *,
        user_of: Callable[[PeerID], str] = lambda peer: "",
        peers_of: Callable[[str], Iterable[PeerID]] = lambda user: (),
    ) -> None:
        """Remember nothing yet.

        Args:
            rules: say for how long a fault counts.
            user_of: gives the name of a peer's user; "" where that is not known, as in an open run.
            peers_of: gives the peers that are known of a user.
        """
        self._rules, self._round = rules, 0
        self._user_of, self._peers_of = user_of, peers_of
        self._conduct: OrderedDict[object, Conduct] = OrderedDict()
        """Faults by the peer, or by the name of the user with all its peers."""
        self._met: dict[str, OrderedDict[PeerID, None]] = {}
        """The peers of each such user that were met at fault, the last one at the end."""

    def begin_round(self) -> None:
        """Count a round; what is forgiven by then is forgotten."""
        self._round += 1
        for peer, conduct in list(self._conduct.items()):
            if not forgiven(conduct, self._round, self._rules).strikes:
                self._forget(peer)

    def blame(self, peer: PeerID, fault: PeerFault) -> None:
        """Note a ``fault`` of ``peer`` in the present round, and log what follows.

        What is no accident is a fault of its user, and excludes all peers of that one.
        """
        culprit = (self._user_of(peer) or peer) if fault in OF_USER else peer
        conduct = after_fault(self._conduct.get(culprit, Conduct()), fault, self._round, self._rules)
        self._conduct[culprit] = conduct
        if isinstance(culprit, str):
            met = self._met.setdefault(culprit, OrderedDict())
            met[peer] = None
            met.move_to_end(peer)
        if len(self._conduct) > MOST_PEERS:
            self._forget(min(self._conduct, key=lambda item: (self._conduct[item].strikes, str(item))))
        out_of_groups = exclusion(conduct, self._round, self._rules) is Exclusion.GROUPS
        _log.warning(
            "Peer %s%s %s (%d strikes): %s in the next %d rounds.",
            peer,
            f" of user {culprit}" if isinstance(culprit, str) else "",
            fault.value,
            conduct.strikes,
            "this peer forms no group with it" if out_of_groups else "this peer asks that it reduces nothing",
            conduct.until - self._round - 1,
        )

    @property
    def refused(self) -> tuple[PeerID, ...]:
        """Peers that this one asks its group not to let reduce, the worst first."""
        culprits = self._excluded(Exclusion.REDUCING)
        met = chain.from_iterable(self._met_of(culprit) for culprit in culprits)
        others = chain.from_iterable(self._known_of(culprit) for culprit in culprits)
        return tuple(islice(dict.fromkeys(chain(met, others)), MOST_REFUSED))

    def avoided(self, others: int) -> frozenset[PeerID]:
        """Return the peers with which this one forms no group, where that many ``others`` are expected in it.

        They are the worst ones, and fewer than the others: there is always one left to form a group with. A user
        counts as one of them, with all its peers: it could name any number that are not there.
        """
        worst = self._excluded(Exclusion.GROUPS)[: max(0, others - 1)]
        named = (chain(self._met_of(culprit), self._known_of(culprit)) for culprit in worst)
        return frozenset(chain.from_iterable(named))

    def _excluded(self, least: Exclusion) -> list[object]:
        """Return the peers and users that are excluded from as much as ``least``, or more, the worst first."""
        ranked = sorted(self._conduct, key=lambda item: (-self._conduct[item].strikes, str(item)))
        return [item for item in ranked if exclusion(self._conduct[item], self._round, self._rules) >= least]

    def _met_of(self, culprit: object) -> Iterable[PeerID]:
        return reversed(self._met[culprit]) if isinstance(culprit, str) else [culprit]

    def _known_of(self, culprit: object) -> Iterable[PeerID]:
        return self._peers_of(culprit) if isinstance(culprit, str) else ()

    def _forget(self, culprit: object) -> None:
        del self._conduct[culprit]
        if isinstance(culprit, str):
            self._met.pop(culprit, None)
