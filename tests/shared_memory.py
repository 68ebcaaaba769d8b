"""Removes the shared memory of torch that killed processes leave: their cleaner is killed with them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

SHARED = Path("/dev/shm")


def remove_litter(since: float) -> None:
    """Remove what processes that are gone made after that time, in seconds since 1970, if nobody has it mapped."""
    litter = {str(segment) for segment in SHARED.glob("torch_*_*") if _is_litter(segment, since)}
    for path in litter - set(_mapped() if litter else ()):
        Path(path).unlink(missing_ok=True)


def _is_litter(segment: Path, since: float) -> bool:
    with suppress(OSError, ValueError):
        stat = segment.stat()
        made_by = int(segment.name.split("_")[1])
        return stat.st_uid == os.getuid() and stat.st_ctime >= since and not psutil.pid_exists(made_by)
    return False


def _mapped() -> Iterator[str]:
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            yield from (each.path for each in process.memory_maps())
