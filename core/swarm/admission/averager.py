"""An averager that deals with admitted peers alone, whichever of its methods they call; the base of ours."""

from collections.abc import Sequence
from typing import Any

from hivemind.averaging import DecentralizedAverager
from hivemind.p2p import P2P, PeerID

from core.swarm.admission.admission import Admission, Standing
from core.swarm.admission.records import admissions_key
from core.swarm.admission.roll import GuardedCalls, Roll
from core.swarm.round import RoundFailed


class AdmittingAverager(DecentralizedAverager):
    """With ``admission`` None it deals with everybody: the run is open."""

    def __init__(self, *, admission: Admission | None, **options: Any) -> None:
        super().__init__(**options)
        self.admission = admission
        self._roll = Roll(admission, self._shown_tokens) if admission is not None else None

    async def add_p2p_handlers(self, p2p: P2P, wrapper: Any = None, **options: Any) -> None:
        """Where hivemind makes the methods that begin with ``rpc_`` known to other peers."""
        if self._roll is not None:
            wrapper = GuardedCalls(self, self._roll)
        await super().add_p2p_handlers(p2p, wrapper, **options)

    def _expect_company(self) -> None:
        """A group is about to form: know who may be in it by then."""
        if self._roll is not None:
            self._roll.refresh()

    async def _require_admitted(self, members: Sequence[PeerID]) -> None:
        """RoundFailed unless this peer and all others of its group are admitted; the leader has only said so."""
        if self.admission is None:
            return
        if self.admission.standing is not Standing.ADMITTED:
            raise RoundFailed("This peer is not admitted to the run at present.")
        if strangers := await self._strangers(members):
            raise RoundFailed(f"A group was formed with peers that are not admitted ({strangers}).")

    async def _strangers(self, peers: Sequence[PeerID]) -> list[PeerID]:
        """Those of other peers that are not admitted."""
        if self._roll is None:
            return []
        return await self._roll.strangers([peer for peer in peers if peer != self.peer_id])

    async def _shown_tokens(self) -> list[str]:
        found = await self.dht.get(admissions_key(self.prefix), latest=True, return_future=True)
        shown = found.value if found is not None and isinstance(found.value, dict) else {}
        values = (getattr(entry, "value", None) for entry in shown.values())
        return [value for value in values if isinstance(value, str)]
