"""A volunteer's way through the notebooks: a run joined, trained, left and looked at, with a real coordinator."""

import json
import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest
from PIL import Image

from client.api.snapshot import SignInView
from client.paths import HOME_VARIABLE
from tests.desktops.keyring_daemon import NO_BUS
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.joining.organiser import Organiser
from tests.notebooks.execution import Execution, execute, execution
from tests.processes.process_tree import MARK, command_line
from tests.secret_search import find_secret
from tests.swarms.drawable_run import write_drawable_codec
from tests.volunteer import ROOT, VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

PATIENCE = 300.0
"""Time limit in seconds; on a busy machine the trainer takes long to load."""


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture(scope="module")
def organiser(tmp_path_factory: pytest.TempPathFactory, hub: HubServer) -> Iterator[Organiser]:
    """A run whose coordinator serves it."""
    folder = tmp_path_factory.mktemp("run")
    # No test completes it, however quick the machine: each interrupts or kills what trains.
    made = Organiser.begin(folder, prompts=("red heart",), codec=write_drawable_codec, epochs=100_000)
    made.edit_settings(hub.address)
    with made.serving():
        yield made


@pytest.fixture
def anna(tmp_path: Path, hub: HubServer) -> Iterator[VolunteerMachine]:
    """A volunteer with the folder of a notebook, where a daemon runs already, whose trainers listen on loopback."""
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(tmp_path / "anna", environment=environment) as person:
        person.prefer(threads="1")
        person.start()
        yield person


def kernel_environment(person: VolunteerMachine) -> Mapping[str, str]:
    """The environment of a kernel of this person's, which other processes inherit."""
    home = str(person.home)
    own = {HOME_VARIABLE: home, "HOME": home, MARK: home, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return {**os.environ, **person.environment, **own, "IPYTHONDIR": f"{home}/ipython"}


def kernel_of(person: VolunteerMachine) -> psutil.Process:
    return next(each for each in person.family() if "ipykernel_launcher" in command_line(each))


def signed_in(person: VolunteerMachine, hub: HubServer, notebook: Execution) -> SignInView:
    """Enter the code that the notebook shows, as a person does in a browser elsewhere."""
    notebook.await_output("join", "Open http", PATIENCE)
    shown = person.look().sign_in
    assert shown is not None
    assert shown.code in notebook.outputs("join")
    assert f'href="{shown.address}"' in notebook.outputs("join")
    hub.approve(shown.code, "anna")
    return shown


def assert_left_in_order(person: VolunteerMachine) -> None:
    assert person.daemon is not None
    assert person.daemon.wait(PATIENCE) == 0, person.logs()
    wait_until(lambda: not person.family(), "processes are left", PATIENCE, every=COSTLY)


@pytest.mark.timeout(900)
def test_a_run_is_joined_trained_and_left_at_an_interrupt_and_then_looked_at(
    anna: VolunteerMachine, organiser: Organiser, hub: HubServer, tmp_path: Path
) -> None:
    environment, folder = kernel_environment(anna), tmp_path / "work"
    values = {"LINK": organiser.link, "SITE": organiser.address, "HOURS": 2}
    with execution("join", values, environment, folder) as notebook:
        signed_in(anna, hub, notebook)
        assert "A tiny run" in notebook.outputs("look")
        assert organiser.manifest.fingerprint in notebook.outputs("look")
        anna.wait_until(
            lambda seen: seen.contribution is not None and seen.contribution.epochs >= 3,
            "no epochs",
            PATIENCE,
        )
        assert anna.look().run_mode == "always", "nobody sits there"
        notebook.await_output("train", "You gave", PATIENCE)
        assert "Leaves: in 1 h" in notebook.outputs("train")
        kernel_of(anna).send_signal(signal.SIGINT)
    assert notebook.error is None
    assert "Left in order" in notebook.outputs("train")
    assert "You interrupted the cell." in notebook.outputs("train")
    assert_left_in_order(anna)
    shown = tmp_path / "join.ipynb"
    shown.write_text(json.dumps(notebook.notebook))
    assert not [
        token for token in hub.issued() if find_secret(token, [shown, anna.paths.data, anna.paths.logs], [])
    ]

    history = execute("history", {"SITE": organiser.address, "SOURCE": organiser.link}, environment, folder)
    assert "Loss: " in history.outputs("curves")
    assert "HistoryEpoch(epoch=" in history.outputs("numbers")
    assert "What the model draws" in history.outputs("pictures")

    (run,) = (anna.paths.data / "runs").glob("*/run.toml")
    drawing = {"MODEL": str(run.parent), "PROMPTS": ["red heart"], "NUMBER": 2, "SEED": 5}
    drawn = execute("generate", drawing, environment, folder)
    assert drawn.outputs("draw").count("data:image/png;base64,") == 2
    files = sorted((folder / "pictures").glob("red-heart*.png"))
    assert {Image.open(file).size for file in files} >= {(8, 8)}


@pytest.mark.timeout(900)
def test_a_kernel_that_is_killed_leaves_no_process_and_has_told_the_swarm(
    anna: VolunteerMachine, organiser: Organiser, hub: HubServer, tmp_path: Path
) -> None:
    values = {"LINK": organiser.link, "SITE": organiser.address}
    with execution("join", values, kernel_environment(anna), tmp_path / "work") as notebook:
        signed_in(anna, hub, notebook)
        anna.wait_until(lambda seen: seen.trainer is not None, "no trainer", PATIENCE)
        kernel_of(anna).kill()
        assert_left_in_order(anna)
    assert notebook.error is not None, "its kernel died"
