"""`idlebrush setup` over a real daemon that lacks its environment, and verbs that go on in one."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import venv
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from client.api.environment import (
    EnvironmentView,
    SetupPlanView,
    SetupStage,
    TurnOnWsl,
    WslAction,
    WslStage,
    WslView,
    WslWarning,
)
from client.api.errors import SetupError
from client.api.protocol import ProblemView
from client.console.join_dialogue import Dialogue, JoinOptions
from client.console.setup_dialogue import SetupDialogue, progress_sentence
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, write_record
from client.joining.invitation import read_invitation
from client.paths import HOME_VARIABLE, Paths
from core.children.processes import kill
from tests.client.environment.offered import OfferedPackages, offered_packages
from tests.client.imports.test_light_set import METADATA
from tests.client.listening_daemon import listening
from tests.client.snapshots import IDLE, NOW
from tests.command_line import COMMAND, idlebrush
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import ROOT, VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

VIEW = EnvironmentView(stage=SetupStage.FETCHING, is_usable=False, is_wanted=True)
PROBLEM = ProblemView(code="download", what="The server is away.", remedy="Try again later.")


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[OfferedPackages]:
    with offered_packages(tmp_path / "served") as offered:
        yield offered


@pytest.fixture
def volunteer(tmp_path: Path, offered: OfferedPackages) -> Iterator[VolunteerMachine]:
    settings = {"packages": offered.source.model_dump()}
    with volunteer_at(tmp_path / "home", settings=settings) as volunteer:
        volunteer.start()
        yield volunteer


def home_of(volunteer: VolunteerMachine) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(volunteer.home), "COLUMNS": "200"}


def setting_up(home: dict[str, str]) -> "subprocess.Popen[str]":
    """The command, as a process whose output is read."""
    return subprocess.Popen([*COMMAND, "setup", "--yes"], env=home, stdout=subprocess.PIPE, text=True)


def dialogue(volunteer: VolunteerMachine, answers: list[bool]) -> tuple[Dialogue, StringIO]:
    """The conversation of `join` where what computes needs an environment."""
    shown = StringIO()
    python = TrainerPython(EnvironmentPlaces(volunteer.paths.environment), is_own=False)
    return Dialogue(Console(file=shown, width=200), lambda _: answers.pop(0), volunteer.paths, python), shown


def test_a_plan_is_shown_and_nothing_is_done_without_consent(
    volunteer: VolunteerMachine, offered: OfferedPackages, tmp_path: Path
) -> None:
    home = home_of(volunteer)
    planned = json.loads(idlebrush("setup", "--plan", "--json", environment=home).stdout)
    assert (planned["variant"], planned["download_bytes"]) == ("cpu", offered.variant.size)
    declined = idlebrush("setup", environment=home, types="n\n")
    assert declined.returncode == 1
    assert "packages for cpu" in declined.stdout
    run = read_invitation(str(write_tiny_run(tmp_path / "run")), None)
    assert dialogue(volunteer, [False])[0].hold(run, JoinOptions(benchmark_seconds=None)) is None
    refused = idlebrush("setup", "--pause", environment=home)
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (2, "idlebrush: No set-up is under way.")
    assert not list(volunteer.paths.environment.glob("wheels/*"))


def test_a_download_outlives_the_terminal_and_the_daemon_and_joining_waits_for_it(
    volunteer: VolunteerMachine, offered: OfferedPackages, tmp_path: Path
) -> None:
    """Ctrl-C ends the command alone. A daemon that is killed leaves no process, and the next one goes on there."""
    home = home_of(volunteer)
    volunteer.prefer(download="40 kB/s")
    with setting_up(home) as command:
        volunteer.wait_until(lambda seen: bool(seen.environment and seen.environment.done), "nothing arrives")
        command.send_signal(signal.SIGINT)
        said, _ = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "continues in the background" in said
    assert volunteer.daemon is not None
    kill(volunteer.daemon.pid)
    volunteer.daemon.wait()
    wait_until(lambda: not volunteer.family(), f"it leaves {volunteer.family()}", every=COSTLY)
    here = next(volunteer.paths.environment.rglob("*.part")).stat().st_size
    offered.server.asked.clear()
    volunteer.prefer(download="unlimited")
    volunteer.start()
    joining, shown = dialogue(volunteer, [True, True])
    run = read_invitation(str(write_tiny_run(tmp_path / "run")), None)
    assert joining.hold(run, JoinOptions(benchmark_seconds=None)) is not None
    assert "What training needs is installed" in shown.getvalue()
    assert offered.server.asked[0] == (f"/{offered.torch}", f"bytes={here}-")
    assert not list(volunteer.paths.environment.glob("wheels/*"))
    again = idlebrush("setup", "--json", environment=home)
    assert (again.returncode, json.loads(again.stdout)["is_usable"]) == (0, True)
    assert "is installed already" in again.stderr


@pytest.mark.exhaustive
def test_a_download_is_paused_and_cancelled(volunteer: VolunteerMachine) -> None:
    home = home_of(volunteer)
    volunteer.prefer(download="40 kB/s")
    with setting_up(home) as command:
        volunteer.wait_until(lambda seen: bool(seen.environment and seen.environment.done), "nothing arrives")
        assert idlebrush("setup", "--pause", environment=home).stdout == "The set-up is paused.\n"
        assert idlebrush("setup", "--cancel", environment=home).returncode == 0
        said, _ = command.communicate(timeout=60)
    assert command.returncode == 1
    assert "The set-up was cancelled." in said
    assert not list(volunteer.paths.environment.glob("wheels/*"))


def test_one_order_at_a_time(tmp_path: Path) -> None:
    done = idlebrush("setup", "--pause", "--cancel", environment={HOME_VARIABLE: str(tmp_path)})
    assert done.returncode == 2
    assert "Give one of" in done.stderr


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"is_planning": True}, "Fetching the list of packages."),
        ({"is_working": True, "done": 1_000_000, "total": 3_000_000}, "Downloading: 1.0 MB of 3.0 MB."),
        ({"stage": SetupStage.TESTING, "total": 1}, "Testing the packages on this computer."),
        (
            {"waiting": "The network connection is metered."},
            "The set-up waits. The network connection is metered.",
        ),
        ({"problem": PROBLEM}, "The server is away."),
        ({"wsl": WslView(stage=WslStage.IMPORTING)}, "Importing Linux for training into WSL."),
        (
            {"wsl": WslView(stage=WslStage.READY), "stage": SetupStage.TESTING},
            "Testing the packages on this computer.",
        ),
    ],
)
def test_progress_in_words(changes: dict[str, object], sentence: str) -> None:
    assert progress_sentence(VIEW.model_copy(update=changes)) == sentence


def test_the_next_attempt_has_its_time() -> None:
    view = VIEW.model_copy(update={"problem": PROBLEM, "retry_at": NOW})
    assert re.fullmatch(r"The server is away. The next attempt is at \d\d:\d\d\.", progress_sentence(view))


@pytest.mark.parametrize("agrees", [True, False])
def test_wsl_is_turned_on_if_the_volunteer_agrees(tmp_path: Path, agrees: bool) -> None:
    paths, asked = Paths.of_user({HOME_VARIABLE: str(tmp_path)}), list[str]()
    off = WslView(
        stage=WslStage.BLOCKED, action=WslAction.TURN_ON_WSL, what="WSL is off.", remedy="Turn it on."
    )
    turned_off = VIEW.model_copy(update={"wsl": off, "problem": PROBLEM})
    restart = PROBLEM.model_copy(update={"what": "Windows has to restart."})
    working = IDLE.model_copy(update={"environment": VIEW.model_copy(update={"is_working": True})})
    with listening(paths, working) as daemon:

        def ask(question: str) -> bool:
            asked.append(question)
            view = VIEW.model_copy(update={"problem": restart})
            daemon.show(IDLE.model_copy(update={"environment": view}))
            return agrees

        shown = StringIO()
        dialogue = SetupDialogue(Console(file=shown, width=200), ask, paths)
        threading.Timer(0.5, daemon.show, (IDLE.model_copy(update={"environment": turned_off}),)).start()
        if agrees:
            with pytest.raises(SetupError, match="has to restart"):
                dialogue.hold(consented=True)
        else:
            assert not dialogue.hold(consented=True)
        assert any(isinstance(request, TurnOnWsl) for request in daemon.requests) == agrees
    assert len(asked) == 1
    assert "WSL is off. Turn it on." in shown.getvalue()


class WatchedTerminal(StringIO):
    """A terminal that calls ``seen`` once it shows the words."""

    def __init__(self, words: str, seen: Callable[[], None]) -> None:
        super().__init__()
        self._words, self._seen = words, seen

    def write(self, text: str) -> int:
        if self._words in text:
            self._words = "\0"
            self._seen()
        return super().write(text)


def test_a_terminal_shows_a_bar_until_all_is_installed(tmp_path: Path) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    moving = {"is_working": True, "package": "torch", "done": 1_000_000, "total": 3_000_000}
    plan = SetupPlanView(
        is_needed=False,
        variant="cpu",
        title="Packages for the processor",
        why="No GPU.",
        is_fallback=False,
        download_bytes=0,
        disk_bytes=0,
    )
    ready = EnvironmentView(
        stage=SetupStage.READY,
        is_usable=True,
        is_wanted=True,
        plan=plan,
        why="There is no GPU.",
        wsl=WslView(
            stage=WslStage.READY,
            warnings=(WslWarning(action=WslAction.UPDATE_WSL, what="WSL is old.", remedy="Update it."),),
        ),
    )
    working = IDLE.model_copy(update={"environment": VIEW.model_copy(update=moving)})
    with listening(paths, working) as daemon:
        shown = WatchedTerminal(
            "Downloading torch", lambda: daemon.show(IDLE.model_copy(update={"environment": ready}))
        )
        console = Console(file=shown, width=200, force_terminal=True)
        assert SetupDialogue(console, lambda _: False, paths).hold(consented=True)
    assert "1.0/3.0 MB" in shown.getvalue()
    assert "What training needs is installed. There is no GPU." in shown.getvalue()
    assert "WSL is old. Update it." in shown.getvalue()


def test_a_failure_ends_the_verb_with_its_remedy(tmp_path: Path) -> None:
    home = {HOME_VARIABLE: str(tmp_path)}
    failed = VIEW.model_copy(update={"stage": SetupStage.FAILED, "problem": PROBLEM, "is_planning": False})
    working = failed.model_copy(update={"stage": SetupStage.FETCHING, "is_working": True})
    with listening(Paths.of_user(home), IDLE.model_copy(update={"environment": working})) as daemon:
        daemon.show(IDLE.model_copy(update={"environment": working}))
        command = [*COMMAND, "setup", "--yes"]
        with subprocess.Popen(
            command, env={**os.environ, **home}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as ending:
            assert ending.stdout is not None
            assert ending.stdout.readline(), "it shows nothing"
            daemon.show(IDLE.model_copy(update={"environment": failed}))
            _, said = ending.communicate(timeout=60)
    assert ending.returncode == 2
    assert said.splitlines() == ["idlebrush: The server is away.", "Try again later."]


def test_a_verb_goes_on_in_the_environment(tmp_path: Path) -> None:
    """The Python of this process says that the trainer's packages are missing; that of the environment has them."""
    (tmp_path / "light" / "idlebrush-9.dist-info").mkdir(parents=True)
    (tmp_path / "light" / "idlebrush-9.dist-info" / "METADATA").write_text(METADATA)
    environment = {
        **os.environ,
        HOME_VARIABLE: str(tmp_path / "home"),
        "PYTHONPATH": f"{tmp_path / 'light'}{os.pathsep}{ROOT}",
    }

    def generate() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "client.cli", "generate", "a red heart"]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    current = EnvironmentPlaces(Paths.of_user(environment).environment).current
    venv.create(current, symlinks=True)
    (site,) = current.glob("lib/python*/site-packages")
    (ours,) = (path for path in sys.path if path.endswith("site-packages"))
    write_record(current, EnvironmentRecord(variant="cpu", digest="d", serial=1, why="A test."))
    refused = generate()
    assert refused.returncode == 2
    assert "lacks packages: typer, rich, pydantic, platformdirs." in refused.stderr.splitlines()[0]
    for name in ("typer", "rich", "pydantic", "platformdirs"):
        (site / name).symlink_to(Path(ours) / name)
    (site / "packages.pth").write_text(ours)
    drawn = generate()
    assert drawn.returncode == 0, drawn.stderr
    assert list(tmp_path.glob("pictures/*.png")), drawn.stdout
