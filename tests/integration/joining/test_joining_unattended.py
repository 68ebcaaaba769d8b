"""`idlebrush join --unattended` through a real gate: nobody is asked, and nothing shows the pass."""

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.admission.server_pass import ServerPass
from client.api.snapshot import Activity
from client.paths import HOME_VARIABLE
from client.preferences.preferences_file import load
from tests.command_line import idlebrush
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import ServedGate, served_gate
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.front_end import begun
from tests.integration.joining.stand_in_member import member_settings
from tests.secret_search import find_secret
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

_COMMAND = (sys.executable, "-m", "tests.integration.unattended_command")


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory, hub: HubServer) -> Iterator[ServedGate]:
    with served_gate(tmp_path_factory.mktemp("coordinator"), hub) as gate:
        yield gate


@pytest.fixture(scope="module")
def server_pass(tmp_path_factory: pytest.TempPathFactory, hub: HubServer, gate: ServedGate) -> Path:
    """The file that anna's laptop has made, where she signed in."""
    laptop = VolunteerMachine(tmp_path_factory.mktemp("laptop"), {**NO_BUS, "HF_ENDPOINT": hub.address})
    file = laptop.home / "server.pass"
    with begun(laptop, "server-pass", gate.link(), str(file), "--no-browser") as making:
        assert making.stdout
        output = ""
        while not (code := re.search(r"enter the code (\S+) before", output)):
            line = making.stdout.readline()
            assert line, f"{output}{making.stderr and making.stderr.read()}"
            output += line
        hub.approve(code[1], "anna")
        rest, errors = making.communicate(timeout=PATIENCE)
    assert making.returncode == 0, errors
    assert "admits one computer to A gated run as anna" in " ".join(rest.split())
    assert file.stat().st_mode & 0o777 == 0o600
    assert find_secret(secret_of(file), [laptop.home]) == [str(file)], "the laptop keeps nothing else"
    return file


@pytest.fixture
def home(tmp_path: Path, hub: HubServer) -> dict[str, str]:
    return {**os.environ, **NO_BUS, HOME_VARIABLE: str(tmp_path / "home"), "HF_ENDPOINT": hub.address}


def secret_of(server_pass: Path) -> str:
    return ServerPass.model_validate_json(server_pass.read_bytes()).membership.secret.get_secret_value()


def test_a_run_with_a_gate_needs_a_person_or_a_pass(gate: ServedGate, home: dict[str, str]) -> None:
    done = idlebrush("join", gate.link(), "--unattended", environment=home)
    assert done.returncode == 4
    assert "asks its volunteers to sign in with a browser, which needs a person" in " ".join(
        done.stderr.split()
    )
    assert "idlebrush server-pass LINK FILE" in done.stderr
    assert not list(Path(home[HOME_VARIABLE]).glob("data/runs/*/*.parquet")), "nothing was downloaded"
    assert not list(Path(home[HOME_VARIABLE]).glob("config/*")), "nothing was changed"


@pytest.mark.parametrize("damage", ["cut off", "of another run", "missing"])
def test_a_pass_that_cannot_be_used_is_refused_without_a_word_of_it(
    damage: str, gate: ServedGate, server_pass: Path, home: dict[str, str], tmp_path: Path
) -> None:
    brought, content = tmp_path / "brought", server_pass.read_text()
    if damage == "cut off":
        brought.write_text(content[:-20])
    elif damage == "of another run":
        other = json.loads(content)
        other["membership"]["run"] = "0" * 64
        brought.write_text(json.dumps(other))
    done = idlebrush("join", gate.link(), "--unattended", "--pass", brought, environment=home)
    assert done.returncode == 4
    assert "idlebrush server-pass LINK FILE" in done.stderr
    assert secret_of(server_pass) not in done.stdout + done.stderr
    kept = Path(home[HOME_VARIABLE])
    assert not find_secret(secret_of(server_pass), [kept])


@pytest.fixture
def told(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE)
        yield listening


@pytest.fixture
def server(
    tmp_path: Path, hub: HubServer, gate: ServedGate, server_pass: Path, told: socket.socket
) -> Iterator[VolunteerMachine]:
    environment = {
        **NO_BUS,
        "HF_ENDPOINT": hub.address,
        "NOTIFY_SOCKET": str(told.getsockname()),
        "IDLEBRUSH_PASS": server_pass.read_text(),
        "IDLEBRUSH_PREF_THREADS": "1",
    }
    with volunteer_at(
        tmp_path / "server",
        environment=environment,
        settings=member_settings(tmp_path / "taken-back"),
        within=(*_COMMAND, gate.link()),
    ) as server:
        yield server


def test_a_server_trains_until_it_is_asked_to_end_and_leaves_nothing(
    server: VolunteerMachine, server_pass: Path, told: socket.socket
) -> None:
    server.start()
    assert told.recv(100) == b"READY=1"
    seen = server.wait_for(Activity.TRAINING)
    assert seen.run_mode == "always"
    assert seen.membership is not None
    assert seen.membership.name == "anna"
    limits, _ = load(server.paths.preferences)
    assert (limits.upload, limits.threads) == (2_000_000, 1), "by an option, and by a variable"

    secret, pids = secret_of(server_pass), [process.pid for process in server.family()]
    assert len(pids) > 1
    (kept,) = find_secret(secret, [server.home], pids)
    assert Path(kept).parent == server.paths.memberships
    assert Path(kept).stat().st_mode & 0o777 == 0o600

    assert server.daemon is not None
    server.daemon.send_signal(signal.SIGTERM)
    assert server.daemon.wait(PATIENCE) == 0, server.logs()
    assert told.recv(100) == b"STOPPING=1"
    wait_until(lambda: not server.family(), "processes are left", every=COSTLY)
    assert "Daemon ended." in (server.home / "daemon.out").read_text(), "it logs to standard error too"


def test_a_second_daemon_is_refused_before_anything_is_changed(tmp_path: Path, home: dict[str, str]) -> None:
    run = write_tiny_run(tmp_path / "run")
    with volunteer_at(tmp_path / "home") as person:
        person.start()
        done = idlebrush("join", run, "--unattended", environment=home)
        assert done.returncode == 2
        assert "A daemon of yours runs already" in done.stderr
        assert not person.paths.preferences.exists()
