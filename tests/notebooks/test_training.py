"""A notebook and the daemon that it starts itself: preferences, time limits, and an end with the kernel."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from client.api.answers import Status
from client.api.connection import Connection
from client.api.questions import GetStatus
from client.notebook.cells import NotebookError, sentences
from client.notebook.machine import NotebookMachine, notebook_home
from client.notebook.training import NotebookTraining
from client.preferences.preferences import Preferences
from client.preferences.preferences_file import load
from client.service.channel.lock import is_held
from client.unattended.terms import unattended_preferences
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from tests.client.run_server import serving
from tests.gate.served_gate import served_gate
from tests.hub.hub_server import running_hub
from tests.notebooks.drawn_cells import DrawnCells
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import ROOT
from tests.waiting import COSTLY, wait_until

PATIENCE = 60.0


@pytest.fixture
def cells() -> DrawnCells:
    return DrawnCells()


@pytest.fixture
def machine(tmp_path: Path, cells: DrawnCells) -> Iterator[NotebookMachine]:
    made = NotebookMachine(tmp_path / "home", cells)
    yield made
    is_left = is_held(made.paths.lock)
    NotebookTraining(made).leave()
    assert not is_left, "a daemon is left"


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "served"))
    with serving(tmp_path / "served") as server:
        yield str(JoinLink(server.address(), manifest.fingerprint))


def test_a_run_is_shown_before_it_is_joined_and_nothing_is_left(
    machine: NotebookMachine, cells: DrawnCells, link: str
) -> None:
    training = NotebookTraining(machine)
    training.look(link)
    assert cells.text.startswith("A tiny run\nModel: ")
    with Connection.open(machine.paths.socket) as daemon:
        answer = daemon.ask(GetStatus())
    assert isinstance(answer, Status)
    assert (answer.snapshot.run_mode, answer.snapshot.runs) == ("always", ())
    training.train()
    assert cells.pages[-1].text.startswith("Left in order\nNo run is joined.\n")
    assert not is_held(machine.paths.lock)
    training.leave()
    assert cells.pages[-1].text.startswith("Nothing trains here\nYou asked to leave."), "it has left before"


def test_limits_come_from_the_environment(
    machine: NotebookMachine, cells: DrawnCells, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDLEBRUSH_PREF_HOURS", "22:00-07:00")
    training = NotebookTraining(machine)
    training.look(link)
    assert "When: while your limits allow it" in cells.text
    expected = unattended_preferences(Preferences(), {"hours": "22:00-07:00"})
    assert load(machine.paths.preferences)[0] == expected
    training.leave()


def test_what_cannot_be_done_says_why(machine: NotebookMachine, tmp_path: Path) -> None:
    training = NotebookTraining(machine)
    with pytest.raises(NotebookError, match="LINK is empty"):
        training.look(" ")
    with pytest.raises(NotebookError, match="No run was looked at"):
        training.join()
    with pytest.raises(NotebookError, match="no run manifest"):
        training.look(str(tmp_path / "none.toml"))
    with pytest.raises(NotebookError, match="does not name the key"):
        training.look("https://run.example/files/run.toml")
    assert not is_held(machine.paths.lock), "nothing was begun"


def test_a_joined_run_is_left_when_the_time_is_over(
    machine: NotebookMachine, cells: DrawnCells, link: str
) -> None:
    coming: list[KeyboardInterrupt | None] = []

    def connect(path: Path) -> Connection:
        if coming and (interrupt := coming.pop(0)) is not None:
            raise interrupt
        return Connection.open(path)

    training = NotebookTraining(replace(machine, connect=connect))
    training.look(link)
    coming += [None, None, KeyboardInterrupt()]  # once the daemon was asked to join the run
    with pytest.raises(NotebookError, match="You interrupted the cell"):
        training.join()
    training.join()
    assert "Joined: A tiny run" in cells.text
    training.train(hours=0)
    assert cells.pages[-1].text.startswith("Left in order\nThe time that you set is over.")
    assert (
        RunManifest.load(next((machine.paths.data / "runs").glob("*/run.toml"))).contact.title == "A tiny run"
    )


def test_a_sign_in_that_is_interrupted_is_cancelled_and_can_be_begun_again(
    tmp_path: Path, cells: DrawnCells, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(seconds: float) -> None:
        if cells.pages and "Open http" in cells.pages[-1].text:
            raise KeyboardInterrupt
        time.sleep(seconds)

    machine = NotebookMachine(tmp_path / "home", cells, sleep=interrupt)
    with running_hub() as hub, served_gate(tmp_path / "coordinator", hub) as gate:
        hub.openid.echoes_device_nonce = True
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        training = NotebookTraining(machine)
        training.look(gate.link())
        assert f"Sign-in: at {hub.address}, by a code" in cells.text
        for _ in range(2):
            with pytest.raises(NotebookError, match="The sign-in was cancelled"):
                training.join()
            assert f"Open {hub.address}" in cells.pages[-1].text
            cells.draw(sentences("Once more", ()))
        training.leave()
    assert not is_held(machine.paths.lock)


KERNEL = """
import signal, sys
from pathlib import Path
from client.notebook.training import NotebookMachine, NotebookTraining

class Nowhere:
    def draw(self, page): pass

training = NotebookTraining(NotebookMachine(Path(sys.argv[1]), Nowhere))
training.look(sys.argv[2])
print("ready", flush=True)
signal.pause()
"""


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive)]
)
def test_a_daemon_ends_with_the_process_of_the_kernel(
    machine: NotebookMachine, link: str, number: signal.Signals
) -> None:
    command = [sys.executable, "-c", KERNEL, str(machine.home), link]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as kernel:
        assert kernel.stdout is not None
        assert kernel.stdout.readline() == "ready\n"
        assert is_held(machine.paths.lock)
        kernel.send_signal(number)
    wait_until(lambda: not is_held(machine.paths.lock), "the daemon goes on", PATIENCE, every=COSTLY)


def test_notebooks_have_a_folder_of_their_own(tmp_path: Path) -> None:
    assert notebook_home({"IDLEBRUSH_HOME": str(tmp_path)}) == tmp_path
    assert notebook_home({}) == Path.home() / ".idlebrush-notebook"
