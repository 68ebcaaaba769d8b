"""Fetches single files from the Hugging Face Hub: at one commit, bounded in size, resumed, and with their digests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path

import httpx2
from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile
from pydantic import ValidationError

from client.api.errors import DownloadError, DownloadInterrupted
from client.fetching.files import FileFetcher, WantedFile, free_bytes, missing_bytes, shortage
from client.fetching.web_client import LATER, WebClient, Wording
from client.recipes.hub_file import HubFile, RepoKind, is_commit
from core.memory.units import format_size
from core.run.validation import in_words
from core.storage.files import FileRef, sha256_of, write_atomically

LARGEST = 8 << 30
"""Largest file that is fetched, in bytes."""
LARGEST_PLAIN = 64 << 20
"""Largest file that the Hub keeps in the repository itself, in bytes; it asks for other storage from 10 MB on."""
WORDING = Wording("the file", "Ask its publisher.", "do not use it")
_CHECK = "Check the name. Only public files can be named."

OnFetched = Callable[[HubFile, int, int], None]
"""Receiver of a file's name, of its bytes that are here, and of all its bytes."""


@dataclass(frozen=True)
class FetchedFile:
    """A file of the Hub that is on this machine."""

    source: HubFile
    """Name of the file, at the commit that it was fetched at."""
    place: Path
    size: int
    """Size in bytes."""
    sha256: str
    """Digest of the bytes that are here, in hex."""

    def below(self, folder: Path) -> FileRef:
        """Return the reference to the file from a ``folder`` above it; DownloadError if no manifest can name it."""
        path = self.place.relative_to(folder).as_posix()
        try:
            return FileRef(path=path, sha256=self.sha256, size=self.size)
        except ValidationError as error:  # an empty file, or too long a name
            raise DownloadError(
                f"{self.source} cannot be a file of a run: {in_words(error)}.", "Name another file."
            ) from error


class HubFetcher:
    """Fetches public files by name; one that is at its place already is not fetched again."""

    def __init__(
        self,
        web: WebClient,
        endpoint: str | None = None,
        on: OnFetched = lambda file, done, total: None,
        fetcher: FileFetcher | None = None,
    ) -> None:
        """Prepare to fetch.

        Args:
            web: Session to fetch with.
            endpoint: Address of the Hub; None: the one that ``HF_ENDPOINT`` names.
            on: Hears of each piece.
            fetcher: Fetches large files through ``web``; None: one with the usual patience.
        """
        self._hub = HfApi(endpoint=endpoint, token=False)
        self._web, self._on, self._fetcher = web, on, fetcher or FileFetcher(web)

    def commit(self, repo: str, kind: RepoKind, revision: str) -> str:
        """Return the commit that ``revision``, a branch or a tag of a repository, names now.

        Raises:
            DownloadError: the Hub cannot be reached, or has no such repository or revision.
        """
        if is_commit(revision):
            return revision
        with _errors_in_words(f"{repo}@{revision}"):
            found = self._hub.repo_info(repo, revision=revision, repo_type=kind.value).sha
        if found is None or not is_commit(found):
            raise DownloadError(f"The Hub names no commit for {repo}@{revision}.", _CHECK)
        return found

    def fetch(self, file: HubFile, folder: Path) -> FetchedFile:
        """Return the file, at the commit that its revision names now; an interrupted download is resumed.

        The bytes are compared with the digest that the Hub states for that commit, and with that of the name. A large
        file of another digest is not asked for, and no file is put in the place of another.

        Args:
            file: Name of the file.
            folder: Folder to put it into, at `HubFile.below`.

        Raises:
            DownloadError: it cannot be had, is too large for what it is or for the disk, or has another digest; or
                another file is at its place.
            OSError: the disk cannot be read or written.
        """
        pinned = file.at(self.commit(file.repo, file.kind, file.revision))
        entry, place = self._entry(pinned), folder / pinned.below
        if entry.lfs is not None:
            _require_digest(pinned, entry.lfs.sha256)
        if not place.exists():
            _require_room(pinned, place, entry.size)
            place.parent.mkdir(parents=True, exist_ok=True)
            self._download(pinned, entry, place)
        elif not _is(place, entry):
            raise DownloadError(
                f"{place} is not {pinned}: it was changed, or comes from somewhere else.",
                "Move it away to have that file fetched, or choose another folder.",
            )
        self._on(pinned, entry.size, entry.size)
        digest = sha256_of(place)
        _require_digest(pinned, digest)
        return FetchedFile(pinned, place, entry.size, digest)

    def _entry(self, file: HubFile) -> RepoFile:
        """Return what the Hub states about a file; its size is bounded."""
        with _errors_in_words(str(file)):
            entries = self._hub.get_paths_info(
                file.repo, [file.path], revision=file.revision, repo_type=file.kind.value
            )
        entry = next((entry for entry in entries if isinstance(entry, RepoFile)), None)
        if entry is None:
            raise DownloadError(f"The Hub has no file {file}.", _CHECK)
        most = LARGEST if entry.lfs else LARGEST_PLAIN
        if entry.size > most:
            raise DownloadError(
                f"{file} has {format_size(entry.size)}, and at most {format_size(most)} are fetched.", _CHECK
            )
        return entry

    def _download(self, file: HubFile, entry: RepoFile, place: Path) -> None:
        address = hf_hub_url(
            file.repo,
            file.path,
            repo_type=file.kind.value,
            revision=file.revision,
            endpoint=self._hub.endpoint,
        )
        if entry.lfs is not None:
            wanted = WantedFile(str(file), entry.size, entry.lfs.sha256, (address,))
            self._fetcher.fetch(wanted, place, lambda have: self._on(file, have, entry.size))
            return
        content = self._web.document(address, entry.size)
        if _git_digest(content) != entry.blob_id:
            raise DownloadError(f"{address} gives another file than the Hub states.", "Try again later.")
        _require_digest(file, sha256(content).hexdigest())
        write_atomically(place, content)


def _require_digest(file: HubFile, digest: str) -> None:
    """Raise DownloadError if the name of a file demands another digest."""
    if file.sha256 not in (None, digest):
        raise DownloadError(
            f"{file} has the SHA-256 digest {digest}, not {file.sha256}.",
            "Do not use it. Ask its publisher, or name another copy of it.",
        )


def _is(place: Path, entry: RepoFile) -> bool:
    """Return True if a file is the one that the Hub states."""
    if not place.is_file() or place.stat().st_size != entry.size:
        return False
    return (
        sha256_of(place) == entry.lfs.sha256
        if entry.lfs
        else _git_digest(place.read_bytes()) == entry.blob_id
    )


def _git_digest(content: bytes) -> str:
    """Return the digest by which git, and the Hub, know a small file."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _require_room(file: HubFile, place: Path, size: int) -> None:
    if short := shortage(str(file), missing_bytes([(place, size)]), free_bytes(place.parent)):
        what, remedy = short
        raise DownloadError(what, remedy)


@contextmanager
def _errors_in_words(what: str) -> Iterator[None]:
    """Raise DownloadError in place of what huggingface_hub and the network raise."""
    try:
        yield
    except (RepositoryNotFoundError, RevisionNotFoundError) as error:
        raise DownloadError(f"The Hub has no {what}, or it is not public.", _CHECK) from error
    except httpx2.TransportError as error:
        raise DownloadInterrupted(f"{what} cannot be fetched: the Hub cannot be reached.", LATER) from error
    except (httpx2.HTTPError, OSError, HFValidationError) as error:
        reason = str(error).partition("\n")[0]
        raise DownloadError(f"{what} cannot be fetched: {reason}", LATER) from error
    except (ValueError, LookupError, TypeError) as error:  # a page where the library expects the Hub's JSON
        raise DownloadError(
            f"{what} cannot be fetched: something else answers for the Hub.",
            "Sign in to the network if it asks for that, and try again later.",
        ) from error
