"""Admits the coordinator's own peers to its run: they get access tokens as volunteers do, but ask nobody."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coordinator.gate.accounts import OWN_NAME
from core.admission.access_token import AccessToken, issue
from core.admission.peer_key import PeerKey
from core.signing import SigningKey

RENEWALS = 3
"""In the life of a token, so that one that is missed costs nothing."""


@dataclass(frozen=True)
class OwnPeers:
    """Who may say for the gate that a peer of ours is admitted."""

    run: str
    """Training digest of the run's manifest."""
    gate_key: SigningKey | None
    """None: the run is open, and nobody needs a token."""
    seconds: int
    """How long a token is good."""
    clock: Callable[[], float]
    """Unix seconds."""

    def token(self, identity: Path) -> str | None:
        """A new access token for the peer with that key, which is made if it is missing; None in an open run."""
        if self.gate_key is None:
            return None
        now = int(self.clock())
        peer = PeerKey.load_or_create(identity).peer_id
        return issue(AccessToken(self.run, OWN_NAME, peer, now, now + self.seconds), self.gate_key)

    @property
    def renewal_seconds(self) -> float:
        """Between two tokens."""
        return self.seconds / RENEWALS
