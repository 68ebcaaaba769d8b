"""Makes a system to build in: a chroot with a compiler and libraries in the versions of a recipe."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from installer.commands import BuildError, output_of, require_programs, run

KEYRING = Path(__file__).with_name("ubuntu-archive-2018.gpg")
"""Key that signs Ubuntu's archive (F6EC B376 2474 EDA9 D21B 7022 8719 20D1 991B C93C), which Debian does not have."""
_APT = ("apt-get", "--yes", "--quiet", "--no-install-recommends")
_PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "TMPDIR": "/tmp"}
_QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}


class Chroot:
    """A debootstrapped system, whose mounts and processes end with each command."""

    def __init__(self, root: Path, log: Path) -> None:
        """Use the system in ``root``; output of its commands is appended to ``log``."""
        self.root, self._log = root, log

    @classmethod
    def make(cls, suite: str, root: Path, log: Path, like: str = "") -> Self:
        """Install a minimal system of an Ubuntu into the empty folder ``root``, and name its updates as sources.

        Args:
            suite: Code name of the Ubuntu.
            root: Folder to install it into.
            log: File that output is appended to.
            like: Code name of an earlier one that is installed in the same way, where debootstrap does not know this
                one; empty: it does.

        Raises:
            BuildError: It cannot be installed.
        """
        require_programs(debootstrap="debootstrap", unshare="util-linux")
        system = cls(root, log)
        command: list[str | Path] = [
            "unshare",
            "--mount",
            "debootstrap",
            "--variant=minbase",
            f"--keyring={KEYRING}",
            suite,
            root,
            *(("", like) if like else ()),  # from its usual mirror
        ]
        run(command, log, environment=_QUIET)
        sources = root / "etc" / "apt" / "sources.list"
        release = sources.read_text()
        with sources.open("a") as appended:
            for pocket in ("updates", "security"):
                appended.write(release.replace(f" {suite} ", f" {suite}-{pocket} "))
        return system

    def install(self, versions: Mapping[str, str]) -> None:
        """Install packages from the distribution.

        Args:
            versions: Versions by names; an empty version stands for the newest.

        Raises:
            BuildError: The archive has no such version any more.
        """
        self.run([*_APT, "update"])
        wanted = [f"{name}={version}" if version else name for name, version in versions.items()]
        try:
            self.run([*_APT, "install", *wanted])
        except BuildError as error:
            raise BuildError(
                error.what,
                "If the archive has newer versions, adopt them: python -m installer.python.recipe --renew",
            ) from error

    def versions(self, names: Sequence[str]) -> dict[str, str]:
        """Return the versions of installed packages."""
        form = "--showformat=${Package} ${Version}\\n"
        command: list[str | Path] = ["chroot", self.root, "dpkg-query", "--show", form, *names]
        pairs = (line.partition(" ") for line in output_of(command).splitlines())
        return {name: version for name, _, version in pairs}

    def run(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Run a program inside, as the first process of a namespace that ends with it.

        Of the variables of this process it gets none: they name this system's folders.
        """
        inside = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            f"--mount-proc={self.root / 'proc'}",
        ]
        variables = {**_QUIET, **_PLAIN, **(environment or {})}
        clean = ["env", "--ignore-environment", *(f"{name}={value}" for name, value in variables.items())]
        run([*inside, "chroot", self.root, *clean, *command], self._log)

    def remove(self) -> None:
        """Remove the system."""
        shutil.rmtree(self.root)


def fetch_source(package: str, version: str, folder: Path, log: Path) -> None:
    """Download a source package of Debian's into ``folder``, by this machine's own sources of packages.

    They are read for packages alone as a rule; here they are asked for sources, without changing the machine.

    Args:
        package: Name of the source package.
        version: Version; empty: the newest.
        folder: Folder to download to; lists of packages are kept below it meanwhile.
        log: File that apt's output is appended to.

    Raises:
        BuildError: It cannot be downloaded.
    """
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True)
    sources = folder / "sources.list"
    sources.write_text("".join(_source_lines()))
    options = [f"--option=Dir::Etc::SourceList={sources}", "--option=Dir::Etc::SourceParts=-"]
    options += [f"--option=Dir::State::Lists={lists}", "--option=APT::Sandbox::User=root"]
    try:
        run(["apt-get", *options, "update"], log, environment=_QUIET)
        wanted = f"{package}={version}" if version else package
        run(
            ["apt-get", *options, "source", "--download-only", wanted], log, folder=folder, environment=_QUIET
        )
    finally:
        shutil.rmtree(lists)
        sources.unlink()


def _source_lines() -> list[str]:
    """Return a line for sources for each place that this machine takes Debian's packages from."""
    form = "deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)\n"
    told = output_of(["apt-get", "indextargets", "--format", form, "Created-By: Packages", "Origin: Debian"])
    lines = sorted({f"{line}\n" for line in told.splitlines() if line})
    if not lines:
        raise BuildError("This machine has no sources of Debian's packages.", "Build on Debian 12.")
    return lines
