"""One trial of a Debian package on one system: what a user does with it from installing to purging, as steps."""

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.internet.organised_run import share_cores
from client.api.environment import SetupStage
from client.api.snapshot import Snapshot
from client.environment.source import FILE as SOURCE_FILE
from tests.desktops.hands import Hands
from tests.desktops.screen_reader import reading
from tests.desktops.tray_host import TrayDesk
from tests.installed.allowed import BY_PACKAGE_MANAGER, BY_TRIAL, KEPT_DATA
from tests.installed.file_system import FileSystemState, added_bytes, differences, state_of, unexpected
from tests.installed.first_run import FirstRunByKeys
from tests.installed.machine import TrialMachine
from tests.installed.network import TrialInternet
from tests.installed.next_version import TriedPackages, upstream, version_of
from tests.installed.steps import TrialStep
from tests.installed.systems import USER, TrialError
from tests.waiting import wait_until

_ENTRY = "/usr/share/applications/idlebrush.desktop"
_TREE = "/opt/idlebrush"
_LOOK = 1.0
"""Seconds between two looks at the daemon, each of which starts a program."""
_SETUP_SECONDS = 900.0
_EPOCH_SECONDS = 600.0
_SHOWN = 20
"""Most differences that a failure names."""


@dataclass
class PackageTrial:
    """The state of a trial."""

    machine: TrialMachine
    desk: TrayDesk
    internet: TrialInternet
    packages: TriedPackages
    folder: Path
    """Folder of its logs and pictures."""
    source: str
    """Content of the file that names the list of the trainer's packages."""
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

    def say(self, *words: str, seconds: float = 300.0) -> str:
        """Type a command of ``idlebrush`` as the user, and return what it prints; TrialError if it fails."""
        command = ("env", *self._variables(), "idlebrush", *words)
        return self.machine.run(*command, user=True, seconds=seconds, log=self.log)

    def status(self) -> Snapshot | None:
        """Return what `idlebrush status --json` shows; None if the daemon does not run."""
        with suppress(TrialError, ValueError):
            command = ("env", *self._variables(), "idlebrush", "status", "--json")
            return Snapshot.model_validate_json(self.machine.run(*command, user=True, seconds=60.0))
        return None

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
        shutil.copyfile(package, folder / package.name)
        return f"/home/{USER}/Downloads/{package.name}"

    def processes(self) -> list[str]:
        """Return the command lines of the app's processes on the computer."""
        found = []
        for pid in self.machine.pids():
            with suppress(OSError):
                found.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
        return [line for line in found if _TREE in line]

    def _variables(self) -> list[str]:
        return [f"{name}={value}" for name, value in self.desk.environment.items()]

    @contextmanager
    def app(self) -> Iterator["subprocess.Popen[bytes]"]:
        """The app as its menu entry starts it; it is ended at the end, and its daemon is not."""
        entry = self.machine.run("cat", _ENTRY)
        found = re.search(r"^Exec=(.*)$", entry, re.MULTILINE)
        assert found, f"{_ENTRY} has no Exec"
        words = [word for word in shlex.split(found[1]) if not word.startswith("%")]
        app = self.machine.start(words, self.folder / "app.log", self.desk.environment)
        try:
            yield app
        finally:
            self.machine.end(app)


def prepare(trial: PackageTrial) -> str:
    """Fetch the lists of packages, and note all files."""
    trial.machine.run("apt-get", "update", "--quiet", log=trial.log)
    trial.copied(trial.packages.package)
    trial.before = state_of(trial.machine.root)
    trial.numbers["package bytes"] = trial.packages.package.stat().st_size
    return f"{len(trial.before):,} files, folders and links"


def install(trial: PackageTrial) -> str:
    """Install the package with apt, which fetches what it depends on."""
    trial.installing, trial.received = time.monotonic(), trial.internet.received
    path = trial.copied(trial.packages.package)
    output = trial.machine.run("apt-get", "install", "--yes", "--quiet", path, log=trial.log)
    found = re.search(r"(\d+) newly installed", output)
    needed = re.search(r"Need to get ([\d.,]+ \w+)", output)
    tree = trial.machine.root / _TREE.lstrip("/")
    installed = state_of(tree)
    (tree / SOURCE_FILE).write_text(trial.source)  # as a build does that names a list of its own
    trial.numbers["tree bytes"] = sum(entry.size for entry in installed.values())
    others = int(found[1]) - 1 if found else 0
    return f"with {others} packages that it depends on ({needed[1] if needed else '0 B'} from the archive)"


def check(trial: PackageTrial) -> str:
    """See that the desktop knows the app, that it starts, and that nothing runs unasked."""
    machine, version = trial.machine, version_of(trial.packages.package)
    machine.run("desktop-file-validate", _ENTRY)
    handler = machine.run("xdg-mime", "query", "default", "x-scheme-handler/idlebrush", user=True)
    assert handler.strip() == "idlebrush.desktop", f"links are opened by {handler!r}"
    machine.run("man", "--where", "idlebrush")
    shown = trial.say("--version")
    assert upstream(version) in shown, f"it calls itself {shown!r}, and the package is {version}"
    assert not trial.processes(), f"unasked: {trial.processes()}"
    autostart = machine.root / f"home/{USER}/.config/autostart"
    assert not autostart.exists(), "it starts at login unasked"
    return f"{shown.strip()}; menu entry, links and manual page are there, nothing runs"


def join(trial: PackageTrial) -> str:
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


def set_up(trial: PackageTrial) -> str:
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
    folder = f"home/{USER}/.local/share/idlebrush/environment"
    trial.numbers["environment bytes"] = sum(
        entry.size for entry in state_of(trial.machine.root / folder).values()
    )
    return f"{seen.environment.variant}: {received / 1e6:.0f} MB came over the line"


def train(trial: PackageTrial) -> str:
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


def draw(trial: PackageTrial) -> str:
    """Draw a picture with the model."""
    folder = f"/home/{USER}/pictures"
    trial.say("generate", "a red heart", "--number", "1", "--out", folder)
    drawn = sorted((trial.machine.root / folder.lstrip("/")).glob("**/*.png"))
    assert drawn, "no picture was drawn"
    shutil.copyfile(drawn[0], trial.folder / "pictures" / "drawn.png")
    return f"{drawn[0].name}, {drawn[0].stat().st_size} bytes"


def upgrade(trial: PackageTrial) -> str:
    """Install the later version while the daemon trains, and see that it goes on in the new one."""
    before = trial.status()
    assert before is not None, "the daemon does not run"
    assert before.contribution is not None
    path = trial.copied(trial.packages.later)
    trial.machine.run("apt-get", "install", "--yes", "--quiet", path, log=trial.log)
    version = upstream(version_of(trial.packages.later))
    go_on(trial, version, before.contribution.epochs)
    return f"version {version} goes on with its run"


def go_on(trial: PackageTrial, version: str, epochs: int) -> None:
    """Start the daemon unless it runs, and wait until that version has made an epoch beyond so many."""
    if (seen := trial.status()) is not None and seen.version != version:
        trial.say("quit")
        seen = None
    if seen is None:
        trial.machine.start(("idlebrush", "daemon"), trial.folder / "daemon.log", trial.desk.environment)
    trial.wait_for(
        lambda found: (
            found.version == version and found.contribution is not None and found.contribution.epochs > epochs
        ),
        f"version {version} makes no epoch",
        _EPOCH_SECONDS,
    )


def survive_broken(trial: PackageTrial) -> str:
    """Have a version refuse to be installed, and see that the one before it still works."""
    version, before = version_of(trial.packages.later), trial.status()
    assert before is not None, "the daemon does not run"
    assert before.contribution is not None
    path = trial.copied(trial.packages.broken)
    try:
        trial.machine.run("apt-get", "install", "--yes", "--quiet", path, log=trial.log)
    except TrialError:
        shown = trial.say("--version")
        assert upstream(version) in shown, f"it calls itself {shown!r}"
        state = trial.machine.run("dpkg-query", "--show", "--showformat=${Status} ${Version}", "idlebrush")
        assert state == f"install ok installed {version}", state
        go_on(trial, upstream(version), before.contribution.epochs)
        return f"refused; {version} stays installed, and goes on with its run"
    raise AssertionError("the broken version was installed")


def remove(trial: PackageTrial) -> str:
    """Remove what is the user's but their data, then the package, and compare all files with those before."""
    trial.say("uninstall", "--keep")
    (trial.machine.root / _TREE.lstrip("/") / SOURCE_FILE).unlink()
    trial.machine.run("apt-get", "remove", "--yes", "--quiet", "idlebrush", log=trial.log)
    return _left(trial)


def purge(trial: PackageTrial) -> str:
    """Purge the package and its dependencies, and compare all files with those before."""
    command = ("apt-get", "purge", "--yes", "--quiet", "--autoremove", "idlebrush")
    trial.machine.run(*command, log=trial.log)
    assert not trial.processes(), f"still there: {trial.processes()}"
    return _left(trial)


def _left(trial: PackageTrial) -> str:
    after = state_of(trial.machine.root)
    found = differences(trial.before, after)
    left = unexpected(found, (*BY_PACKAGE_MANAGER, *BY_TRIAL, *KEPT_DATA))
    (trial.folder / "left.txt").write_text("".join(f"{item}\n" for item in found))
    own = [item for item in left if "idlebrush" in item.path]
    assert not own, f"left: {', '.join(map(str, own[:_SHOWN]))}"
    kept = added_bytes(trial.before, after, f"/home/{USER}/.local/share/idlebrush*")
    trial.numbers["kept bytes"] = kept
    others = f"{len(left)} by packages that it depended on" if left else "no others"
    return f"nothing of Idlebrush's but {kept / 1e6:.1f} MB of the user's data, {others}"


STEPS = (
    TrialStep("note all files", prepare),
    TrialStep("install", install),
    TrialStep("check", check),
    TrialStep("first run by keys", join),
    TrialStep("packages for training", set_up),
    TrialStep("an epoch", train),
    TrialStep("a picture", draw),
    TrialStep("upgrade", upgrade),
    TrialStep("a broken version", survive_broken),
    TrialStep("remove", remove),
    TrialStep("purge", purge),
)
