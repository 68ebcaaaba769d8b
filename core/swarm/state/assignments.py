"""Assigns the missing pieces of a state to its donors, and again what a slow one does not give."""

import logging
import time
from collections import Counter
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.swarm.state.pieces import PieceBuffer

_log = logging.getLogger(__name__)

_ASKED_AT_ONCE = 4
"""Pieces that one question asks for: its answer fills the line for longer than the next question takes."""
_SLOW_SECONDS, _SLOW_FACTOR = 2.0, 3.0
"""A piece is asked for again elsewhere after so many seconds, and so many times what that donor needs for one."""


@dataclass
class _AskedPieces:
    """The pieces that a donor was asked for and has not given yet."""

    indices: list[int]
    since: float
    """Monotonic time of the question, or of the last piece that came."""


class PieceAssignments:
    """Decides which donor is asked for which of the missing pieces."""

    def __init__(self, buffer: PieceBuffer) -> None:
        """Assign the pieces that ``buffer`` lacks."""
        self.buffer, self._began = buffer, time.monotonic()
        self.given: Counter[PeerID] = Counter()
        """Number of pieces that came from each donor first."""
        self._shares: dict[PeerID, _AskedPieces] = {}
        self._logged_quarters = 0

    def assign(self, donor: PeerID) -> list[int]:
        """Return the pieces for which ``donor`` is to be asked; none if all are asked for at donors that are fast.

        Towards the end it is asked for few at a time. A piece that a slow donor was asked for is asked for again.
        """
        self.release(donor)
        taken = {index for share in self._shares.values() for index in share.indices}
        free = [index for index in self.buffer.missing if index not in taken]
        most = min(_ASKED_AT_ONCE, -(-len(free) // (len(self._shares) + 1)))
        indices = free[:most] or self._overdue(donor)
        if indices:
            self._shares[donor] = _AskedPieces(indices, time.monotonic())
        return list(indices)

    def _overdue(self, donor: PeerID) -> list[int]:
        """Return a piece for which ``donor`` would need a small part of the time that another was given already."""
        now = time.monotonic()
        own = (now - self._began) / self.given[donor] if self.given[donor] else 0.0
        slowest = min(self._shares.values(), key=lambda share: share.since, default=None)
        if slowest is None or now - slowest.since < max(_SLOW_SECONDS, _SLOW_FACTOR * own):
            return []
        return slowest.indices[:1]

    def release(self, donor: PeerID) -> None:
        """Have others asked for what ``donor`` was asked for and did not give."""
        self._shares.pop(donor, None)

    def arrived(self, donor: PeerID, index: int) -> None:
        """Note that the piece with this ``index`` came from ``donor``, and log each quarter of the state."""
        self.given[donor] += 1
        for asked, share in list(self._shares.items()):
            if index in share.indices:
                share.indices.remove(index)
            if asked == donor:
                share.since = time.monotonic()
        outline = self.buffer.outline
        quarters = 4 * (outline.pieces - len(self.buffer.missing)) // outline.pieces
        if quarters > self._logged_quarters:
            self._logged_quarters = quarters
            _log.info("State download: %d %% of the pieces of epoch %d.", 25 * quarters, outline.epoch)
