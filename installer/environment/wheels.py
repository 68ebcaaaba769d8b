"""Gets what a list says of wheels beside their names: the bytes that they unpack to, and wheels of sources.

A wheel is an archive with its table of contents at the end: a few kB of each are read by HTTP ranges.
"""

import io
import shutil
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import requests

from core.storage.files import sha256_of
from installer.commands import BuildError, run
from installer.environment.resolve import ResolvedFile

_SECONDS = 60.0
_TAIL = 256 << 10
"""Bytes that are read at once: the contents of all but the largest wheels."""
_PIECE = 1 << 20


class RangedFile(io.RawIOBase):
    """A file on a server, read in ranges; the last range that was read is kept."""

    def __init__(self, session: requests.Session, address: str) -> None:
        """Open the file at ``address``.

        Raises:
            BuildError: The server does not give its size, or refuses.
        """
        self._session, self._address = session, address
        answer = session.head(address, timeout=_SECONDS, allow_redirects=True)
        if not answer.ok or "Content-Length" not in answer.headers:
            raise BuildError(f"{address} cannot be read: status {answer.status_code}.", "Try again later.")
        self.size = int(answer.headers["Content-Length"])
        """Bytes of the whole file."""
        self._at = 0
        self._begin, self._kept = self.size, b""

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        wanted = min(len(buffer), self.size - self._at)
        if wanted <= 0:
            return 0
        if not self._begin <= self._at <= self._at + wanted <= self._begin + len(self._kept):
            self._fetch(min(self._at, max(0, self.size - _TAIL)), max(self._at + wanted, self._at + _TAIL))
        first = self._at - self._begin
        buffer[:wanted] = self._kept[first : first + wanted]
        self._at += wanted
        return wanted

    def _fetch(self, begin: int, end: int) -> None:
        end = min(end, self.size)
        headers = {"Range": f"bytes={begin}-{end - 1}"}
        answer = self._session.get(self._address, headers=headers, timeout=_SECONDS)
        if answer.status_code != requests.codes.partial_content or len(answer.content) != end - begin:
            raise BuildError(f"{self._address} cannot be read in ranges.", "Use another index or mirror.")
        self._begin, self._kept = begin, answer.content


def sizes(file: ResolvedFile, session: requests.Session) -> tuple[int, int]:
    """Return the bytes of a wheel, and the bytes of its files once they are unpacked.

    Raises:
        BuildError: It cannot be read.
    """
    try:
        if file.local is not None:
            return file.local.stat().st_size, unpacked_size(file.local.open("rb"))
        remote = RangedFile(session, file.address)
        return remote.size, unpacked_size(io.BufferedReader(remote, _TAIL))
    except (requests.RequestException, OSError, zipfile.BadZipFile) as error:
        raise BuildError(f"{file.name} cannot be read: {error}", "Try again later.") from error


def unpacked_size(wheel: io.BufferedIOBase) -> int:
    """Return the bytes of a wheel's files, by its table of contents."""
    with wheel, zipfile.ZipFile(wheel) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def fetch(file: ResolvedFile, folder: Path, session: requests.Session) -> Path:
    """Return the path of a file in ``folder``, where it is copied to or downloaded unless it is there.

    Raises:
        BuildError: It cannot be had, or has another digest than the index tells.
    """
    target = folder / file.name
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        if file.local is not None:
            shutil.copyfile(file.local, part)
        else:
            _download(file.address, part, session)
        part.rename(target)
    if sha256_of(target) != file.sha256:
        raise BuildError(
            f"{target} does not have the digest that the index tells.", "Remove it, and try again."
        )
    return target


def wheel_of_source(
    file: ResolvedFile, folder: Path, session: requests.Session, log: Path, epoch: int
) -> ResolvedFile:
    """Make the wheel of a package that is published as source alone, and return it; it has only Python modules.

    Args:
        file: The source.
        folder: Folder that the wheel is written to.
        session: Session to download with.
        log: File for the output of programs.
        epoch: Time of the wheel's files, in seconds since 1970, so that its bytes do not depend on the build.

    Raises:
        BuildError: It cannot be made, or would only run on this system.
    """
    sources = folder.with_name("sources")
    sources.mkdir(exist_ok=True)
    source = fetch(file, sources, session)
    command: Sequence[str | Path] = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index"]
    command = [*command, "--no-build-isolation", "--no-cache-dir", "--quiet", "--wheel-dir", sources, source]
    run(command, log, environment={"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"})
    prefix = file.package.replace("-", "_")
    made = [wheel for wheel in sources.glob("*-none-any.whl") if wheel.name.startswith(f"{prefix}-")]
    if len(made) != 1:
        raise BuildError(
            f"{file.package} has no wheel, and none for all systems can be made of it.", "Replace it."
        )
    wheel = folder / made[0].name
    made[0].replace(wheel)
    return ResolvedFile(file.package, file.version, wheel.as_uri(), sha256_of(wheel), wheel.stat().st_size)


def _download(address: str, part: Path, session: requests.Session) -> None:
    try:
        with session.get(address, stream=True, timeout=_SECONDS) as answer, part.open("wb") as target:
            answer.raise_for_status()
            for piece in answer.iter_content(_PIECE):
                target.write(piece)
    except requests.RequestException as error:
        raise BuildError(f"{address} cannot be downloaded: {error}", "Try again later.") from error
