"""Compares a file system before and after: what was added, removed or changed, and whether that was expected."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

_PIECE = 1 << 20
_BELOW = "/**"


@dataclass(frozen=True)
class EntryState:
    """A file, folder or link, without its times."""

    kind: str
    """Letter of its kind as ``ls -l`` has it: ``-``, ``d``, ``l`` and so on."""
    mode: int
    """Permission bits."""
    owner: tuple[int, int]
    """Ids of its user and group."""
    content: str = ""
    """SHA-256 of a file in hex, or the target of a link."""
    size: int = 0
    """Bytes of a file."""


FileSystemState = Mapping[str, EntryState]
"""Entries by their paths below the root, each of which begins with a slash."""


class DifferenceKind(StrEnum):
    """The way in which an entry differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, order=True)
class FileDifference:
    """An entry that is not as it was."""

    path: str
    kind: DifferenceKind

    def __str__(self) -> str:
        """Describe it in one line."""
        return f"{self.kind} {self.path}"


@dataclass(frozen=True)
class AllowedDifference:
    """Differences that are to be expected, and the reason."""

    pattern: str
    """Pattern of paths, as `is_like` takes it."""
    why: str
    kinds: frozenset[DifferenceKind] = frozenset(DifferenceKind)

    def covers(self, difference: FileDifference) -> bool:
        """Return true if this is the reason of ``difference``."""
        return difference.kind in self.kinds and is_like(difference.path, self.pattern)


def is_like(path: str, pattern: str) -> bool:
    """Return true if an absolute path has the names of a pattern, in which a star stands for no slash.

    A pattern that ends with ``/**`` stands for what comes before that and for all below it.
    """
    place, above = PurePosixPath(path), pattern.removesuffix(_BELOW)
    places = (place, *place.parents) if above != pattern else (place,)
    return any(each.match(above) for each in places)


def state_of(root: Path) -> dict[str, EntryState]:
    """Return all entries below ``root``; what is mounted there is not entered.

    Raises OSError if an entry cannot be read.
    """
    device = root.stat().st_dev
    return {path: _entry(Path(item.path)) for path, item in _walk(root, "", device)}


def _walk(folder: Path, prefix: str, device: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(folder) as items:
        for item in sorted(items, key=lambda each: each.name):
            path = f"{prefix}/{item.name}"
            yield path, item
            if item.is_dir(follow_symlinks=False) and item.stat(follow_symlinks=False).st_dev == device:
                yield from _walk(Path(item.path), path, device)


def _entry(path: Path) -> EntryState:
    found = path.lstat()
    kind, mode = stat.filemode(found.st_mode)[0], stat.S_IMODE(found.st_mode)
    owner = (found.st_uid, found.st_gid)
    if stat.S_ISLNK(found.st_mode):
        return EntryState(kind, 0, owner, str(path.readlink()))
    if stat.S_ISREG(found.st_mode):
        return EntryState(kind, mode, owner, _digest(path), found.st_size)
    return EntryState(kind, mode, owner)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def differences(before: FileSystemState, after: FileSystemState) -> list[FileDifference]:
    """Return all entries that differ, sorted by their paths."""
    added = (FileDifference(path, DifferenceKind.ADDED) for path in after.keys() - before.keys())
    removed = (FileDifference(path, DifferenceKind.REMOVED) for path in before.keys() - after.keys())
    changed = (
        FileDifference(path, DifferenceKind.CHANGED)
        for path in before.keys() & after.keys()
        if before[path] != after[path]
    )
    return sorted([*added, *removed, *changed])


def unexpected(found: Iterable[FileDifference], allowed: Iterable[AllowedDifference]) -> list[FileDifference]:
    """Return the differences that no reason covers."""
    reasons = tuple(allowed)
    return [item for item in found if not any(reason.covers(item) for reason in reasons)]


def added_bytes(before: FileSystemState, after: FileSystemState, pattern: str = "/*/**") -> int:
    """Return the bytes by which the files of that pattern have grown together."""

    def total(state: FileSystemState) -> int:
        return sum(entry.size for path, entry in state.items() if is_like(path, pattern))

    return total(after) - total(before)
