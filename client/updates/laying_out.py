"""Lays the tree of a new version out beside the others: it is unpacked under another name, and checked by running it.

Only the processes of tasks load this.
"""

import subprocess
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from client.api.errors import BrokenVersion, UpdateError
from client.environment.kept_setup import NO_SPACE
from client.fetching.files import DISK_HEAD_ROOM, free_bytes, shortage
from client.installed import FILE, InstallationFile, InstallChannel
from client.updates.trees import LAUNCHER, InstalledTrees
from core.storage import moving
from core.storage.files import read_bounded, sha256_of

MOST_UNPACKED = 4 << 30
"""Bytes that a tree may have on the disk."""
_MOST_FILES = 200_000
_DEEPEST = 3
"""Folders of an archive below which its tree is not searched."""
_CHECK_SECONDS = 120.0
_REMEDY = "Nothing was changed; this version goes on. Tell the makers of Idlebrush."


def lay_out(trees: InstalledTrees, archive: Path, sha256: str, version: str, commit: str) -> Path:
    """Unpack a version beside the others, check it by running it, and give it its name.

    Args:
        trees: Trees beside which it is laid out.
        archive: Package of the version.
        sha256: Digest that it must have.
        version: Version that the tree must have.
        commit: Commit that the tree must have been built from.

    Returns:
        Its tree, which is not in use yet.

    Raises:
        BrokenVersion: The package is not what it is said to be, or does not run.
        UpdateError: The disk does not allow it.
    """
    try:
        trees.clear_up()
        require_digest(archive, sha256)
        tree = _unpacked(archive, trees.building(version))
        check_tree(tree, version, commit)
        trees.remove(version)
        moving.rename(tree, trees.tree(version))
        trees.clear_up()
    except OSError as error:
        raise _disk_error(error, trees.prefix) from error
    return trees.tree(version)


def require_digest(package: Path, sha256: str) -> None:
    """Raise UpdateError if a package no longer has its digest; it is removed then, to be fetched again."""
    if sha256_of(package) != sha256:
        moving.remove(package)
        raise UpdateError("The package of the new version has changed on this disk.", "It is fetched again.")


def _unpacked(archive: Path, building: Path) -> Path:
    building.mkdir(mode=0o755)
    try:
        with tarfile.open(archive, "r:*") as opened:
            opened.extractall(building, members=_bounded(opened, building), filter="data")
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BrokenVersion(
            f"The package of the new version cannot be unpacked: {error}.", _REMEDY
        ) from error
    found = [file for depth in range(_DEEPEST + 1) for file in building.glob("*/" * depth + FILE)]
    if not found:
        raise BrokenVersion(f"The package of the new version has no {FILE}.", _REMEDY)
    return found[0].parent


def _bounded(archive: tarfile.TarFile, folder: Path) -> Iterator[tarfile.TarInfo]:
    """Yield the members; raise BrokenVersion if they are too many, UpdateError if the disk has no space for them."""
    size, free = 0, free_bytes(folder)
    for count, member in enumerate(archive, start=1):
        size += member.size
        if count > _MOST_FILES or size > MOST_UNPACKED:
            raise BrokenVersion("The package of the new version is larger than is accepted.", _REMEDY)
        if short := shortage("The new version", size + DISK_HEAD_ROOM, free):
            raise UpdateError(*short)
        yield member


def check_tree(tree: Path, version: str, commit: str) -> None:
    """Check that a tree is the version that it should be, and that its program starts.

    Raises:
        BrokenVersion: It is another one, or does not run.
    """
    try:
        found = InstallationFile.model_validate(tomllib.loads(read_bounded(tree / FILE, 65_536).decode()))
    except (OSError, ValueError) as error:
        raise BrokenVersion(f"The new version's {FILE} cannot be read: {error}.", _REMEDY) from error
    if (found.version, found.commit) != (version, commit) or found.channel is not InstallChannel.TARBALL:
        raise BrokenVersion(
            f"The package of version {version} holds version {found.version} of another build.", _REMEDY
        )
    said = _said_version(tree)
    if said != f"idlebrush {version}":
        raise BrokenVersion(
            f"The new version {version} does not run on this computer: {said or 'it says nothing'}.", _REMEDY
        )


def _said_version(tree: Path) -> str:
    """Return what the program of a tree prints as its version, or the last line of its complaint."""
    try:
        ran = subprocess.run(
            [tree / LAUNCHER, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CHECK_SECONDS,
            text=True,
            errors="replace",
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    lines = (ran.stdout if ran.returncode == 0 else ran.stderr).strip().splitlines()
    return lines[-1][:300] if lines else f"exit status {ran.returncode}"


def _disk_error(error: OSError, folder: Path) -> UpdateError:
    remedy = (
        "Free some space on that disk."
        if error.errno in NO_SPACE
        else "See that you may write to that folder."
    )
    return UpdateError(f"{folder} cannot be used: {error.strerror or error}.", f"{remedy} Then try again.")
