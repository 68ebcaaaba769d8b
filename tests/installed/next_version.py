"""Makes other versions of a Debian package out of it: a later one, and a later one that cannot be installed."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.installed.systems import TrialError, logged

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
    broken: Path
    """A version that is still later and refuses to be installed."""


def with_successors(package: Path, folder: Path, log: Path) -> TriedPackages:
    """Write two later versions of ``package`` to ``folder``, the second of which refuses to be installed.

    What the app tells of its version changes along. They are compressed lightly, as only this machine reads them.
    Raises TrialError if the package is built in another way than is known here.
    """
    tree, version = folder / "unpacked", version_of(package)
    logged(("dpkg-deb", "--raw-extract", str(package), str(tree)), log)
    later = later_version(version)
    _rename(tree, version, later)
    first = _build(tree, folder / f"idlebrush_{later}.deb", log)
    broken = later_version(later)
    _rename(tree, later, broken)
    script = tree / "DEBIAN/preinst"
    script.write_text(_REFUSE)
    script.chmod(0o755)
    second = _build(tree, folder / f"idlebrush_{broken}_broken.deb", log)
    shutil.rmtree(tree)
    return TriedPackages(package, first, second)


def _rename(tree: Path, before: str, after: str) -> None:
    _replace(tree / "DEBIAN/control", f"Version: {before}", f"Version: {after}")
    before, after = upstream(before), upstream(after)
    for file in tree.glob("opt/idlebrush/installation.toml"):
        _replace(file, f'"{before}"', f'"{after}"')
    for about in tree.glob("opt/idlebrush/code/idlebrush-*.dist-info"):
        _replace(about / "METADATA", f"Version: {before}", f"Version: {after}")
        about.rename(about.with_name(about.name.replace(before, after)))


def _build(tree: Path, package: Path, log: Path) -> Path:
    logged(("dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", str(tree), str(package)), log)
    return package


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    if old not in text:
        raise TrialError(f"{file.name} does not name the version {old}.", "See how the package is built.")
    file.write_text(text.replace(old, new))
