"""A bootstrap peer on another machine is added to a running run: newcomers enter by it without the coordinator."""

import re
import shutil
import signal
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from coordinator.contact import join_link
from coordinator.home import Home
from coordinator.settings import GateSettings, Settings
from core.messages.events import EpochCommitted
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.wire.identity import PeerIdentity
from core.trainer.settings import TrainerSettings
from tests.command_line import idlebrush
from tests.coordinator.homes import free_port, loopback_settings, make_home
from tests.gate.run_gate import RunGate
from tests.processes.process_tree import ProcessTree, started
from tests.swarms.trainer_process import TrainerProcess
from tests.waiting import wait_until

SECONDS_TO_VANISH = 10.0


def served(home: Home) -> AbstractContextManager[ProcessTree]:
    return started("-m", "client.cli", "coordinator", "serve", home.root, "--headless")


def added(folder: Path, link: str, address: str) -> AbstractContextManager[ProcessTree]:
    return started("-m", "client.cli", "coordinator", "bootstrap", folder, link, "--address", address)


def link_of(home: Home) -> str:
    return join_link(RunManifest.load(home.manifest), Settings.load(home.settings))


def contact(home: Home, verb: str, *words: object) -> str:
    done = idlebrush("coordinator", "contact", verb, *words, "--home", home.root)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Volunteers:
    """Trainers of a gated run, each with the manifest that it joined by."""

    def __init__(self, folder: Path, home: Home) -> None:
        self._folder, self._home = folder, home
        self._gate = RunGate(RunManifest.load(home.manifest).training_digest, SigningKey.load(home.gate_key))
        self._all: list[TrainerProcess] = []

    def join(self, name: str) -> TrainerProcess:
        """Start a trainer by the run's files as they are now."""
        run, state = self._folder / name / "run", self._folder / name / "trainer"
        shutil.copytree(self._home.manifest.parent, run)
        token = self._gate.token(PeerIdentity.load_or_create(state / "identity"), name)
        settings = TrainerSettings(
            manifest=run / self._home.manifest.name,
            state_dir=state,
            seed=len(self._all),
            admission=token,
        )
        self._all.append(TrainerProcess(settings))
        return self._all[-1]

    def close(self) -> None:
        for trainer in self._all:
            trainer.kill()


def test_a_newcomer_enters_by_an_added_bootstrap_peer_once_the_coordinator_is_gone(tmp_path: Path) -> None:
    home = make_home(tmp_path, loopback_settings(GateSettings(client_id="ours")))
    address = f"/ip4/127.0.0.1/tcp/{free_port()}"
    with served(home) as coordinator:
        coordinator.wait_for("^web: running")
        before = RunManifest.load(home.manifest)
        volunteers = Volunteers(tmp_path, home)
        try:
            with added(tmp_path / "second", link_of(home), address) as second:
                named = re.search(r"contact add (\S+)", second.wait_for("does not name it"))
                assert named
                second.wait_for("no access token: The run's contact part does not name the peer")
                contact(home, "add", named[1])
                second.wait_for("^running: the swarm is entered at")
                # It calls the coordinator's peer in the background: who enters by it before finds no other.
                log = Home(tmp_path / "second").log("bootstrap")
                wait_until(lambda: "are neighbours now" in log.read_text(), "it meets nobody", seconds=60)
                after = RunManifest.load(home.manifest)
                assert after.contact.initial_peers == (*before.contact.initial_peers, named[1])
                assert after.contact.serial == before.contact.serial + 1

                ada = volunteers.join("ada")
                ada.wait_for(EpochCommitted)
                pids = coordinator.alive()
                coordinator.process.kill()
                assert coordinator.vanishes(pids, SECONDS_TO_VANISH), coordinator.describe()
                eve = volunteers.join("eve")
                joined = epoch_of_more(eve)
                ada.wait_for(EpochCommitted, epoch=joined)
        finally:
            volunteers.close()


def epoch_of_more(trainer: TrainerProcess) -> int:
    """Wait until this trainer and others made an epoch, with its own samples in it."""
    while True:
        event = trainer.wait_for(EpochCommitted)
        if event.peers > 1 and event.own_samples:
            return event.epoch


@pytest.mark.exhaustive
def test_it_keeps_its_identity_and_starts_where_no_other_answers_then_both_meet(tmp_path: Path) -> None:
    home, folder = make_home(tmp_path), tmp_path / "second"
    address = f"/ip4/127.0.0.1/tcp/{free_port()}"
    with served(home) as coordinator:
        coordinator.wait_for("^web: running")
        with added(folder, link_of(home), address) as second:
            second.wait_for("^running: ")
            entry = next(item for item in contact_lines(second) if item.startswith(address))
            contact(home, "add", entry)
            second.wait_for("the run's contact part names it")
            second.process.send_signal(signal.SIGTERM)
            assert second.end() == 0, second.output
            assert not second.alive()
        link = link_of(home)
        coordinator.process.send_signal(signal.SIGTERM)
        assert coordinator.end() == 0, coordinator.output
    log = Home(folder).log("bootstrap")
    with added(folder, link, address) as alone:
        alone.wait_for("The manifest that is kept here is used")
        alone.wait_for(f"^running: the swarm is entered at {entry}")
        wait_until(lambda: "failed (" in log.read_text(), "it does not call the coordinator's peer")
        with served(home) as again:
            again.wait_for("^web: running")
            assert entry in contact(home, "list")
            wait_until(lambda: "succeeded at attempt" in log.read_text(), "they do not meet", 60)


def contact_lines(tree: ProcessTree) -> list[str]:
    return re.findall(r"\S+/p2p/\S+", tree.output)
