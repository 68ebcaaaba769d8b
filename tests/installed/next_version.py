"""Makes later versions of a Debian package out of it: one that works, and others that do not."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from client.installed import FILE as INSTALLATION
from tests.installed.systems import TrialError, logged

DAEMON = "client/daemon.py"
"""File of the app's code without which no daemon starts."""
_FAILS = "raise ImportError('this version lacks something')\n"
_REFUSE = "#!/bin/sh\necho 'This version is broken.' >&2\nexit 1\n"


def version_of(package: Path) -> str:
    """Return the version of the Debian ``package``; TrialError if it is none."""
    done = subprocess.run(
        ["dpkg-deb", "--field", str(package), "Version"], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise TrialError(f"{package} is no Debian package: {done.stderr.strip()}", "Name one that is.")
    return done.stdout.strip()


def upstream(version: str) -> str:
    """Return what the app itself tells of a package's ``version``: it has no revision of the package."""
    return version.rpartition("-")[0] or version


def later_version(version: str) -> str:
    """Return a version that follows ``version``: the last number of the app's own, plus one."""
    own = upstream(version)
    found = re.search(r"(\d+)(\D*)$", own)
    if found is None:
        raise TrialError(f"{version!r} has no number to count up.", "Name a package with a usual version.")
    return f"{own[: found.start()]}{int(found[1]) + 1}{found[2]}{version[len(own) :]}"


@dataclass(frozen=True)
class TriedPackages:
    """The package and its successors."""

    package: Path
    later: Path
    refusing: Path
    """A version after the later one, which refuses to be installed."""
    silent: Path
    """A version after that one, whose daemon does not start."""


def with_successors(package: Path, folder: Path, log: Path) -> TriedPackages:
    """Write later versions of ``package`` to ``folder``, all but the first of which do not work.

    What the app tells of its version changes along. They are compressed lightly, as only this machine reads them.
    Raises TrialError if the package is built in another way than is known here.
    """
    tree, version = folder / "unpacked", version_of(package)
    logged(("dpkg-deb", "--raw-extract", str(package), str(tree)), log)
    later = _renamed(tree, version)
    first = _build(tree, folder / f"idlebrush_{later}.deb", log)
    refusing = _renamed(tree, later)
    script = tree / "DEBIAN/preinst"
    usual = script.read_text()
    script.write_text(_REFUSE)
    second = _build(tree, folder / f"idlebrush_{refusing}_refusing.deb", log)
    script.write_text(usual)
    silent = _renamed(tree, refusing)
    break_daemon(tree / "opt/idlebrush")
    third = _build(tree, folder / f"idlebrush_{silent}_silent.deb", log)
    shutil.rmtree(tree)
    return TriedPackages(package, first, second, third)


def _renamed(package: Path, version: str) -> str:
    """Make an unpacked package the version that follows, and return that."""
    later = later_version(version)
    replace_in(package / "DEBIAN/control", f"Version: {version}", f"Version: {later}")
    rename_tree(package / "opt/idlebrush", upstream(version), upstream(later))
    return later


def rename_tree(tree: Path, before: str, after: str) -> None:
    """Have the app in ``tree`` tell another version than ``before``."""
    replace_in(tree / INSTALLATION, f'"{before}"', f'"{after}"')
    (about,) = (tree / "code").glob("idlebrush-*.dist-info")
    replace_in(about / "METADATA", f"Version: {before}", f"Version: {after}")
    about.rename(about.with_name(about.name.replace(before, after)))


def break_daemon(tree: Path) -> None:
    """Let the daemon of the app in ``tree`` fail when it is imported; what was compiled of it is removed."""
    file = tree / "code" / DAEMON
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()
    file.write_text(_FAILS)


def _build(tree: Path, package: Path, log: Path) -> Path:
    logged(("dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", str(tree), str(package)), log)
    return package


def replace_in(file: Path, old: str, new: str) -> None:
    """Replace a text in a file; TrialError if the file does not have it."""
    text = file.read_text()
    if old not in text:
        raise TrialError(f"{file.name} does not name the version {old}.", "See how the package is built.")
    file.write_text(text.replace(old, new))
