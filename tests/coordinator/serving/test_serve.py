"""A coordinator over stand-ins: each process is kept on its own, and nothing is left when it ends."""

import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from coordinator.contact import join_link
from coordinator.errors import CoordinatorError
from coordinator.home import Home
from coordinator.serving.foreground import serve
from coordinator.settings import PackageSettings, Settings
from core.errors import CoreError
from core.run.manifest import RunManifest
from tests.coordinator.homes import make_home
from tests.coordinator.packages.built import RPM, build
from tests.coordinator.stand_in_serve import STAND_INS
from tests.processes.process_tree import ProcessTree, started

COMMAND = Path(__file__).parents[1] / "stand_in_serve.py"
BOOTSTRAP, PEER = "tests.client.stand_ins.bootstrap", "tests.coordinator.stand_in_peer"
WEB = "tests.coordinator.stand_in_web"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def wait_until_all_run(tree: ProcessTree) -> None:
    for _ in range(4):
        tree.wait_for(r"^(bootstrap|recorder|publisher|web): running")


def test_it_says_how_to_join_and_ends_in_order(home: Home) -> None:
    before, settings = RunManifest.load(home.manifest), Settings.load(home.settings)
    with started(COMMAND, home.root) as tree:
        wait_until_all_run(tree)
        assert home.is_served
        with pytest.raises(CoordinatorError, match="Another coordinator serves"):
            serve(home, {}, lambda _: None, STAND_INS)
        tree.process.send_signal(signal.SIGINT)
        assert tree.end() == 0
        assert not tree.alive()
    after = RunManifest.load(home.manifest, seen=before)
    assert after.contact.initial_peers == ("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWBxMw",)
    assert after.contact.coordinator == settings.address
    assert join_link(after, settings) in tree.output
    assert after.fingerprint in tree.output
    assert f"the website answers at: http://127.0.0.1:{settings.web.port}" in tree.output
    assert "is not started again" not in tree.output
    assert not home.is_served


def test_what_is_killed_comes_back_alone_and_nothing_outlives_the_coordinator(home: Home) -> None:
    with started(COMMAND, home.root) as tree:
        wait_until_all_run(tree)
        for victim in (WEB, PEER, BOOTSTRAP):
            others = {pid for module in {BOOTSTRAP, PEER, WEB} - {victim} for pid in tree.running(module)}
            os.kill(tree.running(victim)[0], signal.SIGKILL)
            tree.wait_for("SIGKILL.* It is started again")
            tree.wait_for(": running")
            assert others <= tree.alive()
        log = home.log("coordinator").read_text()
        for name in ("web", "bootstrap"):
            assert re.search(rf"WARNING .*: {name}: .*SIGKILL.* It is started again", log)
        pids = tree.alive()
        tree.process.kill()
        assert tree.vanishes(pids, 10), tree.describe()


def test_a_website_that_cannot_be_leaves_the_others_alone(home: Home) -> None:
    (home.root / "refuse-web").touch()
    with started(COMMAND, home.root) as tree:
        tree.wait_for("The website is not to be")
        others = {*tree.running(BOOTSTRAP), *tree.running(PEER)}
        (home.root / "refuse-web").unlink()
        tree.wait_for("web: running")
        assert others <= tree.alive()
        tree.process.send_signal(signal.SIGTERM)
        assert tree.end() == 0


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda home: home.settings.unlink(), "coordinator.toml cannot be read"),
        (lambda home: home.manifest.unlink(), "run.toml cannot be read"),
        (lambda home: home.organiser_key.unlink(), "organiser.pem cannot be read"),
        (lambda home: home.database.write_bytes(b"no database " * 1000), "not a SQLite database"),
        (lambda home: home.settings.write_text("[web]\nport = 'eight'"), "web.port"),
    ],
    ids=["settings", "manifest", "key", "database", "damaged settings"],
)
def test_what_cannot_begin_is_reported_before_anything_is_started(
    home: Home, harm: Callable[[Home], object], words: str
) -> None:
    harm(home)
    _assert_refused(home, words)


def test_a_port_that_is_taken_is_reported_before_anything_is_started(home: Home) -> None:
    with socket.create_server(("127.0.0.1", Settings.load(home.settings).web.port)):
        _assert_refused(home, "choose another host or port")


def test_a_package_that_is_damaged_is_reported_before_anything_is_started(home: Home) -> None:
    folder = home.root / "packages"
    build(folder)
    content = (folder / RPM).read_bytes()
    (folder / RPM).write_bytes(content[:-1] + b"?")
    settings = Settings.load(home.settings)
    settings.model_copy(update={"packages": PackageSettings(folder="packages")}).save(home.settings)
    _assert_refused(home, "differs from its listed digest")


def _assert_refused(home: Home, words: str) -> None:
    shown: list[object] = []
    with pytest.raises(CoreError, match=words):
        serve(home, {}, shown.append, STAND_INS)
    assert not shown
