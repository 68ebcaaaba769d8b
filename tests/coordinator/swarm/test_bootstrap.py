"""The bootstrap peer behind its guard: it lets others in, keeps its id, and says what is wrong."""

import asyncio
import json
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from coordinator.bootstrap import serve
from coordinator.messages import FROM_BOOTSTRAP, BootstrapChildMessage
from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.children.supervisor import Supervisor
from core.errors import CoreError
from core.families.text_to_image.rules import TextToImageRules
from core.messages.children import Admit, BootstrapReady, StartBootstrap
from core.messages.lines import Channel
from core.messages.reach import RelayBounds, RelayUsedUp
from core.model.config import preset
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodecRules, DataRules, TextRules
from core.signing import SigningKey
from core.storage.files import FileRef
from core.swarm.wire.identity import PeerIdentity
from tests.gate.run_gate import RunGate
from tests.waiting import DEADLINE

ANY_PORT = "/ip4/127.0.0.1/tcp/0"
NOBODY = "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWBJYGg4RB4CS7ToAw1gieHQceBow3WeYgAt9n1iZcWbdi"


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    ref = FileRef(path="file", sha256="ab" * 32, size=1)
    model = preset("emoji")
    training = TextToImageRules(
        name="bootstrap-test",
        model=model,
        codec=CodecRules(config=ref, weights=ref),
        text=TextRules(tokenizer=ref, length=model.text_length, vocab=model.text_vocab),
        data=DataRules(shards=(ref,)),
    )
    contact = Contact(title="A test", issued_at=datetime(2026, 1, 1, tzinfo=UTC))
    path = tmp_path / "run.toml"
    RunManifest.create(training, contact, SigningKey.generate()).save(path)
    return path


class Bootstrap:
    """One bootstrap process; `ready` is done once it is, or has ended."""

    def __init__(self, start: StartBootstrap, folder: Path) -> None:
        program = Program("bootstrap peer", "coordinator.bootstrap", start, folder / "bootstrap.log")
        self._supervisor: Supervisor[BootstrapChildMessage] = Supervisor(program, FROM_BOOTSTRAP)
        self.ready: asyncio.Future[BootstrapReady | None] = asyncio.get_running_loop().create_future()
        self.used_up: asyncio.Future[RelayUsedUp] = asyncio.get_running_loop().create_future()
        self.run = asyncio.ensure_future(self._supervisor.run(self._report))
        self.run.add_done_callback(lambda _: self._become_ready(None))

    def _report(self, message: BootstrapChildMessage) -> None:
        if isinstance(message, BootstrapReady):
            self._become_ready(message)
        if isinstance(message, RelayUsedUp):
            self.used_up.set_result(message)

    def _become_ready(self, message: BootstrapReady | None) -> None:
        if not self.ready.done():
            self.ready.set_result(message)

    @property
    def family(self) -> list[psutil.Process]:
        """Processes below its guard; others of this test process may have libp2p daemons as well."""
        return [psutil.Process(pid) for pid in self._supervisor.family]

    async def admit(self, token: str) -> None:
        await self._supervisor.send(Admit(token=token))

    async def stop(self) -> Outcome:
        await self._supervisor.stop(timeout=10)
        return await self.run


def test_others_enter_by_it_its_id_stays_and_it_ends_with_its_libp2p_daemon(
    manifest: Path, tmp_path: Path
) -> None:
    async def scenario() -> None:
        start = StartBootstrap(manifest=manifest, listen=(ANY_PORT,), identity=tmp_path / "identity")
        first = Bootstrap(start, tmp_path)
        ready = await first.ready
        assert ready
        assert ready.addresses[0].endswith(ready.peer_id)
        second = Bootstrap(
            start.model_copy(update={"initial_peers": ready.addresses, "identity": tmp_path / "other"}),
            tmp_path,
        )
        entered = await second.ready
        assert entered
        assert entered.peer_id != ready.peer_id
        outcomes = [await second.stop(), await first.stop()]
        assert [outcome.ending for outcome in outcomes] == [Ending.STOPPED, Ending.STOPPED]
        again = Bootstrap(start.model_copy(update={"auxiliary": False}), tmp_path)
        revived = await again.ready
        assert revived
        assert revived.peer_id == ready.peer_id
        next(item for item in again.family if item.name() == "p2pd").kill()
        outcome = await again.run
        assert outcome.ending is Ending.FAILED, "it is to be started again"

    asyncio.run(scenario())


@pytest.mark.exhaustive
def test_it_tells_that_its_relay_has_used_up_the_total_of_the_day(manifest: Path, tmp_path: Path) -> None:
    since = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    used = {"day": since.date().isoformat(), "passed": 2_010_000_000, "used_up_at": since.isoformat()}
    (tmp_path / "identity.relayed.json").write_text(json.dumps(used))

    async def scenario() -> None:
        start = StartBootstrap(
            manifest=manifest,
            listen=(ANY_PORT,),
            identity=tmp_path / "identity",
            relay=RelayBounds(gigabytes_a_day=2.0),
        )
        peer = Bootstrap(start, tmp_path)
        async with asyncio.timeout(DEADLINE):
            assert await peer.ready
            assert peer.used_up.done(), "the recorder would be told that it relays"
            until = since + timedelta(days=1)
            assert await peer.used_up == RelayUsedUp(gigabytes=2.01, total=2.0, since=since, until=until)
        outcome = await peer.stop()
        assert outcome.ending is Ending.STOPPED

    asyncio.run(scenario())


def _ended(start: StartBootstrap, folder: Path) -> Outcome:
    async def scenario() -> Outcome:
        return await Bootstrap(start, folder).run

    return asyncio.run(scenario())


def test_a_port_in_use_is_named(manifest: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        start = StartBootstrap(
            manifest=manifest, listen=(f"/ip4/127.0.0.1/tcp/{port}",), identity=tmp_path / "identity"
        )
        outcome = _ended(start, tmp_path)
    assert outcome.ending is Ending.FAILED
    assert f"Port {port}" in outcome.sentence()
    assert "choose another port" in outcome.sentence()


# A port in use ends it by the same way, and `test_dht` has the words about a dead peer.
@pytest.mark.exhaustive
def test_a_dead_initial_peer_is_named(manifest: Path, tmp_path: Path) -> None:
    start = StartBootstrap(
        manifest=manifest, listen=(ANY_PORT,), identity=tmp_path / "identity", initial_peers=(NOBODY,)
    )
    outcome = _ended(start, tmp_path)
    assert outcome.ending is Ending.FAILED
    assert NOBODY in outcome.sentence()


def test_a_manifest_that_is_missing_is_named_before_anything_is_imported(tmp_path: Path) -> None:
    start = StartBootstrap(
        manifest=tmp_path / "none.toml", listen=(ANY_PORT,), identity=tmp_path / "identity"
    )
    channel = Mock(spec=Channel)
    with pytest.raises(CoreError, match=r"none\.toml"):
        serve(start, channel)
    assert not channel.method_calls


def gated(manifest: Path) -> RunGate:
    """Issue the contact part again, with a gate; returns that gate."""
    organiser, gate = SigningKey.generate(), SigningKey.generate()
    open_run = RunManifest.load(manifest)
    contact = open_run.contact.model_copy(update={"gate": GateRules(key=gate.public_key)})
    made = RunManifest.create(open_run.training, contact, organiser)
    made.save(manifest)
    return RunGate(made.training_digest, gate)


def test_behind_a_gate_it_asks_for_a_token(manifest: Path, tmp_path: Path) -> None:
    gated(manifest)
    start = StartBootstrap(manifest=manifest, listen=(ANY_PORT,), identity=tmp_path / "identity")
    outcome = _ended(start, tmp_path)
    assert outcome.failure is not None
    assert outcome.failure.code == "admission"
    assert "A test admits only volunteers" in outcome.sentence()


def test_behind_a_gate_it_is_renewed_and_ends_at_the_end_of_its_input(manifest: Path, tmp_path: Path) -> None:
    gate, identity = gated(manifest), PeerIdentity.load_or_create(tmp_path / "identity")

    async def scenario() -> None:
        start = StartBootstrap(
            manifest=manifest,
            listen=(ANY_PORT,),
            identity=identity.path,
            admission=gate.token(identity, "coordinator"),
        )
        peer = Bootstrap(start, tmp_path)
        assert await peer.ready
        await peer.admit("garbage")
        await peer.admit(gate.token(identity, "coordinator", seconds=900))
        assert (await peer.stop()).ending is Ending.STOPPED
        assert (tmp_path / "bootstrap.log").read_text().count("A new access token is not shown") == 1

    asyncio.run(scenario())
