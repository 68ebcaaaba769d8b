"""One trial of Idlebrush on one system, whatever installed it: what a volunteer does with it, as steps."""

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.internet.organised_run import share_cores
from client.api.environment import SetupStage
from client.api.snapshot import Snapshot
from tests.desktops.hands import Hands
from tests.desktops.screen_reader import reading
from tests.desktops.tray_host import TrayDesk
from tests.installed.allowed import BY_PACKAGE_MANAGER, BY_TRIAL, DATA
from tests.installed.file_system import (
    AllowedDifference,
    FileSystemState,
    added_bytes,
    differences,
    state_of,
    unexpected,
)
from tests.installed.first_run import FirstRunByKeys
from tests.installed.machine import TrialMachine
from tests.installed.network import TrialInternet
from tests.installed.systems import USER, USER_ID, TrialError
from tests.waiting import wait_until

HOME = f"/home/{USER}"
_LOOK = 1.0
"""Seconds between two looks at the daemon, each of which starts a program."""
_SETUP_SECONDS = 900.0
_EPOCH_SECONDS = 600.0
_SHOWN = 20
"""Most differences that a failure names."""


@dataclass(kw_only=True)
class TrialHome:
    """The surroundings of a trial."""

    machine: TrialMachine
    desk: TrayDesk
    internet: TrialInternet
    server: Path
    """Folder for what the server offers."""
    folder: Path
    """Folder of logs and pictures."""
    source: str
    """Content of the file that names the list of the trainer's packages."""


@dataclass(kw_only=True)
class VolunteerTrial(TrialHome):
    """The state of a trial."""

    tree: str
    """Folder of the app on the computer."""
    program: str
    """Program that a volunteer types."""
    entry: str
    """Entry of the desktop's menu."""
    before: FileSystemState = field(default_factory=dict)
    installing: float = 0.0
    """Time at which the first installation began."""
    received: int = 0
    """Bytes that the line had brought by then."""
    numbers: dict[str, float] = field(default_factory=dict)

    @property
    def log(self) -> Path:
        """File of the commands and their output."""
        return self.folder / "commands.log"

    def begin(self) -> None:
        """Note that an installation begins, from which the first counted batch is timed."""
        self.installing, self.received = time.monotonic(), self.internet.received

    def say(self, *words: str, seconds: float = 300.0) -> str:
        """Type a command of ``idlebrush`` as the user, and return what it prints; TrialError if it fails."""
        command = ("env", *self.variables(), self.program, *words)
        return self.machine.run(*command, user=True, seconds=seconds, log=self.log)

    def refused(self, *words: str) -> str:
        """Type a command of ``idlebrush`` and return how it fails; AssertionError if it does not."""
        try:
            shown = self.say(*words)
        except TrialError as error:
            return error.what
        raise AssertionError(f"{' '.join(words)} did not fail: {shown}")

    def status(self) -> Snapshot | None:
        """Return what `idlebrush status --json` shows; None if the daemon does not run."""
        with suppress(TrialError, ValueError):
            command = ("env", *self.variables(), self.program, "status", "--json")
            return Snapshot.model_validate_json(self.machine.run(*command, user=True, seconds=60.0))
        return None

    def trained(self) -> int:
        """Return the user's epochs so far; AssertionError if the daemon does not run."""
        seen = self.status()
        assert seen is not None, "the daemon does not run"
        assert seen.contribution is not None
        return seen.contribution.epochs

    def wait_for(self, condition: Callable[[Snapshot], bool], otherwise: str, seconds: float) -> Snapshot:
        """Return the first status for which the condition holds; AssertionError if none comes in time."""
        seen: list[Snapshot] = []

        def holds() -> bool:
            share_cores(self.machine.pids())  # no other programs run on the user's own computer
            if (found := self.status()) is not None:
                seen.append(found)
            return found is not None and condition(found)

        try:
            wait_until(holds, otherwise, seconds, every=_LOOK)
        except AssertionError as error:
            raise AssertionError(f"{error}; the last status: {seen[-1:]}") from None
        return seen[-1]

    def copied(self, package: Path) -> str:
        """Put a package into the user's downloads, and return its path there."""
        folder = self.machine.root / f"home/{USER}/Downloads"
        folder.mkdir(exist_ok=True)
        os.chown(folder, USER_ID, USER_ID)
        shutil.copyfile(package, folder / package.name)
        return f"{HOME}/Downloads/{package.name}"

    def on_disk(self, path: str) -> Path:
        """Return a file or folder of the computer, whose links lead out of it."""
        return self.machine.root / path.lstrip("/")

    def processes(self) -> list[str]:
        """Return the command lines of the app's processes on the computer."""
        lines = (self.machine.command_line(pid) for pid in self.machine.pids())
        found = (line.replace(b"\0", b" ").decode(errors="replace").strip() for line in lines)
        return [line for line in found if self.tree in line]

    def variables(self) -> list[str]:
        """Return the settings of the user's session, for ``env``."""
        return [f"{name}={value}" for name, value in self.desk.environment.items()]

    @contextmanager
    def app(self) -> Iterator["subprocess.Popen[bytes]"]:
        """The app as its menu entry starts it; it is ended at the end, and its daemon is not."""
        entry = self.machine.run("cat", self.entry)
        found = re.search(r"^Exec=(.*)$", entry, re.MULTILINE)
        assert found, f"{self.entry} has no Exec"
        words = [word for word in shlex.split(found[1]) if not word.startswith("%")]
        app = self.machine.start(words, self.folder / "app.log", self.desk.environment)
        try:
            yield app
        finally:
            self.machine.end(app)


def check(trial: VolunteerTrial, version: str) -> str:
    """See that the desktop knows the app, that it starts, and that nothing runs unasked."""
    machine = trial.machine
    machine.run("desktop-file-validate", trial.entry)
    handler = machine.run("xdg-mime", "query", "default", "x-scheme-handler/idlebrush", user=True)
    assert handler.strip() == "idlebrush.desktop", f"links are opened by {handler!r}"
    shown = trial.say("--version")
    assert version in shown, f"it calls itself {shown!r}, and the package is {version}"
    assert not trial.processes(), f"unasked: {trial.processes()}"
    assert not trial.on_disk(f"{HOME}/.config/autostart").exists(), "it starts at login unasked"
    return f"{shown.strip()}; menu entry and links are there, nothing runs"


def join(trial: VolunteerTrial) -> str:
    """Go through the first run by keys alone, and join the server's run."""
    pictures = trial.folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    with reading(trial.desk.environment["DBUS_SESSION_BUS_ADDRESS"]) as reader, trial.app() as app:
        keys = FirstRunByKeys(Hands(trial.desk, reader), pictures)
        keys.be_greeted(lambda: app.poll() is None)
        keys.go_through(
            trial.internet.link,
            lambda: (
                (seen := trial.status()) is not None
                and seen.candidate is not None
                and bool(seen.candidate.digest)
            ),
            lambda: (seen := trial.status()) is not None and seen.run is not None,
        )
        keys.set_up(
            lambda: (
                (seen := trial.status()) is not None
                and seen.environment is not None
                and seen.environment.stage is SetupStage.FETCHING
                and seen.environment.done > 0
            )
        )
        trial.desk.wait_for_icon()
        trial.desk.picture(pictures / "9-window.png")
    return f"joined, {len(list(pictures.glob('*.png')))} pictures, the tray has its icon"


def set_up(trial: VolunteerTrial) -> str:
    """Wait until the trainer's packages are installed, which the first run began."""
    seen = trial.wait_for(
        lambda found: (
            found.environment is not None
            and (found.environment.is_usable or found.environment.problem is not None)
        ),
        "the packages for training are never installed",
        _SETUP_SECONDS,
    )
    assert seen.environment is not None
    problem = seen.environment.problem
    assert problem is None, f"{problem.what} {problem.remedy}" if problem else ""
    received = trial.internet.received - trial.received
    trial.numbers["received bytes"] = received
    installed = state_of(trial.on_disk(f"{DATA}/environment"))
    trial.numbers["environment bytes"] = sum(entry.size for entry in installed.values())
    return f"{seen.environment.variant}: {received / 1e6:.0f} MB came over the line"


def train(trial: VolunteerTrial) -> str:
    """Wait until the run has committed an epoch in which the user's samples are counted."""
    seen = trial.wait_for(
        lambda found: found.contribution is not None and found.contribution.epochs > 0,
        "no epoch is made",
        _EPOCH_SECONDS,
    )
    passed = time.monotonic() - trial.installing
    trial.numbers["seconds to the first counted batch"] = passed
    assert seen.contribution is not None
    wait_until(lambda: trial.internet.epochs() > 0, "the coordinator counts no epoch", every=_LOOK)
    return f"{seen.contribution.samples} samples counted, {passed:.0f} s after the download"


def draw(trial: VolunteerTrial) -> str:
    """Draw a picture with the model."""
    folder = f"{HOME}/pictures"
    trial.say("generate", "a red heart", "--number", "1", "--out", folder)
    drawn = sorted((trial.machine.root / folder.lstrip("/")).glob("**/*.png"))
    assert drawn, "no picture was drawn"
    shutil.copyfile(drawn[0], trial.folder / "pictures" / "drawn.png")
    return f"{drawn[0].name}, {drawn[0].stat().st_size} bytes"


def go_on(trial: VolunteerTrial, version: str, epochs: int, *, may_start: bool = True) -> None:
    """Wait until that version has made an epoch beyond so many; start its daemon, if that may be needed."""
    seen = trial.status()
    if may_start and seen is not None and seen.version != version:
        trial.say("quit")
        seen = None
    if may_start and seen is None:
        trial.machine.start((trial.program, "daemon"), trial.folder / "daemon.log", trial.desk.environment)
    trial.wait_for(
        lambda found: (
            found.version == version and found.contribution is not None and found.contribution.epochs > epochs
        ),
        f"version {version} makes no epoch",
        _EPOCH_SECONDS,
    )


def start_at_login(trial: VolunteerTrial) -> None:
    """Have the app start at login, so that removing it has that to end as well."""
    trial.say("prefs", "set", "start-at-login", "on")
    entry = trial.on_disk(f"{HOME}/.config/autostart/idlebrush.desktop")
    wait_until(entry.exists, "it is not among what starts at login", every=_LOOK)


def left(trial: VolunteerTrial, allowed: Sequence[AllowedDifference], *, with_others: bool = False) -> str:
    """Compare all files with those before; AssertionError if anything is there without a reason.

    Args:
        trial: The trial.
        allowed: Reasons beside those of every trial.
        with_others: True if files of other packages may be left, which were installed along.
    """
    after = state_of(trial.machine.root)
    found = differences(trial.before, after)
    others = unexpected(found, (*BY_PACKAGE_MANAGER, *BY_TRIAL, *allowed))
    (trial.folder / "left.txt").write_text("".join(f"{item}\n" for item in found))
    own = [item for item in others if "idlebrush" in item.path or not with_others]
    assert not own, f"left: {', '.join(map(str, own[:_SHOWN]))}"
    kept = added_bytes(trial.before, after, f"{DATA}/**")
    trial.numbers["kept bytes"] = kept
    words = f"{len(others)} by packages that it depended on" if others else "no others"
    return f"nothing of Idlebrush's but {kept / 1e6:.1f} MB of the user's data, {words}"
