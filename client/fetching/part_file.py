"""The beginning of a file that is being fetched: kept over restarts, hashed while it grows, renamed at its end."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.storage import moving

PART = ".part"
"""Ends the name of a file that is being fetched."""
_PIECE = 1 << 20


def part_of(file: Path) -> Path:
    """Return the name of a file until it is complete and verified."""
    return file.with_name(file.name + PART)


def part_size(file: Path) -> int:
    """Return the bytes of a file that an earlier attempt has left, 0 if there are none."""
    part = part_of(file)
    return part.stat().st_size if part.exists() else 0


class PartFile:
    """The bytes of one file that are here, and their digest.

    Only the bytes of earlier attempts are read again; later ones are hashed while they are written. Errors of the
    disk are raised as OSError, and what was written stays.
    """

    def __init__(self, file: Path, size: int) -> None:
        """Take up what an earlier attempt has left of ``file``, which will have ``size`` bytes.

        Raises OSError if it cannot be read.
        """
        self._file, self.path, self.size = file, part_of(file), size
        self._digest = hashlib.sha256()
        self.have = 0
        """Number of the first bytes that are here."""
        if self.path.exists():
            self._take_up()

    @property
    def is_complete(self) -> bool:
        """True if all bytes are here; whether they are the right ones, `digest` tells."""
        return self.have == self.size

    @property
    def digest(self) -> str:
        """SHA-256 in hex of the bytes that are here."""
        return self._digest.hexdigest()

    def restart(self) -> None:
        """Throw away what is here."""
        moving.remove(self.path)
        self._digest, self.have = hashlib.sha256(), 0

    @contextmanager
    def growing(self) -> Iterator[Callable[[bytes], None]]:
        """Yield a function that appends a piece.

        Each piece is handed to the system at once, so that a download that is killed is resumed after it. The
        function raises OSError if the disk is full or breaks; what was written counts.
        """
        with self.path.open("ab", buffering=0) as stream:

            def append(piece: bytes) -> None:
                left = memoryview(piece)
                while len(left):
                    count = stream.write(left)
                    self._grew(left[:count])
                    left = left[count:]

            yield append

    def place(self) -> None:
        """Give the file its own name, once its bytes are on the disk."""
        with self.path.open("rb+") as stream:
            os.fsync(stream.fileno())
        moving.replace(self.path, self._file)

    def _grew(self, piece: bytes | memoryview) -> None:
        self._digest.update(piece)
        self.have += len(piece)

    def _take_up(self) -> None:
        with self.path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                self._grew(piece)
        if self.have > self.size:
            self.restart()
