"""Fetches files that are known by size and digest, from one of several addresses, for as long as it makes sense.

After what may pass (a cut connection, a busy server, one that trickles), the next address is tried, at growing
intervals. An address that gives a wrong file is not asked again.
"""

import logging
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from client.api.errors import DownloadError, DownloadInterrupted
from client.fetching.part_file import PartFile, part_size
from client.fetching.web_client import WebClient
from core.memory.units import format_size
from core.network.pause_token import PauseToken
from core.network.persistence import Outage

_log = logging.getLogger(__name__)

DISK_HEAD_ROOM = 512 << 20
"""Bytes that stay free beside what is fetched, for checkpoints and for whatever else the computer does."""
ATTEMPTS = 10
"""Interruptions in a row without a byte in between, about four minutes of them, that end a download for now."""
_MOST_MIXED = 2
"""Times that a file made of several answers may have the wrong digest, before it is given up."""

BytesArrived = Callable[[int], None]
"""Receiver of the number of a file's bytes that are here."""


class OnProgress(Protocol):
    """Receiver of the progress of several files."""

    def __call__(self, name: str, done: int, total: int) -> None:
        """Hear of the bytes of all files that are to be fetched, and of the file at hand."""


@dataclass(frozen=True)
class WantedFile:
    """A file that is fetched."""

    name: str
    size: int
    """Size in bytes."""
    sha256: str
    addresses: tuple[str, ...]
    """URLs of this very file, the preferred one first."""


def free_bytes(folder: Path) -> int:
    """Return the free bytes on the disk that holds ``folder``, which may not exist yet."""
    return shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free


def shortage(what: str, needed: int, free: int) -> tuple[str, str] | None:
    """Return what happened and the remedy if a disk is too full; None if there is space.

    Args:
        what: Words that begin the sentence, such as "The run".
        needed: Bytes that are needed.
        free: Bytes that are free.
    """
    if free >= needed:
        return None
    return (
        f"{what} needs {format_size(needed)} on the disk, and {format_size(free)} are free.",
        f"Free {format_size(needed - free)}, or move Idlebrush's files to another disk by IDLEBRUSH_HOME.",
    )


def missing_bytes(wanted: Iterable[tuple[Path, int]]) -> int:
    """Return the bytes still to fetch of files, given by place and size, less what earlier attempts have left."""
    return sum(max(0, size - part_size(file)) for file, size in wanted)


class WrongDigest(DownloadError):
    """No address has the file with the digest that was asked for."""


class FileFetcher:
    """Fetches files one after the other, on one thread."""

    def __init__(
        self,
        web: WebClient,
        token: PauseToken | None = None,
        outage: Outage | None = None,
        attempts: int = ATTEMPTS,
    ) -> None:
        """Prepare to fetch.

        Args:
            web: Session to fetch with, which uses the same ``token``.
            token: Pauses and ends the fetching; None: nothing does.
            outage: Waits between attempts; None: one that sends no notices.
            attempts: Interruptions in a row without a byte in between after which a file is given up; with 1, the
                first ends it.
        """
        self._web, self._token, self._attempts = web, token or PauseToken(), attempts
        self._outage = outage or Outage(self._token, lambda text: None, "files")

    def fetch_all(
        self, wanted: Sequence[WantedFile], place: Callable[[WantedFile], Path], on: OnProgress
    ) -> None:
        """Fetch the files that are not at their place yet; those that are there count as done.

        Args:
            wanted: Files to fetch.
            place: Returns the path for a file; its folder is made.
            on: Hears of each piece, and of each file that is there already.

        Raises: As `fetch` does.
        """
        before, total = 0, sum(file.size for file in wanted)
        for file in wanted:
            target = place(file)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                self.fetch(file, target, counting(on, file.name, before, total))
            before += file.size
            on(file.name, before, total)

    def fetch(self, wanted: WantedFile, target: Path, arrived: BytesArrived) -> None:
        """Fetch one file, or the rest of it, check its digest, and put it in place.

        Args:
            wanted: File to fetch.
            target: Path for the file, in a folder that exists.
            arrived: Called with the bytes that are here, after each piece.

        Raises:
            DownloadInterrupted: No address gives the rest for now; what is here is kept.
            WrongDigest: An address gives another file of that size, and so does no other.
            DownloadError: No address has the file.
            OSError: The disk cannot be written.
            Ended: By the pause token.
        """
        part = PartFile(target, wanted.size)
        _log.info("%s: %d of %d bytes are here; the rest is fetched.", wanted.name, part.have, part.size)
        if part.have:
            arrived(part.have)
        FetchAttempts(wanted, part, self._attempts).until_whole(self._attempt(part, arrived), self._outage)
        part.place()

    def _attempt(self, part: PartFile, arrived: BytesArrived) -> Callable[[str], bool]:
        def attempt(address: str) -> bool:
            """Read from ``address``; return false if that was interrupted by the pause token."""
            self._token.wait()
            before = self._token.interruptions
            try:
                self._web.complete(address, part, arrived)
            except DownloadInterrupted:
                if self._token.interruptions == before:
                    raise
                return False
            return True

        return attempt


class FetchAttempts:
    """The attempts at one file: which addresses are left, how many attempts failed, whose bytes are here."""

    def __init__(self, wanted: WantedFile, part: PartFile, most: int) -> None:
        self._wanted, self._part, self._most = wanted, part, most
        self._left = list(wanted.addresses)
        self._sources = {"an earlier attempt"} if part.have else set()
        self._failures = self._mixed = 0

    def until_whole(self, attempt: Callable[[str], bool], outage: Outage) -> None:
        """Call ``attempt`` with one address after the other, until the whole file is here and right."""
        while not self._is_right():
            address, have = self._left[0], self._part.have
            self._sources.add(address)
            try:
                if attempt(address):
                    outage.over()
            except DownloadInterrupted as error:
                self._interrupted(error, grew=self._part.have > have, outage=outage)
            except DownloadError as error:
                self._refuse(error)

    def _is_right(self) -> bool:
        """Return true if the file is whole; throw wrong bytes away."""
        if not self._part.is_complete or self._part.digest == self._wanted.sha256:
            return self._part.is_complete
        self._part.restart()
        sources, self._sources = self._sources, set()
        wrong = WrongDigest(
            f"{self._wanted.name} is not the file that was signed: its digest differs.",
            "Nothing of it was kept. Try again later; if it stays so, tell its publisher.",
        )
        if sources == {self._left[0]}:
            self._refuse(wrong)
        else:  # bytes of several answers: which of them is wrong is not known
            self._mixed += 1
            _log.warning("%s does not match its digest after it was resumed.", self._wanted.name)
            if self._mixed > _MOST_MIXED:
                raise wrong
        return False

    def _interrupted(self, error: DownloadInterrupted, *, grew: bool, outage: Outage) -> None:
        self._failures = 1 if grew else self._failures + 1
        if self._failures >= self._most:
            raise error
        self._left.append(self._left.pop(0))
        if grew:
            outage.over()
        outage.failed(error.what.rstrip("."), error.seconds)

    def _refuse(self, error: DownloadError) -> None:
        """Ask this address for nothing more; raise ``error`` if it was the last one."""
        if len(self._left) == 1:
            raise error
        _log.warning("%s: %s The next address is asked.", self._wanted.name, error.what)
        del self._left[0]


def counting(on: OnProgress, name: str, before: int, total: int) -> BytesArrived:
    """Report a file's bytes as a part of all that is fetched."""
    return lambda have: on(name, before + have, total)
