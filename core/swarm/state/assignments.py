"""Assigns the missing pieces of a state to its donors, and again what a slow one does not give.

Where the volunteer caps downloads, each donor is told its share of the cap. Otherwise donors would fill the buffers
between them and us at the speed of the line: libp2p's QUIC takes in 1.1 MB ahead of its reader, which is four
seconds' worth at 300 kB/s.
"""

import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.swarm.bandwidth import AHEAD
from core.swarm.state.pieces import PieceBuffer

_log = logging.getLogger(__name__)

_LEAST_SECONDS = 1e-3
"""Seconds that a piece counts as having taken at least."""
_ASKED_AT_ONCE = 4
"""Pieces that one question asks for: its answer fills the line for longer than the next question takes."""
_QUESTION_SECONDS = 10.0
"""Seconds that an answer lasts at most where donors are told a pace, unless a piece takes longer: shares change."""
_GROWTH = 1.5
"""Multiple of its last speed that a donor may reach with its next answer: one that was slow gets its share again."""
_SLOW_SECONDS, _SLOW_FACTOR = 2.0, 3.0
"""A piece is requested elsewhere after these seconds, and this multiple of the time that one donor needs for one."""


@dataclass
class _AskedPieces:
    """The pieces that a donor was asked for and has not given yet."""

    indices: list[int]
    since: float
    """Monotonic time of the question, or of the last piece that came."""


def share_of_rate(rate: float, others: Iterable[float]) -> float:
    """Return a donor's share of ``rate``, bytes a second, beside ``others`` that give at these speeds.

    One that gives less than an equal share leaves the rest to those that can give more. The speed of one that has
    given nothing yet is infinite.
    """
    speeds = sorted(others)
    givers = len(speeds) + 1
    for speed in speeds:
        if speed * givers >= rate:
            break
        rate, givers = rate - speed, givers - 1
    return rate / givers


class PieceAssignments:
    """Decides which donor is asked for which of the missing pieces, and at which pace."""

    def __init__(
        self,
        buffer: PieceBuffer,
        donors: Iterable[PeerID],
        *,
        rate: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        """Assign the pieces that ``buffer`` lacks.

        Args:
            buffer: the buffer of the state.
            donors: peers that offer that state; others may come later.
            rate: gives the bytes a second that may come at present; infinite without a cap.
            clock: gives monotonic seconds.
        """
        self.buffer, self._rate, self._clock = buffer, rate, clock
        self._began = clock()
        self._speeds = dict.fromkeys(donors, math.inf)
        self.given: Counter[PeerID] = Counter()
        """Number of pieces that came from each donor first."""
        self._asked: dict[PeerID, _AskedPieces] = {}
        self._logged_quarters = 0

    def assign(self, donor: PeerID) -> list[int]:
        """Return the pieces for which ``donor`` is to be asked; none if all are asked for at donors that are fast.

        Towards the end it is asked for few at a time. A piece that a slow donor was asked for is asked for again.
        """
        self.release(donor)
        self._speeds.setdefault(donor, math.inf)
        taken = {index for share in self._asked.values() for index in share.indices}
        free = [index for index in self.buffer.missing if index not in taken]
        most = min(self._asked_at_once(donor), -(-len(free) // (len(self._asked) + 1)))
        indices = free[:most] or self._overdue(donor)
        if indices:
            self._asked[donor] = _AskedPieces(indices, self._clock())
        return list(indices)

    def pace(self, donor: PeerID) -> float:
        """Return the bytes a second at which ``donor`` is to give; infinite without a cap.

        It gets no more than `_GROWTH` times what it gave, as others count on that: all paces together are the cap's.
        """
        if math.isinf(rate := self._rate()):
            return rate
        others = (_GROWTH * speed for other, speed in self._speeds.items() if other != donor)
        own = _GROWTH * self._speeds.get(donor, math.inf)
        return AHEAD * min(share_of_rate(rate, others), own)

    def _asked_at_once(self, donor: PeerID) -> int:
        pieces = self.pace(donor) * _QUESTION_SECONDS / self.buffer.size_of(0)
        return int(min(max(pieces, 1), _ASKED_AT_ONCE))

    def _overdue(self, donor: PeerID) -> list[int]:
        """Return a piece for which ``donor`` would need a small part of the time that another was given already."""
        now = self._clock()
        own = (now - self._began) / self.given[donor] if self.given[donor] else 0.0
        slowest = min(self._asked.values(), key=lambda share: share.since, default=None)
        if slowest is None or now - slowest.since < max(_SLOW_SECONDS, _SLOW_FACTOR * own):
            return []
        return slowest.indices[:1]

    def release(self, donor: PeerID) -> None:
        """Free the pieces that ``donor`` was asked for and did not give, so that other donors are asked for them."""
        self._asked.pop(donor, None)

    def leave(self, donor: PeerID) -> None:
        """Leave the pieces and the share of ``donor``, which gives nothing for now, to others."""
        self.release(donor)
        self._speeds.pop(donor, None)

    def arrived(self, donor: PeerID, index: int) -> None:
        """Note that the piece with this ``index`` came from ``donor``, and log each quarter of the state."""
        self.given[donor] += 1
        if (own := self._asked.get(donor)) is not None:
            self._speeds[donor] = self.buffer.size_of(index) / max(self._clock() - own.since, _LEAST_SECONDS)
        for asked, share in list(self._asked.items()):
            if index in share.indices:
                share.indices.remove(index)
            if asked == donor:
                share.since = self._clock()
        outline = self.buffer.outline
        quarters = 4 * (outline.pieces - len(self.buffer.missing)) // outline.pieces
        if quarters > self._logged_quarters:
            self._logged_quarters = quarters
            _log.info("State download: %d %% of the pieces of epoch %d.", 25 * quarters, outline.epoch)
