"""The trial of a Debian package: the package manager installs, upgrades, removes and purges it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from client.environment.source import FILE as SOURCE_FILE
from tests.installed import trial as volunteers
from tests.installed.allowed import KEPT_DATA, REMOVED_PACKAGE
from tests.installed.file_system import state_of
from tests.installed.next_version import TriedPackages, upstream, version_of
from tests.installed.steps import TrialStep
from tests.installed.systems import TrialError
from tests.installed.trial import VolunteerTrial, draw, go_on, join, left, set_up, start_at_login, train

TREE = "/opt/idlebrush"
ENTRY = "/usr/share/applications/idlebrush.desktop"
_APT = ("apt-get", "install", "--yes", "--quiet")


@dataclass(kw_only=True)
class PackageTrial(VolunteerTrial):
    """The state of a trial of a package."""

    packages: TriedPackages
    tree: str = TREE
    program: str = "idlebrush"
    entry: str = ENTRY

    def apt(self, *words: str) -> str:
        """Run apt, and return its output; TrialError if it fails."""
        return self.machine.run(*words, log=self.log)


def prepare(trial: PackageTrial) -> str:
    """Fetch the lists of packages, and note all files."""
    trial.apt("apt-get", "update", "--quiet")
    trial.copied(trial.packages.package)
    trial.before = state_of(trial.machine.root)
    trial.numbers["package bytes"] = trial.packages.package.stat().st_size
    return f"{len(trial.before):,} files, folders and links"


def install(trial: PackageTrial) -> str:
    """Install the package with apt, which fetches what it depends on."""
    trial.begin()
    output = trial.apt(*_APT, trial.copied(trial.packages.package))
    found = re.search(r"(\d+) newly installed", output)
    needed = re.search(r"Need to get ([\d.,]+ \w+)", output)
    tree = trial.on_disk(TREE)
    installed = state_of(tree)
    (tree / SOURCE_FILE).write_text(trial.source)  # as a build does that is given --source
    trial.numbers["tree bytes"] = sum(entry.size for entry in installed.values())
    others = int(found[1]) - 1 if found else 0
    return f"with {others} packages that it depends on ({needed[1] if needed else '0 B'} from the archive)"


def check(trial: PackageTrial) -> str:
    """See that the desktop knows the app, that it starts, and that nothing runs unasked."""
    trial.machine.run("man", "--where", "idlebrush")
    return volunteers.check(trial, upstream(version_of(trial.packages.package)))


def upgrade(trial: PackageTrial) -> str:
    """Install the later version while the daemon trains, and see that it goes on in the new one."""
    before = trial.trained()
    trial.apt(*_APT, trial.copied(trial.packages.later))
    version = upstream(version_of(trial.packages.later))
    go_on(trial, version, before)
    return f"version {version} goes on with its run"


def survive_refusal(trial: PackageTrial) -> str:
    """Have a version refuse to be installed, and see that the one before it never stopped training."""
    version, before, daemon = version_of(trial.packages.later), trial.trained(), _daemons(trial)
    path = trial.copied(trial.packages.refusing)
    try:
        trial.apt(*_APT, path)
    except TrialError:
        _require_installed(trial, version)
        assert _daemons(trial) == daemon, "the daemon that trained was ended"
        go_on(trial, upstream(version), before)
        return f"refused; {version} stays installed, and its daemon trains on"
    raise AssertionError("the version was installed")


def survive_silence(trial: PackageTrial) -> str:
    """Install a version whose daemon does not start, which tells so, and go back to the one before it."""
    version, before = version_of(trial.packages.later), trial.trained()
    trial.apt(*_APT, trial.copied(trial.packages.silent))
    told = trial.refused("update", "--check")  # which asks the daemon, and starts it
    assert "The daemon ended during its start" in told, told
    trial.apt(*_APT, "--allow-downgrades", trial.copied(trial.packages.later))
    _require_installed(trial, version)
    go_on(trial, upstream(version), before)
    return f"it tells that its daemon does not start; {version} installed over it goes on with its run"


def _daemons(trial: PackageTrial) -> set[int]:
    """Return the process ids of daemons on the computer, whether a user or a front end has started them."""
    lines = {pid: trial.machine.command_line(pid) for pid in trial.machine.pids()}
    return {pid for pid, line in lines.items() if b"\0daemon\0" in line or b"\0client.daemon\0" in line}


def _require_installed(trial: PackageTrial, version: str) -> None:
    shown = trial.say("--version")
    assert upstream(version) in shown, f"it calls itself {shown!r}"
    state = trial.machine.run("dpkg-query", "--show", "--showformat=${Status} ${Version}", "idlebrush")
    assert state == f"install ok installed {version}", state


def remove(trial: PackageTrial) -> str:
    """Remove what is the user's but their data, then the package, and compare all files with those before."""
    start_at_login(trial)
    trial.say("uninstall", "--keep")
    (trial.on_disk(TREE) / SOURCE_FILE).unlink()
    trial.apt("apt-get", "remove", "--yes", "--quiet", "idlebrush")
    return left(trial, (*KEPT_DATA, *REMOVED_PACKAGE), with_others=True)


def purge(trial: PackageTrial) -> str:
    """Install it again, purge it with the user's data and what it depends on, and compare all files."""
    trial.apt(*_APT, trial.copied(trial.packages.later))
    start_at_login(trial)
    trial.say("uninstall", "--purge")
    trial.apt("apt-get", "purge", "--yes", "--quiet", "--autoremove", "idlebrush")
    assert not trial.processes(), f"still there: {trial.processes()}"
    return left(trial, (), with_others=True)


STEPS: Sequence[TrialStep[PackageTrial]] = (
    TrialStep("note all files", prepare),
    TrialStep("install", install),
    TrialStep("check", check),
    TrialStep("first run by keys", join),
    TrialStep("packages for training", set_up),
    TrialStep("an epoch", train),
    TrialStep("a picture", draw),
    TrialStep("upgrade", upgrade),
    TrialStep("a version that refuses", survive_refusal),
    TrialStep("a version that does not start", survive_silence),
    TrialStep("remove", remove),
    TrialStep("purge", purge),
)
