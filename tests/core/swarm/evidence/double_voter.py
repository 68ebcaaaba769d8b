"""A peer that votes for two aggregates in one attempt, and the evidence that comes of it."""

from core.admission.gate_certificate import GateCertificate
from core.swarm.evidence.evidence import Evidence, evidence_of
from core.swarm.quorum.votes import DoubleVote, Vote, sign_vote
from core.swarm.wire.identity import PeerIdentity
from tests.core.swarm.builders import commit_record, identity
from tests.gate.run_gate import RUN, RunGate

GATE = RunGate()
PREFIX = f"tiny-{RUN[:16]}-2-v9"
"""DHT prefix of the third generation of the gate's run."""


def double_vote(
    user: str,
    number: int = 0,
    *,
    epoch: int = 7,
    gate: RunGate = GATE,
    prefix: str = PREFIX,
    seconds: float = 600,
    age: float = 0,
) -> Evidence:
    """Evidence that the peer with that ``number`` voted twice at ``epoch``, for another life of its token too."""
    own = identity(number)
    certificate = GateCertificate.of_token(gate.token(own, user, seconds=seconds, age=age)).pack()
    votes = (vote_of(own, word, certificate, epoch, prefix) for word in ("one", "other"))
    found = evidence_of(DoubleVote(*votes), prefix)
    assert found is not None
    return found


def vote_of(own: PeerIdentity, word: str, certificate: bytes, epoch: int, prefix: str) -> Vote:
    """The vote of a peer for the aggregate of that name."""
    record = commit_record(word, epoch=epoch, attempt=1, certificate=certificate)
    return Vote(own.peer_id.to_bytes(), sign_vote(record, prefix, own), own.owner)
