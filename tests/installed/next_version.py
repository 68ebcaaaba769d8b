"""Makes other versions of a Debian package out of it: a later one, and a later one that cannot be installed."""

import re
import shutil
import subprocess
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


def later_version(version: str) -> str:
    """Return a version that follows ``version``: the last of its numbers, plus one."""
    found = re.search(r"(\d+)(\D*)$", version)
    if found is None:
        raise TrialError(f"{version!r} has no number to count up.", "Name a package with a usual version.")
    return f"{version[: found.start()]}{int(found[1]) + 1}{found[2]}"


def make_later(package: Path, folder: Path, log: Path, *, broken: bool = False) -> Path:
    """Write the later version of ``package`` to ``folder``, and return its path; a ``broken`` one refuses to install.

    What the app tells of its version changes along. It is compressed lightly, as only this machine reads it.
    """
    tree = folder / "unpacked"
    before = version_of(package)
    after = later_version(before)
    if broken:
        after = later_version(after)
    logged(("dpkg-deb", "--raw-extract", str(package), str(tree)), log)
    _replace(tree / "DEBIAN/control", f"Version: {before}", f"Version: {after}")
    for file in tree.glob("opt/idlebrush/installation.toml"):
        _replace(file, before, after)
    for about in tree.glob("opt/idlebrush/code/idlebrush-*.dist-info"):
        _replace(about / "METADATA", f"Version: {before}", f"Version: {after}")
        about.rename(about.with_name(about.name.replace(before, after)))
    if broken:
        script = tree / "DEBIAN/preinst"
        script.write_text(_REFUSE)
        script.chmod(0o755)
    made = folder / f"idlebrush_{after}{'_broken' if broken else ''}.deb"
    logged(("dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", str(tree), str(made)), log)
    shutil.rmtree(tree)
    return made


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    if old not in text:
        raise TrialError(f"{file.name} does not name the version {old}.", "See how the package is built.")
    file.write_text(text.replace(old, new))
