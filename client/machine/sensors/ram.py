"""Measures RAM and disk space that are free for this process; a container's limit counts where it is lower."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from client.machine.readings import Known, Reading, Unknown

_OWN = Path("/proc/self/cgroup")
_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class _Files:
    """Names of the files of one version of control groups."""

    limit: str
    usage: str
    cache: str
    """Key in ``memory.stat`` of file cache that is released when memory is needed."""


_V1 = _Files("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = _Files("memory.max", "memory.current", "inactive_file")


def free_ram() -> int:
    """Return the bytes that can be taken without swapping and without being killed for it."""
    free: int = psutil.virtual_memory().available
    room = control_group_room()
    return free if room is None else min(free, room)


def control_group_room(own: Path = _OWN, root: Path = _ROOT) -> int | None:
    """Return the bytes that the control groups of this process let it take beside what they hold.

    None: they set no limit.

    Args:
        own: the file that names the groups, as in cgroups(7).
        root: where their folders are mounted.
    """
    rooms = [room for folder, files in _groups(own, root) if (room := _room(folder, files)) is not None]
    return min(rooms, default=None)


def _groups(own: Path, root: Path) -> Iterator[tuple[Path, _Files]]:
    """Yield the group's folder and those above it, whose limits hold too; a container may hide some."""
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        base, files = (root / "memory", _V1) if controllers else (root, _V2)
        folder = base / path.lstrip("/")
        for above in (folder, *folder.parents):
            if above.is_relative_to(base):
                yield above, files


def _room(folder: Path, files: _Files) -> int | None:
    try:
        limit = (folder / files.limit).read_text().strip()
        if limit == "max":
            return None
        usage = int((folder / files.usage).read_text())
        return max(0, int(limit) - usage + _cache(folder, files))
    except (OSError, ValueError):
        return None


def _cache(folder: Path, files: _Files) -> int:
    for line in (folder / "memory.stat").read_text().splitlines():
        name, _, size = line.partition(" ")
        if name == files.cache:
            return int(size)
    return 0


def read_free_ram() -> Reading[int]:
    """Return the bytes that can be taken without swapping."""
    return Known(free_ram(), "the system and its control groups")


def read_free_disk(folder: Path) -> Reading[int]:
    """Return the bytes that this user may still write there, or where it would be made."""
    try:
        there = next((part for part in (folder, *folder.parents) if part.exists()), folder)
        return Known(shutil.disk_usage(there).free, f"the file system of {there}")
    except OSError as error:
        return Unknown(f"The free space of {folder} cannot be read: {error.strerror}.")


def disk_used(folder: Path) -> int:
    """Return the bytes of all files below a folder; what comes and goes meanwhile may be missing."""
    total = 0
    for parent, _, names in os.walk(folder):  # leaves out a folder that has just gone, where rglob raises
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(f"{parent}/{name}").st_size
    return total
