"""The base of our averagers: every method that other peers can call is open to admitted peers alone."""

from collections.abc import Sequence
from typing import Any

from hivemind.averaging import DecentralizedAverager
from hivemind.p2p import P2P, PeerID

from core.swarm.admission.admission import Admission, AdmissionStatus
from core.swarm.admission.admitted_peers import AdmittedPeers, GuardedCalls
from core.swarm.admission.call_rates import CallRate
from core.swarm.admission.records import admissions_key
from core.swarm.rounds.round import RoundFailed

_RATES = {
    "rpc_fetch_committed": CallRate(per_second=4.0, at_once=64),
    "rpc_fetch_summary": CallRate(per_second=4.0, at_once=64),
    "rpc_fetch_contributors": CallRate(per_second=16.0, at_once=256),
    "rpc_fetch_frame": CallRate(per_second=1.0, at_once=16),
    "rpc_describe_state": CallRate(per_second=1.0, at_once=16),
    "rpc_fetch_pieces": CallRate(per_second=8.0, at_once=64),
    "rpc_project_state": CallRate(per_second=2.0, at_once=32),
    "rpc_join_group": CallRate(per_second=4.0, at_once=64),
    "rpc_aggregate_part": CallRate(per_second=4.0, at_once=64),
    "rpc_follow_head": CallRate(per_second=4.0, at_once=64),
    "rpc_combine_parts": CallRate(per_second=4.0, at_once=64),
    "rpc_describe_group": CallRate(per_second=4.0, at_once=64),
    "rpc_fetch_account": CallRate(per_second=4.0, at_once=32),
    "rpc_report_finding": CallRate(per_second=1.0, at_once=16),
    "rpc_suspect_work": CallRate(per_second=1.0, at_once=16),
}
"""Calls that a peer may make: far more than one that computes has reason to, and few enough to serve."""


class AdmittingAverager(DecentralizedAverager):
    """An averager that answers admitted peers only; with ``admission`` None the run is open, and it answers all."""

    def __init__(self, *, admission: Admission | None, **options: Any) -> None:
        super().__init__(**options)
        self.admission = admission
        self._admitted = AdmittedPeers(admission, self._shown_tokens) if admission is not None else None

    async def add_p2p_handlers(self, p2p: P2P, wrapper: Any = None, **options: Any) -> None:
        """Register the methods that begin with ``rpc_``, as hivemind does, with a check of the caller before each.

        ``p2p`` is the peer's libp2p daemon. ``wrapper`` is an object whose methods hivemind registers in
        place of the averager's own; GuardedCalls replaces it.
        """
        wrapper = GuardedCalls(self, self._admitted, _RATES)
        await super().add_p2p_handlers(p2p, wrapper, **options)

    def _holder_of(self, peer: PeerID) -> bytes:
        """Return the name of those who share a place with ``peer``: its user's, or in an open run its own id."""
        user = self._admitted.user_of(peer) if self._admitted is not None else ""
        return user.encode() if user else bytes(peer.to_bytes())

    def _expect_membership(self) -> None:
        """Look up the admitted peers in time for the group that is about to form."""
        if self._admitted is not None:
            self._admitted.refresh()

    async def _require_admitted(self, members: Sequence[PeerID]) -> None:
        """Raise RoundFailed unless this peer and all ``members`` of its group are admitted.

        The leader has only claimed that they are.
        """
        if self.admission is None:
            return
        if self.admission.standing is not AdmissionStatus.ADMITTED:
            raise RoundFailed("This peer is not admitted to the run at present.")
        if strangers := await self._strangers(members):
            raise RoundFailed(f"A group was formed with peers that are not admitted ({strangers}).")

    async def _strangers(self, peers: Sequence[PeerID]) -> list[PeerID]:
        """Return those of ``peers``, apart from this one, that are not admitted."""
        if self._admitted is None:
            return []
        return await self._admitted.strangers([peer for peer in peers if peer != self.peer_id])

    def _users_of(self, peers: Sequence[PeerID]) -> tuple[str, ...]:
        """Return the name of each peer's user, or "" where it is not known; nothing in an open run."""
        if self._admitted is None or self.admission is None:
            return ()
        own = self.admission.own
        return tuple(
            (own.name if own is not None else "") if peer == self.peer_id else self._admitted.user_of(peer)
            for peer in peers
        )

    async def _shown_tokens(self) -> list[str]:
        found = await self.dht.get(admissions_key(self.prefix), latest=True, return_future=True)
        shown = found.value if found is not None and isinstance(found.value, dict) else {}
        values = (getattr(entry, "value", None) for entry in shown.values())
        return [value for value in values if isinstance(value, str)]
