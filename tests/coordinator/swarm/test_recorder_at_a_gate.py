"""The recorder of a run with a gate: it needs a token like everyone, and tells the swarm at once who is excluded."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Epoch, KnownPeer, SwarmNow, User
from coordinator.home import Home
from coordinator.messages import RelaysNow
from coordinator.run_now import RunNow
from core.admission import revocations
from core.admission.revocations import Revocations
from core.children.outcome import Ending
from core.messages.children import Admit
from core.messages.events import Command, Joined
from core.messages.reach import RelayUsedUp
from core.run.contact import GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.records import revocations_key
from core.swarm.wire.identity import PeerIdentity
from tests.coordinator.ledger_rows import rows
from tests.gate.run_gate import RunGate
from tests.postgres import PostgresServer
from tests.swarms.recorder_process import Recorders, recorders
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import TrainerSwarm, trainer_swarm
from tests.waiting import COSTLY, wait_until

NAME = "mallory"
AWAY = re.compile(r"Z WARNING .*The database cannot be used: the server cannot be reached")


@dataclass
class GatedRun:
    """A run with a gate, and a swarm of it by which others enter."""

    home: Home
    manifest: RunManifest
    gate: RunGate
    swarm: TrainerSwarm
    recording: Recorders

    def token(self) -> str:
        """One for the recorder."""
        return self.gate.token(PeerIdentity.load_or_create(self.home.recorder_identity), "coordinator")

    def excluded(self) -> Revocations | None:
        """The list as a peer of the swarm finds it."""
        found = self.swarm.dht.get(revocations_key(self.manifest.dht_prefix), latest=True)
        if found is None:
            return None
        run = self.manifest.training_digest
        return revocations.read(found.value, gate=self.gate.key.public_key, run=run)


@pytest.fixture
def gated(tmp_path: Path, postgres: PostgresServer) -> Iterator[GatedRun]:
    """One whose coordinator's database is PostgreSQL's."""
    home, key = Home(tmp_path / "home"), SigningKey.generate()
    home.gate_key.parent.mkdir(parents=True)
    key.save(home.gate_key)
    path = write_tiny_run(home.manifest.parent, gate=GateRules(key=key.public_key), target_batch_size=256)
    manifest = RunManifest.load(path)
    gate = RunGate(manifest.training_digest, key)
    with trainer_swarm(path, tmp_path, gate) as swarm, recorders(home, postgres.new_database()) as recording:
        yield GatedRun(home, manifest, gate, swarm, recording)


def test_an_admitted_swarm_is_recorded_and_learns_at_once_who_is_excluded(
    gated: GatedRun, postgres: PostgresServer
) -> None:
    """The recorder does so after its database was away for a while too, which the log says, and hears of relays."""
    database = gated.recording.database
    recorder = gated.recording.start(gated.swarm.addresses, admission=gated.token())
    recorder.wait_until_ready()
    trainer = gated.swarm.start("ada")
    joined = trainer.wait_for(Joined)
    _join(database, joined.peer_id)
    recorder.send(Admit(token=gated.token()))
    recorder.send(RelaysNow(used_up={"publisher": _used_up_now()}))
    wait_until(lambda: _resting(database) == {"publisher"}, "it does not tell that a relay is used up")
    recorder.send(RelaysNow(used_up={}))
    wait_until(lambda: not _resting(database), "it does not tell that the relay is back")
    wait_until(lambda: bool(rows(database, Epoch)), "nothing is recorded", 120, every=COSTLY)
    listed = gated.excluded()
    assert listed is not None
    assert not listed.names
    wait_until(lambda: bool(rows(database, Credit)), "nobody is credited", 120, every=COSTLY)
    trainer.send(Command.PAUSE)  # what follows needs no epochs
    _set_ban(database, joined.peer_id, at_once=True)
    wait_until(lambda: NAME in _names(gated), "the list is not published", every=COSTLY)
    _set_ban(database, joined.peer_id, at_once=False)
    wait_until(lambda: NAME not in _names(gated), "the ban stays", every=COSTLY)
    with _stopped(postgres):
        wait_until(lambda: bool(AWAY.search(recorder.log.read_text())), "its log does not tell")
    _set_ban(database, joined.peer_id, at_once=True)
    wait_until(lambda: NAME in _names(gated), "it does not go on", every=COSTLY)
    assert recorder.stop().ending is Ending.STOPPED
    assert "Traceback" not in recorder.log.read_text()


def _used_up_now() -> RelayUsedUp:
    now = datetime.now(UTC)
    return RelayUsedUp(gigabytes=10.0, total=10.0, since=now, until=now + timedelta(hours=1))


def _resting(database: Database) -> set[str]:
    """The coordinator's peers whose relay total is used up, as the recorder writes it down."""
    return {
        peer for row in rows(database, SwarmNow) for peer in RunNow.model_validate(row.content).used_up_relays
    }


@contextmanager
def _stopped(postgres: PostgresServer) -> Iterator[None]:
    """End the database's server meanwhile, and all connections to it."""
    postgres.stop()
    try:
        yield
    finally:
        postgres.start()


def _names(gated: GatedRun) -> tuple[str, ...]:
    listed = gated.excluded()
    return listed.names if listed else ()


def _join(database: Database, peer_id: str) -> None:
    """Register the peer with a user as the gate does."""
    now = datetime.now(UTC)
    with database.session() as session:
        user = User(name=NAME, created=now)
        session.add(user)
        session.flush()
        until = now + timedelta(minutes=9)
        session.add(KnownPeer(peer_id=peer_id, user_id=user.id, created=now, token_until=until))


def _set_ban(database: Database, peer_id: str, *, at_once: bool) -> None:
    """Ban the user for whom that peer trains, or lift the ban."""
    with database.session() as session:
        peer = session.scalars(select(KnownPeer).where(KnownPeer.peer_id == peer_id)).one()
        user = session.get_one(User, peer.user_id)
        user.ban_at_once, user.banned = at_once, datetime.now(UTC) if at_once else None


@pytest.mark.exhaustive
def test_a_recorder_that_is_not_admitted_says_so(gated: GatedRun) -> None:
    outcome = gated.recording.start(gated.swarm.addresses).outcome()
    assert (outcome.ending, outcome.failure and outcome.failure.code) == (Ending.FAILED, "admission")
