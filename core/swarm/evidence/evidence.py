"""The common form of evidence: bound to a run, an epoch, a peer and its user, and verified by the gate's key alone.

Three things have to hold: the proof of the misdeed itself, which the culprit has signed; the place at which it
happened, which must be one of this run; and the certificate by which the gate named the user of the culprit's peer.
No time takes part: what holds once holds for good, whoever shows it.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

import msgpack
from hivemind.p2p import PeerID

from core.admission import access_token
from core.admission.gate_certificate import MAX_CERTIFICATE_BYTES, GateCertificate, user_in
from core.errors import AdmissionError
from core.run.manifest import RunManifest
from core.swarm.evidence.proofs import DoubleVoteProof, Misdeed, Proof, read_proof
from core.swarm.quorum.votes import DoubleVote

MOST_EVIDENCE_BYTES = 3072
"""Bytes of the largest evidence: several fit into one record of the DHT."""
_PREFIX = re.compile(r".{1,128}-(?P<run>[0-9a-f]{16})-(?P<generation>\d{1,9})-v\d{1,4}")
"""Form of a run's DHT prefix (`core.run.manifest.RunManifest.dht_prefix`)."""
_BEYOND = 10**9
"""Number that no generation or epoch reaches."""


class PlaceInRun(NamedTuple):
    """A place in a run's course; later generations come after all epochs of earlier ones."""

    generation: int
    """Number of the generation."""
    epoch: int
    """Number of the epoch in it."""

    @classmethod
    def last_of(cls, manifest: RunManifest) -> Self:
        """Return the last place that a peer of the ``manifest`` can come to: its generation's last epoch."""
        return cls(manifest.state.generation, manifest.training.schedule.total_epochs - 1)


LAST_PLACE = PlaceInRun(_BEYOND - 1, _BEYOND - 1)
"""Last place of any run."""


@dataclass(frozen=True)
class Evidence:
    """A proof with all that binds it to a user of a run."""

    prefix: str
    """DHT prefix of the run at that time, which names its generation."""
    certificate: bytes
    """Packed certificate of the peer, as it stood in the record that the proof is made of."""
    proof: Proof

    @property
    def misdeed(self) -> Misdeed:
        """The kind of what was done."""
        return self.proof.misdeed

    @property
    def user(self) -> str:
        """Name of the user, as the certificate says; empty without one."""
        return user_in(self.certificate)

    @property
    def peer(self) -> str:
        """Id of the peer in base58."""
        return str(PeerID(self.proof.peer_id).to_base58())

    @property
    def place(self) -> PlaceInRun:
        """Generation and epoch at which it was done; the generation is 0 where the prefix names none."""
        found = _PREFIX.fullmatch(self.prefix)
        return PlaceInRun(int(found["generation"]) if found else 0, self.proof.epoch)

    @cached_property
    def packed(self) -> bytes:
        """The evidence as bytes."""
        content = [self.prefix, self.certificate, self.misdeed.value, self.proof.pack()]
        return bytes(msgpack.packb(content))

    @property
    def number(self) -> str:
        """SHA-256 of the bytes in hex, which names the evidence."""
        return hashlib.sha256(self.packed).hexdigest()

    def holds(self, *, gate: str, run: str, last: PlaceInRun = LAST_PLACE) -> bool:
        """Return true if the evidence is one against its user in the ``run``, given by its training digest.

        ``gate`` is the public key of the run's gate in hex. No generation is later than that of ``last``, and in none
        is an epoch later: a culprit could sign for any place, and have all up to there pardoned.
        """
        found = _PREFIX.fullmatch(self.prefix)
        if found is None or found["run"] != run[:16]:
            return False
        if self.place.generation > last.generation or self.place.epoch > last.epoch:
            return False
        return _is_certified(self.certificate, self.peer, gate, run) and self.proof.holds(self.prefix)

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read evidence that `packed` gave; it verifies nothing. Raises ValueError if there is none in ``packed``."""
        if len(packed) > MOST_EVIDENCE_BYTES:
            raise ValueError("the evidence is too long")
        try:
            prefix, certificate, misdeed, proof = msgpack.unpackb(packed)
        except (TypeError, ValueError, msgpack.UnpackException) as error:
            raise ValueError("it is no evidence") from error
        if not isinstance(prefix, str) or not isinstance(certificate, bytes) or len(prefix) > 256:
            raise ValueError("the evidence has not the fields of one")
        return cls(prefix, certificate, read_proof(misdeed, proof))


@lru_cache(maxsize=1024)
def verified(packed: bytes, *, gate: str, run: str, last: PlaceInRun = LAST_PLACE) -> Evidence | None:
    """Return the evidence in ``packed`` if it holds against a user of the ``run``; None otherwise.

    Args:
        packed: the evidence as bytes.
        gate: public key of the run's gate in hex.
        run: the run's training digest.
        last: place of the last generation, and of the last epoch of each.
    """
    try:
        found = Evidence.unpack(packed)
    except ValueError:
        return None
    return found if found.packed == packed and found.holds(gate=gate, run=run, last=last) else None


def _is_certified(certificate: bytes, peer: str, gate: str, run: str) -> bool:
    """Return true if the gate gave the ``certificate`` to ``peer`` (base58), however long ago."""
    if not certificate or len(certificate) > MAX_CERTIFICATE_BYTES:
        return False
    try:
        found = GateCertificate.unpack(certificate)
        access_token.read(found.token(run=run, peer=peer), gate=gate, run=run, now=found.issued)
    except (ValueError, AdmissionError):
        return False
    return True


def evidence_of(votes: DoubleVote, prefix: str) -> Evidence | None:
    """Return the evidence in two ``votes`` in the run with the DHT ``prefix``; None in an open run, without users."""
    certificate = votes.first.record.certificate
    return Evidence(prefix, certificate, DoubleVoteProof(votes)) if certificate else None
