"""Which membership counts where no person can be asked: that of a pass, or the one that is kept here."""

import asyncio
from pathlib import Path

import pytest

from client.admission.membership import RunMembership
from client.admission.memberships import Memberships, Places
from client.admission.server_pass import ServerPass
from client.api.errors import JoinError, PersonNeeded
from client.paths import Paths
from client.service.channel.lock import DaemonLock
from client.service.context import IDENTITY
from client.service.trainer.run import PEER
from client.state_file import utc_now
from client.tasks import TaskRunner
from client.unattended.admitting import UnattendedAdmission
from client.unattended.notes import UnattendedNotes
from core.admission.peer_key import PeerKey
from core.run.contact import GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run

COORDINATOR = "https://example.org"


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> RunManifest:
    key = SigningKey.generate()
    path = write_tiny_run(tmp_path_factory.mktemp("run"), gate=GateRules(key=key.public_key))
    made = RunManifest.load(path)
    contact = made.contact.model_copy(update={"coordinator": COORDINATOR})
    return RunManifest.create(made.training, contact, key)


class HeadlessServer:
    """A server on which a run is started again and again."""

    def __init__(self, folder: Path, manifest: RunManifest) -> None:
        self.paths = Paths.of_user({"IDLEBRUSH_HOME": str(folder / "home")})
        self._manifest, self._folder = manifest, folder
        self.paths.prepare()
        self.identity = self.paths.run(manifest.training_digest) / PEER / IDENTITY

    def pass_of(self, name: str, run: str | None = None) -> Path:
        """Write a pass of a volunteer of that name, with a new peer's key."""
        PeerKey.load_or_create(self._folder / f"{name}.key")
        file = self._folder / f"{name}.pass"
        ServerPass.of(self._membership(name, run), self._folder / f"{name}.key").save(file)
        return file

    def sign_in(self, name: str) -> None:
        """Sign in as `idlebrush join --keep file` does."""
        asyncio.run(self._members().take(self._membership(name)))

    def start(self, server_pass: Path | None, *, owns_lock: bool = True) -> str:
        """Start, and return the name of the member whom the run sees then."""
        notes = UnattendedNotes(self.paths.unattended, pytest.fail)
        UnattendedAdmission(self.paths, notes, server_pass, {}, owns_lock).admit(self._manifest)
        found = asyncio.run(self._members().load(self._manifest.training_digest))
        assert found is not None
        return found.name

    def _members(self) -> Memberships:
        places = Places(self.paths.memberships, lambda run: self.identity)
        return Memberships(TaskRunner(self.paths.log("tasks")), "", places, lambda: None, utc_now)

    def _membership(self, name: str, run: str | None = None) -> RunMembership:
        values = {"coordinator": COORDINATOR, "run": run or self._manifest.training_digest}
        return RunMembership.model_validate({"name": name, "secret": f"secret of {name}", **values})


@pytest.fixture
def server(tmp_path: Path, manifest: RunManifest) -> HeadlessServer:
    return HeadlessServer(tmp_path, manifest)


def test_a_later_sign_in_is_kept_over_a_restart_with_the_old_pass(server: HeadlessServer) -> None:
    brought = server.pass_of("anna")
    assert server.start(brought) == "anna"
    server.sign_in("ben")
    server.identity.unlink()
    PeerKey.load_or_create(server.identity)
    key = server.identity.read_bytes()
    assert server.start(brought) == "ben"
    assert server.identity.read_bytes() == key


def test_another_pass_is_taken(server: HeadlessServer) -> None:
    assert server.start(server.pass_of("anna")) == "anna"
    first = server.identity.read_bytes()
    assert server.start(server.pass_of("cleo")) == "cleo"
    assert server.identity.read_bytes() != first


def test_a_daemon_that_runs_gets_no_other_membership(server: HeadlessServer) -> None:
    brought = server.pass_of("anna")
    with (
        DaemonLock(server.paths.lock, server.paths.socket),
        pytest.raises(JoinError, match="A daemon of yours runs"),
    ):
        server.start(brought, owns_lock=False)
    assert not server.identity.exists()
    assert server.start(brought, owns_lock=False) == "anna"


def test_without_both_a_person_is_needed(server: HeadlessServer) -> None:
    with pytest.raises(PersonNeeded, match="asks its volunteers to sign in"):
        server.start(None)
    server.sign_in("ben")
    assert server.start(None) == "ben"


@pytest.mark.parametrize("damage", ["missing", "cut off", "of another run", "no key"])
def test_only_a_person_can_mend_a_pass(server: HeadlessServer, damage: str) -> None:
    brought = server.pass_of("anna", run="0" * 64 if damage == "of another run" else None)
    text = brought.read_text()
    match damage:
        case "missing":
            brought.unlink()
        case "cut off":
            brought.write_text(text[:-20])
        case "no key":
            made = ServerPass.model_validate_json(text)
            brought.write_text(text.replace(made.identity.get_secret_value(), "YWJj"))
    with pytest.raises(PersonNeeded, match=r"pass|read"):
        server.start(brought)
    assert not server.identity.exists()
