"""Lays the tree of a new version out beside the others: it is unpacked under another name, and checked by running it.

Only the processes of tasks load this.
"""

import subprocess
import tarfile
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from client.api.errors import REPORT_THIS, BrokenVersion, UpdateError
from client.environment.kept_setup import NO_SPACE
from client.fetching.files import DISK_HEAD_ROOM, free_bytes, shortage
from client.installed import FILE, InstallationFile, InstallChannel
from client.updates.trees import LAUNCHER, InstalledTrees
from core.excerpt import shortened
from core.storage import moving
from core.storage.files import read_bounded, sha256_of

MOST_UNPACKED = 4 << 30
"""Bytes that a tree may have on the disk."""
_MOST_FILES = 200_000
_DEEPEST = 3
"""Folders of an archive below which its tree is not searched."""
_CHECK_SECONDS = 120.0
_REMEDY = f"Nothing was changed; this version continues. {REPORT_THIS}"


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
    except OSError as error:
        raise _disk_error(error, trees.prefix) from error
    finally:
        moving.discard_folder(trees.building(version))  # half a tree, or what was around the whole one
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
            # Python has its own checks since 3.11.4, and an older one does not know the argument for them.
            opened.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
            opened.extractall(building, members=_harmless(opened, building))
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BrokenVersion(
            f"The package of the new version cannot be unpacked: {error}.", _REMEDY
        ) from error
    found = [file for depth in range(_DEEPEST + 1) for file in building.glob("*/" * depth + FILE)]
    if not found:
        raise BrokenVersion(f"The package of the new version has no {FILE}.", _REMEDY)
    return found[0].parent


def _harmless(archive: tarfile.TarFile, folder: Path) -> Iterator[tarfile.TarInfo]:
    """Yield the members, each with harmless permissions.

    Raises:
        BrokenVersion: They are too many, or one of them leads out of the folder.
        UpdateError: The disk has no space for them.
    """
    size, free, links = 0, free_bytes(folder), set[PurePosixPath]()
    for count, member in enumerate(archive, start=1):
        size += member.size
        if count > _MOST_FILES or size > MOST_UNPACKED:
            raise BrokenVersion("The package of the new version is larger than is accepted.", _REMEDY)
        if short := shortage("The new version", size + DISK_HEAD_ROOM, free):
            raise UpdateError(*short)
        if not stays_inside(member, links):
            raise BrokenVersion(
                f"The package of the new version holds {shortened(member.name, 100)!r}, which leads elsewhere.",
                _REMEDY,
            )
        if member.issym():
            links.add(PurePosixPath(member.name))
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        member.uname = member.gname = ""
        member.uid = member.gid = 0  # only root changes owners
        yield member


def stays_inside(member: tarfile.TarInfo, links: Collection[PurePosixPath]) -> bool:
    """Return true if a member of an archive cannot write, or lead, out of the folder where it is unpacked.

    Names must not pass through a link, and targets of links may climb only at their beginning: what a path means
    then follows from its text alone.

    Args:
        member: Member of the archive.
        links: Names of the links before it.
    """
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts or any(parent in links for parent in name.parents):
        return False
    if member.islnk():
        target = PurePosixPath(member.linkname)
        return not (target.is_absolute() or ".." in target.parts or {target, *target.parents} & set(links))
    if member.issym():
        target = PurePosixPath(member.linkname)
        climbs = next((index for index, part in enumerate(target.parts) if part != ".."), len(target.parts))
        return not target.is_absolute() and ".." not in target.parts[climbs:] and climbs < len(name.parts)
    return member.isfile() or member.isdir()


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
