"""Draws whose work a peer recomputes, so that no other one can foresee or steer it: pure.

As for audits of reducers, a draw is the peer's own deterministic signature (`core.swarm.auditing.draw`). It is over
the head at which the work begins, so that an auditor knows in time that it has to keep the parameters of that head.
Whom it audits follows from the group as well.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from core.admission.peer_key import PeerKey

_DOMAIN = b"idlebrush: draw of an audit of work\0"
_SCALE = 1 << 64
_ACCUSED_FACTOR, _MOST_FOR_ACCUSED = 16, 0.1
"""Multiple of the usual share of heads whose work is audited while a peer is accused, and the most that it makes."""


def share_while_accused(share: float) -> float:
    """Return the share of heads whose work is audited while a peer is accused; at other times it is ``share``."""
    return max(share, min(_ACCUSED_FACTOR * share, _MOST_FOR_ACCUSED))


@dataclass(frozen=True)
class WorkDraw:
    """One peer's draw for the work of others at one head."""

    signature: bytes

    @classmethod
    def of(cls, key: PeerKey, run: str, epoch: int, head: bytes) -> "WorkDraw":
        """Return the draw of the peer with ``key`` for the ``epoch`` that begins at ``head`` in a ``run``.

        The run is named by its DHT prefix.
        """
        place = _DOMAIN + repr((run, epoch, head)).encode()
        return cls(key.private.sign(place, padding.PKCS1v15(), hashes.SHA256()))

    def audits(self, share: float) -> bool:
        """Return true if the peer audits work at this head, as in ``share`` of all heads."""
        return self._number(b"whether") < share * _SCALE

    def chosen(self, group: bytes, needs: Mapping[int, float]) -> int | None:
        """Return the sender that is audited, each with a chance in proportion to its need.

        Args:
            group: id of the group.
            needs: needs of audits by the positions of senders.
        """
        left = self._number(b"whom" + group) / _SCALE * sum(needs.values())
        for position, need in sorted(needs.items()):
            left -= need
            if left < 0:
                return position
        return None

    def affords(self, group: bytes, own: float, other: float) -> bool:
        """Return true if work of ``other`` samples is to be audited by a peer that computes ``own`` in a round.

        Small work always is, and larger work the more rarely, so that audits cost the share that was drawn. ``group``
        is the id of the group.
        """
        return self._number(b"affords" + group) * other < own * _SCALE

    def _number(self, purpose: bytes) -> int:
        return int.from_bytes(hashlib.sha256(purpose + self.signature).digest()[:8], "big")
