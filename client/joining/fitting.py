"""Checks that the files of a run fit its model: before consent by the few bytes that tell it, then all of them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path

from client.api.errors import JoinError
from client.joining.run_files import NoRangesError
from core.data.network.remote import RemoteFile
from core.errors import MisfitError
from core.run.rules import TrainingRules
from core.storage.files import FileRef

MOST_BYTES = 4 << 20
"""Bytes of the first shard that are fetched before consent at most."""

_Read = Callable[[FileRef, int, int], bytes]
"""Gives the bytes of a file from the first position to the second, the latter excluded."""


class _TooLargeError(Exception):
    """The head of a shard takes more bytes than are fetched before consent."""


def check_before_consent(training: TrainingRules, read: _Read) -> None:
    """Check the small files and the head of the first shard of a run; write nothing, and ask the Hub nothing.

    A large file is left to `check_fetched`, and so is a shard of a server that gives no parts of files. Rows are left
    to the trainer, which has the libraries that read them.

    Args:
        training: Rules of the run.
        read: Gives parts of the run's files.

    Raises:
        JoinError: they do not fit, or a file is not the one that the organiser signed.
        DownloadError: the server does not give a file.
    """
    with _in_words_of_a_volunteer():
        training.check_heads(_FetchedHeads(read))


class _FetchedHeads:
    """Files of a run as `TrainingRules.check_heads` asks for them."""

    def __init__(self, read: _Read) -> None:
        self._read = read

    def whole(self, ref: FileRef, most: int) -> bytes | None:
        """Return the content of a file, verified; None if it has more bytes than ``most``."""
        return _whole(ref, self._read) if ref.size <= most else None

    def look(self, ref: FileRef, check: Callable[[RawIOBase], None]) -> None:
        """Call ``check`` with the head of a file, of which no more than `MOST_BYTES` are fetched."""
        with suppress(_TooLargeError, NoRangesError):
            check(_head(ref, self._read))


def check_fetched(training: TrainingRules, folder: Path) -> None:
    """Check all files of a run that were fetched to a folder; raise JoinError if they do not fit its model."""
    with _in_words_of_a_volunteer():
        training.check_files(folder)


def _head(ref: FileRef, read: _Read) -> RemoteFile:
    """Return a file of which no more than `MOST_BYTES` are fetched."""
    left = MOST_BYTES

    def fetch(first: int, end: int) -> bytes:
        nonlocal left
        left -= end - first
        if left < 0:
            raise _TooLargeError
        return read(ref, first, end)

    return RemoteFile(ref.size, fetch)


def _whole(ref: FileRef, read: _Read) -> bytes:
    content = read(ref, 0, ref.size)
    if hashlib.sha256(content).hexdigest() != ref.sha256:
        raise JoinError(
            f"{ref.path} is not the file that the run's organiser signed.",
            "Nothing was joined. Try again later; if it stays so, tell the organiser.",
        )
    return content


@contextmanager
def _in_words_of_a_volunteer() -> Iterator[None]:
    """Raise JoinError in place of an error whose remedy is the organiser's."""
    try:
        yield
    except MisfitError as error:
        told = error.for_volunteer()
        raise JoinError(told.what, f"Nothing was joined. {told.remedy}") from error
