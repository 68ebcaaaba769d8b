"""The trial of a tarball: a user without root installs it, and it updates itself until it is uninstalled."""

from collections.abc import Sequence
from dataclasses import dataclass

from installer.linux.needed import DEB_PACKAGES
from tests.installed import trial as volunteers
from tests.installed.allowed import EMPTIED, KEPT_DATA
from tests.installed.file_system import state_of
from tests.installed.published_versions import MadeVersion, VersionSeries
from tests.installed.steps import TrialStep
from tests.installed.trial import HOME, VolunteerTrial, draw, go_on, join, left, set_up, start_at_login, train

PREFIX = f"{HOME}/.local"
APP = f"{PREFIX}/share/idlebrush-app"
_UNPACKED = f"{HOME}/Downloads/unpacked"
_UPDATE_SECONDS = 400.0
"""Seconds for fetching, unpacking and handing over."""


@dataclass(kw_only=True)
class OneUserTrial(VolunteerTrial):
    """The state of a trial of a tarball."""

    versions: VersionSeries
    size: int
    """Bytes of the tarball, which the archive of the first version here is a light copy of."""
    tree: str = APP
    program: str = f"{PREFIX}/bin/idlebrush"
    entry: str = f"{PREFIX}/share/applications/idlebrush.desktop"

    def type(self, *command: str) -> str:
        """Run a command as the user, and return its output; TrialError if it fails."""
        return self.machine.run("env", *self.variables(), *command, user=True, log=self.log)

    def used(self) -> str:
        """Return the version that the installation's link leads to."""
        return self.on_disk(f"{APP}/current").readlink().name

    def laid_out(self) -> set[str]:
        """Return the versions whose trees are installed."""
        return {file.parent.name for file in self.on_disk(APP).glob("[0-9]*/installation.toml")}


def prepare(trial: OneUserTrial) -> str:
    """Give the system what desktops have, download the tarball, and note all files."""
    trial.machine.run("apt-get", "update", "--quiet", log=trial.log)
    libraries = sorted({*DEB_PACKAGES.values(), "xz-utils"})
    trial.machine.run("apt-get", "install", "--yes", "--quiet", *libraries, log=trial.log)
    trial.copied(trial.versions.first.archive)
    trial.before = state_of(trial.machine.root)
    trial.numbers["package bytes"] = trial.size
    return f"{len(trial.before):,} files, folders and links"


def install(trial: OneUserTrial) -> str:
    """Unpack it and run its installer, without root."""
    trial.begin()
    trial.type("mkdir", "--parents", _UNPACKED)
    archive = f"{HOME}/Downloads/{trial.versions.first.archive.name}"
    trial.type("tar", "--extract", "--file", archive, "--directory", _UNPACKED, "--strip-components=1")
    told = trial.type(f"{_UNPACKED}/install")
    installed = state_of(trial.on_disk(APP) / trial.versions.first.version)
    trial.numbers["tree bytes"] = sum(entry.size for entry in installed.values())
    return told.splitlines()[0]


def check(trial: OneUserTrial) -> str:
    """See that the desktop knows the app, that it starts, and that nothing runs unasked."""
    return volunteers.check(trial, trial.versions.first.version)


def update(trial: OneUserTrial) -> str:
    """Publish a later version, have the daemon install it while it trains, and see that it goes on in it."""
    before = trial.trained()
    version = trial.versions.publish(trial.versions.later)
    told = trial.say("update", seconds=_UPDATE_SECONDS)
    assert f"Idlebrush {version} runs." in told, told
    assert trial.used() == version
    go_on(trial, version, before)
    return f"version {version} goes on with its run; {', '.join(sorted(trial.laid_out()))} are there"


def survive_no_python(trial: OneUserTrial) -> str:
    """Publish a version whose Python does not start, and see that the one before it goes on."""
    return _survive(trial, trial.versions.without_python, "does not run on this computer")


def survive_silence(trial: OneUserTrial) -> str:
    """Publish a version whose daemon does not start, and see that the one before it is back by itself."""
    return _survive(trial, trial.versions.silent, "ended during its start")


def _survive(trial: OneUserTrial, broken: MadeVersion, words: str) -> str:
    working, before = trial.used(), trial.trained()
    trial.versions.publish(broken)
    told = trial.refused("update")
    assert words in told, told
    go_on(trial, working, before, may_start=False)
    assert trial.used() == working
    assert broken.version not in trial.laid_out(), "the broken version is still there"
    return f"refused, as it {words}; {working} goes on by itself"


def uninstall(trial: OneUserTrial) -> str:
    """Remove the program and keep the user's data, and compare all files with those before."""
    start_at_login(trial)
    trial.type(f"{APP}/uninstall", "--keep")
    assert not trial.processes(), f"still there: {trial.processes()}"
    return left(trial, (*KEPT_DATA, *EMPTIED))


def purge(trial: OneUserTrial) -> str:
    """Install it again, remove it with the user's data, and compare all files with those before."""
    trial.type(f"{_UNPACKED}/install")
    start_at_login(trial)
    trial.type(f"{APP}/uninstall", "--purge")
    return left(trial, EMPTIED)


STEPS: Sequence[TrialStep[OneUserTrial]] = (
    TrialStep("note all files", prepare),
    TrialStep("install", install),
    TrialStep("check", check),
    TrialStep("first run by keys", join),
    TrialStep("packages for training", set_up),
    TrialStep("an epoch", train),
    TrialStep("a picture", draw),
    TrialStep("update", update),
    TrialStep("a version without Python", survive_no_python),
    TrialStep("a version that does not start", survive_silence),
    TrialStep("uninstall", uninstall),
    TrialStep("purge", purge),
)
