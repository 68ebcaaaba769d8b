"""Reads the files of a tar archive in place: nothing is unpacked, and names in it are not used as paths."""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.data.images import BrokenImageError
from core.data.sources.source import must_be_there

MAX_HEADER_BYTES = 1 << 16
"""Most bytes of all headers of one file together; tools write a kilobyte or two."""

_END = bytes(tarfile.BLOCKSIZE)
_REMEDY = "Get the archive again."


@dataclass(frozen=True)
class ArchiveMember:
    """A file in an archive."""

    name: str
    offset: int
    """Byte of the archive at which the data of the file begin."""
    size: int
    """Size of the data in bytes."""
    is_plain: bool
    """True if the data are the content of the file; false for links, devices and sparse files."""


def members(archive: Path) -> Iterator[ArchiveMember]:
    """Yield the files of an uncompressed archive in order; only headers are read.

    Raises:
        BrokenImageError: the archive cannot be read, or is damaged behind the files that were yielded.
        DataError: the archive does not exist any more.
    """
    at = 0
    try:
        with archive.open("rb") as file, _opened(file) as tar:
            while (member := _next(tar)) is not None:
                if not member.isdir():
                    plain = member.isreg() and not member.issparse()
                    yield ArchiveMember(member.name, member.offset_data, member.size, plain)
                at = tar.offset
            file.seek(at)
            if file.read(len(_END)) not in (b"", _END):
                raise tarfile.ReadError("there is no header")
    except OSError as error:
        must_be_there(archive)
        raise BrokenImageError(f"It cannot be read: {error.strerror or error}.", _REMEDY) from error
    except (tarfile.TarError, ValueError, OverflowError) as error:
        at = min(at, archive.stat().st_size)
        raise BrokenImageError(f"The archive is damaged after byte {at}: {error}.", _REMEDY) from error


def read_member(archive: Path, member: ArchiveMember, limit: int) -> bytes:
    """Return the content of the file ``member`` of an archive.

    Raises:
        BrokenImageError: the member is not a plain file, has more than ``limit`` bytes, is cut short, or
            cannot be read.
        DataError: the archive does not exist any more.
    """
    if not member.is_plain:
        raise BrokenImageError("It is a link or a special file.", "Put the file itself into the archive.")
    if not 0 <= member.size <= limit:
        raise BrokenImageError(f"It states {member.size} bytes, more than {limit}.", "Make it smaller.")
    try:
        with archive.open("rb") as file:
            file.seek(member.offset)
            data = file.read(member.size)
    except OSError as error:
        must_be_there(archive)
        raise BrokenImageError(f"It cannot be read: {error.strerror or error}.", _REMEDY) from error
    if len(data) < member.size:
        raise BrokenImageError("The archive is cut short within it.", _REMEDY)
    return data


class _Headers:
    """Bounded input of tarfile, which believes the sizes that headers state."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.tell, self.seek = file.tell, file.seek
        self.left = MAX_HEADER_BYTES

    def read(self, size: int) -> bytes:
        # Also a read of nothing counts, as tarfile goes on reading at the end of the file.
        self.left -= max(size, tarfile.BLOCKSIZE)
        if size < 0 or self.left < 0:
            raise tarfile.ReadError(f"a header takes more than {MAX_HEADER_BYTES} bytes")
        return self._file.read(size)


def _opened(file: BinaryIO) -> tarfile.TarFile:
    return tarfile.TarFile(fileobj=_Headers(file))  # type: ignore[arg-type]


def _next(tar: tarfile.TarFile) -> tarfile.TarInfo | None:
    headers = tar.fileobj
    assert isinstance(headers, _Headers)
    headers.left = MAX_HEADER_BYTES
    member = tar.next()
    tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all
    if member is not None and (member.size < 0 or tar.offset <= member.offset):
        raise tarfile.ReadError("a size is negative")
    return member
