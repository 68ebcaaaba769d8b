"""A disk that can be filled to its last byte, and emptied again."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

BYTES = 1 << 20


@dataclass(frozen=True)
class SmallDisk:
    folder: Path
    mounted: bool
    """True if it is a mounted tmpfs; otherwise, this process may not write to files while it is full."""

    @contextmanager
    def full(self, spare: int = 0) -> Iterator[None]:
        """Leave no byte free for as long as this lasts, or so many on a real disk."""
        with self._ballast(spare) if self.mounted else _no_writing():
            yield

    @contextmanager
    def _ballast(self, spare: int) -> Iterator[None]:
        ballast = self.folder / "ballast"
        with ballast.open("wb", buffering=0) as file:
            with suppress(OSError):
                while True:
                    file.write(b"\0" * 4096)
            file.truncate(file.tell() - spare)
        try:
            yield
        finally:
            ballast.unlink()


@contextmanager
def mounted_at(folder: Path, size: int = BYTES) -> Iterator[SmallDisk]:
    """A small tmpfs there, where that is permitted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield SmallDisk(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def _no_writing() -> Iterator[None]:
    import resource  # which Windows lacks

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
