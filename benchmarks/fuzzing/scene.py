"""The run, the peers and the gate whose valid bytes the fuzzers begin with."""

import hashlib
import time
from datetime import UTC, datetime
from functools import cache

import msgpack

from client.joining.embedded import embedded_run
from core.admission.gate_certificate import GateCertificate
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.admission import Admission
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate

PREFIX = "fuzzed"
"""DHT prefix of the run."""
TOTAL_EPOCHS = 1000
"""Epochs of the run's schedule."""
_TOKEN_SECONDS = 86_000.0
GATE = RunGate()
WRITER, READER = identity(0), identity(1)
"""The peer that wrote the valid bytes, and the one that reads them."""
PEER = WRITER.peer_id.to_bytes()
OWNER: bytes = msgpack.packb(WRITER.owner)
"""Packed subkey of the writer's records."""
TOKEN = GATE.token(WRITER, seconds=_TOKEN_SECONDS)
CERTIFICATE = GateCertificate.of_token(TOKEN).pack()
NOW = time.time()
"""Unix time in seconds at which all was made."""


def digest_of(word: str) -> bytes:
    """Return 32 bytes that stand for the digest of what ``word`` names."""
    return hashlib.sha256(word.encode()).digest()


@cache
def admission() -> Admission:
    """Return the reader's admission to the run."""
    return GATE.admit(READER, "grace", seconds=_TOKEN_SECONDS)


@cache
def manifest() -> RunManifest:
    """Return the manifest of a run like that which comes with Idlebrush, with a gate."""
    shipped = RunManifest.load(embedded_run() / "run.toml").training
    contact = Contact(
        title="A run under test",
        coordinator="https://run.example",
        initial_peers=(f"/ip4/127.0.0.1/tcp/31337/p2p/{WRITER.peer_id.to_base58()}",),
        sample_prompts=("a red heart", "grinning cat"),
        issued_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        gate=GateRules(key=GATE.key.public_key),
    )
    return RunManifest.create(shipped, contact, SigningKey.generate())
