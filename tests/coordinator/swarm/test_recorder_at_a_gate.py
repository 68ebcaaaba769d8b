"""The recorder of a run with a gate: it needs a token like everyone, and tells the swarm at once who is excluded."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import hivemind
import pytest
from hivemind.p2p import PeerID
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Peer, User
from coordinator.home import Home
from core.admission import revocations
from core.admission.revocations import Revocations
from core.children.outcome import Ending
from core.messages import Admit
from core.rules import GateRules
from core.run import RunManifest
from core.signing import SigningKey
from core.swarm.admission.records import revocations_key
from core.swarm.dht import Network, start_dht
from core.swarm.identity import PeerIdentity
from tests.core.swarm.builders import peer_bytes
from tests.recorder_process import Recorders, recorders
from tests.run_gate import RunGate
from tests.tiny_run import write_tiny_run
from tests.waiting import wait_until

NAME = "mallory"


@dataclass
class Gated:
    """A run with a gate, and a peer of it by which others enter."""

    home: Home
    manifest: RunManifest
    gate: RunGate
    dht: "hivemind.DHT"
    recording: Recorders

    @property
    def token(self) -> str:
        """One for the recorder."""
        return self.gate.token(PeerIdentity.load_or_create(self.home.recorder_identity), "coordinator")

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(map(str, self.dht.get_visible_maddrs()))

    def excluded(self) -> Revocations | None:
        """The list as a peer of the swarm finds it."""
        found = self.dht.get(revocations_key(self.manifest.dht_prefix), latest=True)
        if found is None:
            return None
        run = self.manifest.training_digest
        return revocations.read(found.value, gate=self.gate.key.public_key, run=run)


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[Gated]:
    home, organiser, key = Home(tmp_path / "home"), SigningKey.generate(), SigningKey.generate()
    path = write_tiny_run(home.manifest.parent)
    home.gate_key.parent.mkdir()
    key.save(home.gate_key)
    drawn = RunManifest.load(path)
    contact = drawn.contact.model_copy(update={"gate": GateRules(key=key.public_key)})
    manifest = RunManifest.create(drawn.training, contact, organiser)
    manifest.save(path)
    gate = RunGate(manifest.training_digest, key)
    identity = PeerIdentity.load_or_create(home.bootstrap_identity)
    dht = start_dht(
        Network(check_identity=False),
        identity,
        prefix=manifest.dht_prefix,
        total_epochs=manifest.training.schedule.total_epochs,
        admission=gate.admit(identity, "coordinator"),
    )
    with contextlib.ExitStack() as stack:
        stack.callback(dht.join, 5)
        stack.callback(dht.shutdown)
        yield Gated(home, manifest, gate, dht, stack.enter_context(recorders(home)))


def add_user(database: Database) -> None:
    now = datetime.now(UTC)
    with database.session() as session:
        user = User(name=NAME, created=now)
        session.add(user)
        session.flush()
        peer = PeerID(peer_bytes(1)).to_base58()
        session.add(Peer(peer_id=peer, user_id=user.id, created=now, token_until=now + timedelta(minutes=9)))


def ban(database: Database, *, at_once: bool) -> None:
    with database.session() as session:
        user = session.scalars(select(User).where(User.name == NAME)).one()
        user.banned = datetime.now(UTC) if at_once else None
        user.ban_at_once = at_once


def test_who_is_banned_at_once_is_known_to_the_swarm_and_who_is_not_any_more(gated: Gated) -> None:
    recorder = gated.recording.start(gated.addresses, admission=gated.token)
    recorder.wait_until_ready()
    database = gated.recording.database
    add_user(database)
    wait_until(lambda: gated.excluded() is not None, "no list is there")
    found = gated.excluded()
    assert found is not None
    assert not found.names
    ban(database, at_once=True)
    wait_until(lambda: bool((listed := gated.excluded()) and NAME in listed.names), "nobody is told")
    recorder.send(Admit(token=gated.token))
    ban(database, at_once=False)
    wait_until(lambda: bool((listed := gated.excluded()) and not listed.names), "the ban stays")
    assert recorder.stop().ending is Ending.STOPPED
    assert "Traceback" not in recorder.log.read_text()


def test_a_recorder_that_is_not_admitted_says_so(gated: Gated) -> None:
    outcome = gated.recording.start(gated.addresses).outcome()
    assert (outcome.ending, outcome.failure and outcome.failure.code) == (Ending.FAILED, "admission")
