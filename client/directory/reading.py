"""Reads lists of runs where they are hosted, verifies them, and keeps the last issue for when they are away."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import ClientError, DownloadError, JoinError
from client.directory.known_lists import KnownList, KnownLists
from client.fetching.web_client import WebClient, Wording
from client.joining.invitation import is_address
from core.errors import CoreError
from core.run.run_list import MAX_LIST_BYTES, RunList
from core.storage.files import read_bounded

LIST_WORDING = Wording("a list of runs", "Ask the keeper of the list.", "do not use the list")

_SECONDS = 60.0
"""Time for all lists together."""


@dataclass(frozen=True)
class ListNow:
    """A list as it was read now, or the last time that it could be."""

    known: KnownList
    found: RunList | None
    """Newest issue that was ever read; None: there is none."""
    problem: CoreError | None
    """Error of reading it now; None: it was read."""


def read_list(
    location: str, web: WebClient, fingerprint: str | None = None, seen: RunList | None = None
) -> tuple[RunList, bytes]:
    """Return a list and its file.

    Args:
        location: Web address or path of the file.
        web: Client for a web address.
        fingerprint: Fingerprint of the key that must have signed it; None: any key.
        seen: The issue that was read last.

    Raises:
        ManifestError: It is no list, not its keeper's, or an older issue.
        DownloadError: The server does not give it.
        JoinError: The file cannot be read.
    """
    text = web.document(location, MAX_LIST_BYTES) if is_address(location) else _file(Path(location))
    return RunList.parse(text, location, fingerprint=fingerprint, seen=seen), text


def read_all(
    lists: KnownLists, web: WebClient, clock: Callable[[], float] = time.monotonic
) -> Iterator[ListNow]:
    """Yield all lists that were added, each as it is now; those that are away as they were.

    Once a minute has passed, the remaining ones are not read any more: one slow server must not keep them all.

    Args:
        lists: The lists.
        web: Client for web addresses.
        clock: Returns the time in seconds.
    """
    ends = clock() + _SECONDS
    for known in lists.known:
        kept = lists.kept(known)
        try:
            if clock() > ends:
                raise DownloadError("There was no time left to read this list.", "Look again.")
            found, text = read_list(known.location, web, known.fingerprint, kept)
            lists.keep(known, text)
        except CoreError as error:
            yield ListNow(known, kept, error)
        else:
            yield ListNow(known, found, None)


def add_list(lists: KnownLists, location: str, web: WebClient, fingerprint: str | None) -> RunList:
    """Add the list at a web address or a path, and return it.

    Raises:
        ClientError: It is at a web address, and no fingerprint of its key was given.
        CoreError: It cannot be read, or not be kept.
    """
    place = location if is_address(location) else str(Path(location).expanduser().absolute())
    found, text = read_list(place, web, fingerprint)
    if fingerprint is None and is_address(place):
        raise ClientError(
            f"The list “{found.title}” is signed by the key {found.fingerprint}. It was not added.",
            f"Compare the key with the one that the list's keeper publishes, and give it: --key {found.fingerprint}.",
        )
    lists.add(place, found, text)
    return found


def _file(path: Path) -> bytes:
    try:
        return read_bounded(path, MAX_LIST_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise JoinError(f"The list {path} cannot be read: {reason}.", "Check the path.") from error
