"""Removes the shared memory of torch that killed processes leave: their cleaner is killed with them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

SHARED = Path("/dev/shm")


def segments() -> set[Path]:
    """Return the shared memory of torch on this machine, whoever's it is."""
    return set(SHARED.glob("torch_*_*"))


def maker(segment: Path) -> int:
    """Return the id of the process that made a segment of torch's; -1 if its name is none of torch's."""
    number = segment.name.split("_")[1]
    return int(number) if number.isdigit() else -1


def remove_litter(since: float) -> None:
    """Remove what processes that are gone made after that time, in seconds since 1970, if nobody has it mapped."""
    litter = {str(segment) for segment in segments() if _is_litter(segment, since)}
    for path in litter - set(_mapped() if litter else ()):
        Path(path).unlink(missing_ok=True)


def _is_litter(segment: Path, since: float) -> bool:
    with suppress(OSError):
        stat, process = segment.stat(), maker(segment)
        is_ours = process >= 0 and stat.st_uid == os.getuid() and stat.st_ctime >= since
        return is_ours and not psutil.pid_exists(process)
    return False


def _mapped() -> Iterator[str]:
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            yield from (each.path for each in process.memory_maps())
