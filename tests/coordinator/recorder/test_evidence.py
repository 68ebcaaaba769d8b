"""The recorder keeps the evidence that a real swarm has found, and tells the swarm whose appeal was granted."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import hivemind
import pytest
from hivemind.utils import ValueWithExpiration
from sqlalchemy import delete

from coordinator.database.connect import Database
from coordinator.database.tables import EvidenceFound
from coordinator.gate import moderation
from coordinator.recorder.evidence import EvidenceUpdates
from core.admission.gate_certificate import GateCertificate
from core.run.contact import GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.admission import Admission
from core.swarm.dht import Network, start_dht
from core.swarm.evidence.records import EvidenceRecord
from core.swarm.evidence.reporting import report
from core.swarm.wire.identity import PeerIdentity
from tests.coordinator.ledger_rows import rows
from tests.core.swarm.builders import identity
from tests.core.swarm.evidence.double_voter import double_vote
from tests.gate.run_gate import RunGate
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import wait_until


@dataclass
class WatchedRun:
    """A run with a gate, the node of a recorder, and what that recorder does about evidence."""

    manifest: RunManifest
    gate: RunGate
    folder: Path
    database: Database

    @contextmanager
    def node(self) -> Iterator[tuple[Admission, EvidenceUpdates]]:
        """The recorder's node, which knows nothing yet, and its updates."""
        own = PeerIdentity.load_or_create(self.folder / "recorder")
        admission = self.gate.admit(own, "coordinator")
        dht = start_dht(
            Network(check_identity=False),
            own,
            prefix=self.manifest.dht_prefix,
            total_epochs=200,
            admission=admission,
        )
        try:
            updates = EvidenceUpdates(self.database, self.gate.key, self.manifest, dht)
            self.dht = dht
            yield admission, updates
        finally:
            dht.shutdown()

    def found(self) -> list[EvidenceFound]:
        return rows(self.database, EvidenceFound)


# Real nodes are read alike on both, and tests of the ledger and of tables write to PostgreSQL too.
@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(tmp_path: Path, new_address: str) -> Iterator[WatchedRun]:
    """One whose coordinator's database is SQLite's, then PostgreSQL's."""
    key = SigningKey.generate()
    manifest = RunManifest.load(write_tiny_run(tmp_path / "run", gate=GateRules(key=key.public_key)))
    with closing(Database.open(new_address)) as database:
        yield WatchedRun(manifest, RunGate(manifest.training_digest, key), tmp_path, database)


class ForgetfulSwarm:
    """Has the evidence that a test gives it, and no other."""

    def __init__(self, gate: RunGate) -> None:
        self.packed: list[bytes] = []
        self._certificate = GateCertificate.of_token(gate.token(identity(1), "grace")).pack()

    async def get(self, *_: object, **__: object) -> Any:
        """The one record of evidence, if there is any; as hivemind's DHT answers."""
        if not self.packed:
            return None
        record = EvidenceRecord(
            peer_id=identity(1).peer_id.to_bytes(), evidence=self.packed, certificate=self._certificate
        )
        return ValueWithExpiration({b"grace": ValueWithExpiration(record.pack(), 1.0)}, 1.0)


def turned(updates: EvidenceUpdates) -> bool:
    asyncio.run(updates.turn())
    return True


def test_evidence_is_kept_outlives_the_swarm_and_is_lifted_by_a_pardon(run: WatchedRun) -> None:
    evidence = double_vote("mallory", gate=run.gate, prefix=run.manifest.dht_prefix)
    with run.node() as (admission, updates):
        report(run.dht, evidence)
        wait_until(lambda: admission.convicted.of("mallory") is not None, "the node does not take it in")
        wait_until(lambda: turned(updates) and run.found() != [], "the recorder does not keep it")
        (row,) = run.found()
        assert (row.name, row.epoch, row.packed) == ("mallory", 7, evidence.packed)
        assert row.words.startswith("signed two votes under one number in epoch 7")
    with run.node() as (admission, updates):
        turned(updates)
        wait_until(lambda: admission.convicted.of("mallory") is not None, "the swarm is not told again")
        with run.database.session() as session:
            moderation.grant(session, row.id, "a copied folder", actor="mia", now=row.seen)
        turned(updates)
        wait_until(lambda: admission.convicted.of("mallory") is None, "the pardon does not arrive", 60)
        assert len(run.found()) == 1


def test_it_remembers_what_the_last_look_had_and_no_more(run: WatchedRun) -> None:
    swarm = ForgetfulSwarm(run.gate)
    updates = EvidenceUpdates(run.database, run.gate.key, run.manifest, cast(hivemind.DHT, swarm))
    evidence = [double_vote("mallory", gate=run.gate, prefix=run.manifest.dht_prefix).packed]
    for there, entered in ((evidence, True), (evidence, False), ([], False), (evidence, True)):
        swarm.packed = there
        turned(updates)
        assert (run.found() != []) == entered
        with run.database.session() as session:
            session.execute(delete(EvidenceFound))
