"""The files of a tar archive by where they lie in it: nothing is unpacked, and no name in it is a path here."""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.data.pixels import BrokenImageError
from core.data.sources.source import must_be_there

MAX_HEADER_BYTES = 1 << 16
"""Of all headers of one file together; tools write a kilobyte or two."""

_END = bytes(tarfile.BLOCKSIZE)
_REMEDY = "Get the archive again."


@dataclass(frozen=True)
class Member:
    """A file in an archive."""

    name: str
    offset: int
    """Bytes of the archive before its own."""
    size: int
    is_plain: bool
    """Whether it is its bytes; links, devices and files with holes are not."""


def members(archive: Path) -> Iterator[Member]:
    """The files of an uncompressed archive, in their order; only headers are read.

    Raises:
        BrokenImageError: the archive cannot be read, or not beyond some byte: what was yielded before is good.
        DataError: it is not there any more.
    """
    at = 0
    try:
        with archive.open("rb") as file, _opened(file) as tar:
            while (member := _next(tar)) is not None:
                if not member.isdir():
                    plain = member.isreg() and not member.issparse()
                    yield Member(member.name, member.offset_data, member.size, plain)
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


def read_member(archive: Path, member: Member, limit: int) -> bytes:
    """A file's bytes.

    Raises:
        BrokenImageError: it is no plain file, has more than ``limit`` bytes, is cut short, or cannot be read.
        DataError: the archive is not there any more.
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
    """What tarfile reads headers from: it believes the sizes they state, so they are bounded here."""

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
