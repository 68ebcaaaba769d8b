"""The states that donors offer to a late peer in one download, and what became of each donor that was asked."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from hivemind.p2p import PeerID

from core.swarm.state.pieces import StateOutline
from core.swarm.state.questions import DonorBusy, ask_outline
from core.swarm.state.state import DonorFailed
from core.swarm.wire.streams import PeerLost
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

_GRACE_SECONDS = 3.0
"""Seconds for which further donors are waited for, once one offers the state that most others vouch for."""


class StateOffers:
    """The donors that were asked for a state: those that offer one, and those that failed."""

    def __init__(
        self, stub_of: Callable[[PeerID], Any], wanted: bytes, *, pieces: int, silence_seconds: float
    ) -> None:
        """Start without having asked a donor.

        Args:
            stub_of: gives the RPC stub of a peer.
            wanted: root of the state that is wanted; a donor offers another if it does not have that one.
            pieces: number of pieces that the run's states have.
            silence_seconds: seconds for which a donor may be silent.
        """
        self._stub_of, self._pieces = stub_of, pieces
        self.wanted, self.silence_seconds = wanted, silence_seconds
        self.outlines: dict[PeerID, StateOutline] = {}
        """Outline of the state that each donor offers."""
        self.complaints: dict[PeerID, str] = {}
        """Reason for which each donor that failed did."""
        self.busy: set[PeerID] = set()
        """Donors that gave their states to others."""
        self.unreached: dict[PeerID, None] = {}
        """Donors that could not be asked what they offer, in order."""

    @property
    def roots(self) -> dict[bytes, bytes]:
        """The root that each donor (its id) offers."""
        return {donor.to_bytes(): outline.root for donor, outline in self.outlines.items()}

    def donors_of(self, root: bytes) -> list[PeerID]:
        """Return the donors that offer the state with this ``root``."""
        return [donor for donor, outline in self.outlines.items() if outline.root == root]

    def silent_of(self, donors: Sequence[PeerID]) -> list[PeerID]:
        """Return those of ``donors`` that have neither offered a state nor failed."""
        return [donor for donor in donors if donor not in (self.outlines.keys() | self.complaints.keys())]

    async def collect(self, donors: Sequence[PeerID], has_best: Callable[[], bool]) -> None:
        """Ask ``donors`` what they offer; slow ones are not waited for once ``has_best`` says so."""
        asking = {asyncio.create_task(self._ask(donor)) for donor in donors}
        deadline: float | None = None
        try:
            while asking:
                seconds = None if deadline is None else deadline - time.monotonic()
                if seconds is not None and seconds <= 0:
                    break
                _, asking = await asyncio.wait(asking, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                if deadline is None and has_best():
                    deadline = time.monotonic() + _GRACE_SECONDS
        finally:
            await end_tasks(asking)

    async def has(self, donor: PeerID, root: bytes) -> bool:
        """Return true if ``donor`` offers the state with this ``root``; it is asked if it was not yet."""
        outline = self.outlines.get(donor) or await self._ask(donor)
        return outline is not None and outline.root == root

    async def _ask(self, donor: PeerID) -> StateOutline | None:
        """Return what ``donor`` offers, once it is noted; None if it offers nothing."""
        try:
            outline = await ask_outline(
                self._stub_of(donor), self.wanted, pieces=self._pieces, silence_seconds=self.silence_seconds
            )
        except DonorBusy:
            self.note_busy(donor)
        except DonorFailed as error:
            self.complain(donor, str(error) or type(error).__name__)
        except PeerLost as error:
            self.complain(donor, str(error) or type(error).__name__)
            self.unreached[donor] = None
        else:
            self.outlines[donor] = outline
            return outline
        return None

    def complain(self, donor: PeerID, why: str) -> None:
        """Note and log the reason ``why`` a ``donor`` failed; what it offered does not count any more."""
        self.outlines.pop(donor, None)
        self.complaints[donor] = why
        _log.warning("State download failed: %s: %s", donor, why)

    def note_busy(self, donor: PeerID) -> None:
        """Note that ``donor`` gives to others, and is worth asking again."""
        self.complain(donor, "it gives its state to others")
        self.busy.add(donor)

    def drop(self, root: bytes, why: str) -> None:
        """Complain of all donors that offer the state with this ``root``, for the reason ``why``."""
        for donor in self.donors_of(root):
            self.complain(donor, why)
