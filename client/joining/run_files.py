"""Reads the files of a run from a web server or a folder of this machine, through one interface."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol
from urllib.parse import urljoin

from client.api.errors import DownloadError, JoinError
from client.fetching.files import BytesArrived, FileFetcher, WantedFile, WrongDigest
from client.fetching.part_file import PART, PartFile
from client.fetching.web_client import WebClient, Wording
from client.joining.invitation import is_address
from client.joining.run_card import FILE as CARD
from client.joining.run_card import MANIFEST
from core.storage.files import FileRef, read_bounded

RUN_WORDING = Wording("the run's file", "Ask the run's organiser.", "do not join")
TRAINER = "peer"
"""Folder in that of a run in which the trainer keeps its own."""
IDENTITY = "identity"
"""File in there of the peer's key, which is made before a run is joined where its gate asks for it."""
_OURS = {MANIFEST, CARD, TRAINER}
_PIECE = 1 << 20


class NoRangesError(DownloadError):
    """The server gives whole files alone."""


class RunFilesSource(Protocol):
    def manifest(self, limit: int) -> bytes:
        """Return the manifest, of at most ``limit`` bytes."""

    def fetch(self, ref: FileRef, target: Path, arrived: BytesArrived) -> None:
        """Put the file at ``target``, verified; what an earlier attempt has left may be kept.

        Raise JoinError if it is another file, DownloadError if it cannot be had.
        """

    def read(self, ref: FileRef, first: int, end: int) -> bytes:
        """Return bytes ``first`` to ``end - 1`` of a file; raise NoRangesError if they cannot be had alone."""


def source_at(location: str, web: WebClient) -> RunFilesSource:
    """Return the source of a run whose manifest lies at a web address or a path."""
    return WebSource(location, web) if is_address(location) else FolderSource(Path(location))


class WebSource:
    def __init__(self, address: str, web: WebClient) -> None:
        self._address, self._web = address, web
        # A person waits for it, and may try again: nothing else does.
        self._fetcher = FileFetcher(web, attempts=1)

    def manifest(self, limit: int) -> bytes:
        return self._web.document(self._address, limit)

    def fetch(self, ref: FileRef, target: Path, arrived: BytesArrived) -> None:
        wanted = WantedFile(ref.path, ref.size, ref.sha256, (urljoin(self._address, ref.path),))
        try:
            self._fetcher.fetch(wanted, target, arrived)
        except WrongDigest as error:
            raise _other_file(ref) from error

    def read(self, ref: FileRef, first: int, end: int) -> bytes:
        address = urljoin(self._address, ref.path)
        if (first, end) == (0, ref.size):
            return self._web.document(address, ref.size)
        found = self._web.part(address, first, end)
        if found is None:
            raise NoRangesError(
                f"{address} can only be fetched whole.", "The file is checked after its download."
            )
        return found


class FolderSource:
    def __init__(self, manifest: Path) -> None:
        self._manifest = manifest

    def manifest(self, limit: int) -> bytes:
        try:
            return read_bounded(self._manifest, limit)
        except OSError as error:
            raise JoinError(
                f"The manifest {self._manifest} cannot be read: {error.strerror or error}.", "Check the path."
            ) from error
        except ValueError as error:
            raise JoinError(f"{error}, and cannot be a manifest.", "Check the path.") from error

    def fetch(self, ref: FileRef, target: Path, arrived: BytesArrived) -> None:
        part = PartFile(target, ref.size)
        part.restart()
        with self._file(ref).open("rb") as source, part.growing() as append:
            while piece := source.read(_PIECE):
                append(piece)
                arrived(part.have)
        if part.digest != ref.sha256:
            part.restart()
            raise _other_file(ref)
        part.place()

    def read(self, ref: FileRef, first: int, end: int) -> bytes:
        with self._file(ref).open("rb") as source:
            source.seek(first)
            return source.read(end - first)

    def _file(self, ref: FileRef) -> Path:
        file = self._manifest.parent / ref.path
        if not file.is_file() or file.stat().st_size != ref.size:
            raise JoinError(
                f"{file} is missing, or not the run's file.",
                "Get the run's files again, beside its manifest.",
            )
        return file


def _other_file(ref: FileRef) -> JoinError:
    return JoinError(
        f"{ref.path} is not the file that the run's organiser signed.",
        "Nothing of it was kept. Try again later; if it stays so, tell the organiser.",
    )


def check_names(files: Iterable[FileRef]) -> tuple[FileRef, ...]:
    """Return the files, each once.

    Raise JoinError for names that collide with each other or with the client's own files.
    """
    named: dict[str, FileRef] = {}
    for ref in files:
        name = ref.path.casefold()  # as on disks that do not tell letters' cases apart
        is_ours = name.split("/")[0] in _OURS or name.endswith(PART)
        if is_ours or named.setdefault(name, ref) != ref:
            raise JoinError(
                f"The run's manifest has a file called {ref.path}, which cannot be kept under that name.",
                "Tell the run's organiser; it cannot be joined.",
            )
    return tuple(named.values())
