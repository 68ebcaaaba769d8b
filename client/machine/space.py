"""How much RAM and disk is free."""

import contextlib
import os
import shutil
from pathlib import Path

from client.machine.ram import free_ram
from client.machine.readings import Known, Reading, Unknown


def read_free_ram() -> Reading[int]:
    """Bytes that can be taken without swapping."""
    return Known(free_ram(), "the system and its control groups")


def read_free_disk(folder: Path) -> Reading[int]:
    """Bytes that this user may still write there, or where it would be made."""
    try:
        there = next((part for part in (folder, *folder.parents) if part.exists()), folder)
        return Known(shutil.disk_usage(there).free, f"the file system of {there}")
    except OSError as error:
        return Unknown(f"The free space of {folder} cannot be read: {error.strerror}.")


def disk_used(folder: Path) -> int:
    """Bytes of all files below a folder; what comes and goes meanwhile may be missing."""
    total = 0
    for parent, _, names in os.walk(folder):  # leaves out a folder that has just gone, where rglob raises
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(f"{parent}/{name}").st_size
    return total
