"""A gate for tests: signs access tokens and revocations of one run, whatever they say."""

import time
from dataclasses import dataclass, field

from core.admission import revocations
from core.admission.access_token import AccessToken, issue
from core.admission.revocations import Revocations
from core.signing import SigningKey
from core.swarm.admission.admission import Admission
from core.swarm.wire.identity import PeerIdentity

RUN = "ab" * 32


@dataclass(frozen=True)
class RunGate:
    """The gate of the run that ``run`` names."""

    run: str = RUN
    key: SigningKey = field(default_factory=SigningKey.generate)

    def token(
        self, identity: PeerIdentity, name: str = "ada", *, seconds: float = 600, age: float = 0
    ) -> str:
        """A token for a peer; it was issued ``age`` seconds ago, and is good for so many from now on."""
        now = time.time()
        peer = identity.peer_id.to_base58()
        return issue(AccessToken(self.run, name, peer, int(now - age), int(now + seconds)), self.key)

    def admit(self, identity: PeerIdentity, name: str = "ada", *, seconds: float = 600) -> Admission:
        """A peer's admission by this gate."""
        token = self.token(identity, name, seconds=seconds)
        return Admission(gate=self.key.public_key, run=self.run, peer=identity.peer_id, token=token)

    def revoke(self, *, serial: int, names: tuple[str, ...] = (), peers: tuple[str, ...] = ()) -> Revocations:
        return Revocations(self.run, serial, int(time.time()) + serial, names, peers)

    def sign(self, listed: Revocations) -> bytes:
        return revocations.sign(listed, self.key)
