"""Writes archives that have the same bytes for the same files, and lists what is in a folder."""

import hashlib
import lzma
import stat
import tarfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from installer.commands import run

_AR = b"!<arch>\n"
_AR_HEADER = 60
_UNIX = 3
"""Number of the system in a zip archive whose entries have modes and links."""
_PRESET = 6
"""Effort of xz: more takes longer and more memory to unpack, and saves little."""


@dataclass(frozen=True)
class ListedFile:
    """A file of a tree, as a listing shows it."""

    path: str
    size: int
    """Size in bytes; 0 for a link."""
    digest: str
    """SHA-256 in hex; of a link, an arrow and what it leads to."""

    def __str__(self) -> str:
        return f"{self.digest}  {self.size:>10}  {self.path}"


def listed(folder: Path) -> Iterator[ListedFile]:
    """Yield the files and links below ``folder`` in the order of their paths."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield ListedFile(name, 0, f"-> {path.readlink()}")
        elif path.is_file():
            with path.open("rb") as stream:
                yield ListedFile(name, path.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest())


def write_listing(folder: Path, file: Path) -> None:
    """Write a line for each file and link below ``folder`` into a ``file`` outside of it."""
    file.write_text("".join(f"{each}\n" for each in listed(folder)), encoding="utf-8")


def write_tar_xz(folder: Path, archive: Path, epoch: int, root: str = "") -> None:
    """Write all below ``folder`` into an archive, of which neither user, time nor order of the disk is part.

    Args:
        folder: The files; of their modes only who may execute them counts.
        archive: File to write.
        epoch: Time of all files, in seconds since 1970.
        root: Name of the folder in the archive; empty: that of ``folder``.
    """
    with (
        lzma.open(archive, "wb", preset=_PRESET) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as tar,
    ):
        for path in [folder, *sorted(folder.rglob("*"))]:
            name = Path(root or folder.name) / path.relative_to(folder)
            entry = _entry(path, name.as_posix(), epoch)
            if entry.isreg():
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            else:
                tar.addfile(entry)


def write_zip(folder: Path, archive: Path, epoch: int) -> None:
    """Write ``folder`` and all below it into a zip archive with modes and links, of which no user is part.

    Args:
        folder: The files; of their modes only who may execute them counts.
        archive: File to write.
        epoch: Time of all files, in seconds since 1970.
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            entry = zipfile.ZipInfo(
                (Path(folder.name) / path.relative_to(folder)).as_posix(), time.gmtime(epoch)[:6]
            )
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = _UNIX
            if path.is_symlink():
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
                packed.writestr(entry, str(path.readlink()))
            elif path.is_file():
                entry.external_attr = (stat.S_IFREG | (0o755 if path.stat().st_mode & 0o100 else 0o644)) << 16
                packed.writestr(entry, path.read_bytes())


def write_system(root: Path, archive: Path, epoch: int, log: Path) -> None:
    """Write the system in ``root`` into a tar archive compressed by gzip, with owners and modes.

    Args:
        root: Folder of the system.
        archive: File to write.
        epoch: Time of all files, in seconds since 1970.
        log: File for the output of programs.

    Raises:
        BuildError: A program is missing, or fails.
    """
    plain = archive.with_suffix("")
    order = ["--sort=name", f"--mtime=@{epoch}", "--numeric-owner", "--format=gnu"]
    run(["tar", "--create", "--file", plain, *order, "--directory", root, "."], log)
    run(["gzip", "--best", "--no-name", plain], log)


def _entry(path: Path, name: str, epoch: int) -> tarfile.TarInfo:
    """Describe a file without what differs from one computer to another."""
    entry = tarfile.TarInfo(name)
    entry.uname = entry.gname = "root"
    entry.mtime = epoch
    if path.is_symlink():
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, str(path.readlink()), 0o777
    elif path.is_dir():
        entry.type, entry.mode = tarfile.DIRTYPE, 0o755
    else:
        status = path.stat()
        entry.size, entry.mode = status.st_size, 0o755 if status.st_mode & 0o100 else 0o644
    return entry


def compress_deb(package: Path) -> None:
    """Compress the files in a .deb package, which were left uncompressed, by xz.

    Args:
        package: Package, which is replaced; it is an archive of ar with three members (deb(5)).

    Raises:
        ValueError: It is no such package.
    """
    with package.open("rb") as source:
        if source.read(len(_AR)) != _AR:
            raise ValueError(f"{package} is no package")
        members = dict(_ar_members(source))
    if list(members) != ["debian-binary", "control.tar.gz", "data.tar"]:
        raise ValueError(f"{package} has other members: {', '.join(members)}")
    times, contents = zip(*members.values(), strict=True)
    packed = [*contents[:2], lzma.compress(contents[2], preset=_PRESET)]
    with package.open("wb") as target:
        target.write(_AR)
        for name, time, content in zip((*list(members)[:2], "data.tar.xz"), times, packed, strict=True):
            target.write(f"{name:<16}{time:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
            target.write(content + b"\n" * (len(content) % 2))


def _ar_members(source: BinaryIO) -> Iterator[tuple[str, tuple[int, bytes]]]:
    """Yield the names of members of an archive of ar, with their times and contents."""
    while header := source.read(_AR_HEADER):
        name, time, size = header[:16], header[16:28], int(header[48:58])
        yield name.decode().strip().rstrip("/"), (int(time), source.read(size))
        source.read(size % 2)
