"""A coordinator as the organiser's command, with all of its real processes, and a gate before the swarm."""

import os
import signal
import socket
import time
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from coordinator.home import Home
from coordinator.settings import GateSettings, Settings
from core.admission.access_token import AccessToken, issue
from core.errors import AdmissionError
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.admission import Admission
from core.swarm.dht import Network, start_dht
from core.swarm.membership.run_state import RunStateValidator
from core.swarm.wire.identity import PeerIdentity
from tests.coordinator.homes import loopback_settings, make_home
from tests.processes.process_tree import ProcessTree, started

MODULES = {
    "web": "coordinator.web.process",
    "recorder": "coordinator.recorder.process",
    "publisher": "coordinator.publisher.process",
    "bootstrap": "coordinator.bootstrap",
}
SECONDS_TO_VANISH = 10.0


def served(home: Home) -> AbstractContextManager[ProcessTree]:
    return started("-m", "client.cli", "coordinator", "serve", home.root, "--headless")


def wait_until_all_run(tree: ProcessTree) -> None:
    for _ in MODULES:
        tree.wait_for(rf"^({'|'.join(MODULES)}): running")


def assert_answers(home: Home) -> None:
    with urllib.request.urlopen(f"{Settings.load(home.settings).address}/run.toml", timeout=60) as answer:
        assert answer.read() == home.manifest.read_bytes()


def assert_lets_in(home: Home, folder: Path) -> None:
    """A peer with a token of the gate's enters by the manifest's addresses; one without does not even try."""
    manifest = RunManifest.load(home.manifest)
    identity = PeerIdentity.load_or_create(folder / "identity")
    with pytest.raises(AdmissionError):
        Admission.of_run(manifest, identity.peer_id, None)
    now, run = int(time.time()), manifest.training_digest
    token = AccessToken(run, "ada", identity.peer_id.to_base58(), now, now + 3600)
    dht = start_dht(
        Network(initial_peers=manifest.contact.initial_peers, client_mode=True),
        identity,
        prefix=manifest.dht_prefix,
        total_epochs=10,
        validators=[RunStateValidator(manifest)],
        admission=Admission.of_run(manifest, identity.peer_id, issue(token, SigningKey.load(home.gate_key))),
    )
    dht.shutdown()


# `test_website` kills real processes of a website, and the tests of the recorder in a swarm kill a real recorder; who
# peers enter by, and who gives them the state, listen on ports and have to come back as the same.
@pytest.mark.timeout(900)  # it starts a dozen processes one after the other, which takes 30 s of a core
@pytest.mark.parametrize(
    "killed", [("publisher", "bootstrap"), pytest.param(tuple(MODULES), marks=pytest.mark.exhaustive)]
)
def test_each_process_falls_alone_and_the_coordinator_comes_back_where_it_was(
    tmp_path: Path, killed: tuple[str, ...]
) -> None:
    home = make_home(tmp_path, loopback_settings(GateSettings(client_id="ours")))
    with served(home) as tree:
        wait_until_all_run(tree)
        issued = RunManifest.load(home.manifest)
        assert_answers(home)
        assert_lets_in(home, tmp_path)
        for name in killed:
            module = MODULES[name]
            others = {pid for other in MODULES.values() if other != module for pid in tree.running(other)}
            os.kill(tree.running(module)[0], signal.SIGKILL)
            tree.wait_for(f"^{name}: running")
            assert others <= tree.alive(), name
        assert_answers(home)
        assert_lets_in(home, tmp_path)
        pids = tree.alive()
        tree.process.kill()
        assert tree.vanishes(pids, SECONDS_TO_VANISH), tree.describe()
    with served(home) as again:
        again.wait_for("^web: running")
        assert_answers(home)
        again.process.send_signal(signal.SIGTERM)
        assert again.end() == 0, again.output
        assert not again.alive()
    assert RunManifest.load(home.manifest) == issued


@pytest.mark.exhaustive
def test_a_port_of_the_swarm_that_is_taken_ends_it_in_words(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    port = int(Settings.load(home.settings).swarm.listen[0].rpartition("/")[2])
    with socket.create_server(("127.0.0.1", port)), served(home) as tree:
        assert tree.end() == 2
    assert f"Port {port}" in tree.output
