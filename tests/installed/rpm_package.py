"""The trial of an .rpm where no Fedora can be had: rpm on Debian installs, upgrades and removes it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.environment.source import FILE as SOURCE_FILE
from installer.linux.needed import DEB_PACKAGES
from installer.linux.packages import LinuxPackages
from installer.release import Release
from installer.tree import Tree
from tests.installed import trial as volunteers
from tests.installed.allowed import BY_RPM, EMPTIED, KEPT_DATA
from tests.installed.debian_package import ENTRY, TREE
from tests.installed.file_system import state_of
from tests.installed.next_version import later_version, rename_tree
from tests.installed.published_versions import described
from tests.installed.steps import TrialStep
from tests.installed.systems import TrialError, logged
from tests.installed.trial import VolunteerTrial, draw, go_on, join, left, set_up, start_at_login, train


@dataclass(kw_only=True)
class RpmTrial(VolunteerTrial):
    """The state of a trial of an .rpm."""

    package: Path
    later: Path
    """A later version."""
    tree: str = TREE
    program: str = "idlebrush"
    entry: str = ENTRY

    def rpm(self, *words: str) -> str:
        """Run rpm, which knows none of Debian's packages, and return its output; TrialError if it fails."""
        return self.machine.run("rpm", "--nodeps", *words, log=self.log)

    def version(self) -> str:
        """Return the version that rpm has installed."""
        return self.machine.run("rpm", "--query", "--queryformat", "%{VERSION}", "idlebrush")


def later_rpm(package: Path, folder: Path, log: Path) -> Path:
    """Write the version after ``package`` to ``folder``, by the build's own means; TrialError if it is no .rpm."""
    if missing := [name for name in ("rpm2cpio", "cpio") if shutil.which(name) is None]:
        raise TrialError(
            f"{' and '.join(missing)} are missing here.", f"Install them: apt install {' '.join(missing)}."
        )
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    script = 'rpm2cpio "$0" | cpio --extract --make-directories --quiet --directory "$1"'
    logged(("sh", "-c", script, str(package), str(unpacked)), log)
    tree = unpacked / TREE.lstrip("/")
    version, commit = described(tree, "version"), described(tree, "commit")
    later = later_version(version)
    rename_tree(tree, version, later)
    release = Release(Path(__file__).parents[2], later, commit, int(package.stat().st_mtime))
    return LinuxPackages(Tree(tree, release, log), folder, folder).rpm()


def prepare(trial: RpmTrial) -> str:
    """Give the system rpm and the libraries that the package needs, and note all files."""
    trial.machine.run("apt-get", "update", "--quiet", log=trial.log)
    wanted = sorted({*DEB_PACKAGES.values(), "rpm"})
    trial.machine.run("apt-get", "install", "--yes", "--quiet", *wanted, log=trial.log)
    trial.copied(trial.package)
    trial.before = state_of(trial.machine.root)
    trial.numbers["package bytes"] = trial.package.stat().st_size
    return f"{len(trial.before):,} files, folders and links"


def install(trial: RpmTrial) -> str:
    """Install the package with rpm, and see that each file is as the package has it."""
    trial.begin()
    trial.rpm("--install", trial.copied(trial.package))
    trial.machine.run("rpm", "--verify", "--nodeps", "idlebrush", log=trial.log)
    tree = trial.on_disk(TREE)
    trial.numbers["tree bytes"] = sum(entry.size for entry in state_of(tree).values())
    (tree / SOURCE_FILE).write_text(trial.source)  # as a build does that names a list of its own
    return f"{trial.version()}, verified by rpm"


def check(trial: RpmTrial) -> str:
    """See that the desktop knows the app, that it starts, and that nothing runs unasked."""
    # As the triggers of Fedora's packages do it; those of Debian's see only what dpkg installs.
    trial.machine.run("update-desktop-database")
    return volunteers.check(trial, trial.version())


def upgrade(trial: RpmTrial) -> str:
    """Install the later version while the daemon trains, which has to end before files are replaced."""
    before = trial.trained()
    trial.rpm("--upgrade", trial.copied(trial.later))
    assert not trial.processes(), f"still there: {trial.processes()}"
    version = trial.version()
    go_on(trial, version, before)
    return f"the daemon before it has ended, and {version} goes on with its run"


def remove(trial: RpmTrial) -> str:
    """Remove what is the user's but their data, then the package, and compare all files with those before."""
    _erase(trial, "--keep")
    return left(trial, (*KEPT_DATA, *BY_RPM, *EMPTIED))


def purge(trial: RpmTrial) -> str:
    """Install it again, remove it with the user's data, and compare all files with those before."""
    trial.rpm("--install", trial.copied(trial.later))
    _erase(trial, "--purge")
    return left(trial, (*BY_RPM, *EMPTIED))


def _erase(trial: RpmTrial, data: str) -> None:
    start_at_login(trial)
    trial.say("uninstall", data)
    (trial.on_disk(TREE) / SOURCE_FILE).unlink(missing_ok=True)
    trial.rpm("--erase", "idlebrush")
    assert not trial.processes(), f"still there: {trial.processes()}"


STEPS: Sequence[TrialStep[RpmTrial]] = (
    TrialStep("note all files", prepare),
    TrialStep("install", install),
    TrialStep("check", check),
    TrialStep("first run by keys", join),
    TrialStep("packages for training", set_up),
    TrialStep("an epoch", train),
    TrialStep("a picture", draw),
    TrialStep("upgrade", upgrade),
    TrialStep("remove", remove),
    TrialStep("purge", purge),
)
