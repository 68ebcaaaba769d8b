"""The files of a data set, here or on a server: listed when they are needed, and opened one at a time."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Generic, Protocol, TypeVar

from core.data.listing import Shard
from core.data.network.remote import RemoteFile
from core.data.shard_head import open_shard
from core.network.pause_token import PauseToken

FetchPart = Callable[[str, int, int], bytes]
"""Reads a part of a remote file, as `core.data.network.fetching.Fetcher.fetch`."""


class Closable(Protocol):
    """An open file in a format."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True)
class ListedLater:
    """Files that are listed when they are gone through: after a failure, once more."""

    find: Callable[[], Iterable[Shard]]

    def __iter__(self) -> Iterator[Shard]:
        return iter(self.find())


F = TypeVar("F", bound=Closable)


class ListedFiles(ABC, Generic[F]):
    """The files of a data set, one of which is open at a time."""

    def __init__(
        self,
        shards: Iterable[Shard],
        *,
        identity: str | None = None,
        fetch: FetchPart | None = None,
        pause_token: PauseToken | None = None,
    ) -> None:
        """Prepare to read; nothing is opened or listed yet.

        Args:
            shards: The files, which are listed when a row or a missing ``identity`` is asked for.
            identity: Text that identifies the files and their content; None: that of each file.
            fetch: Reads parts of remote files; None: a new fetcher under ``pause_token``.
            pause_token: Pauses and ends the fetching; None: nothing does.
        """
        self._listing, self._identity = shards, identity
        self._fetch, self._pause_token = fetch, pause_token or PauseToken()
        self._opened: tuple[int, F] | None = None
        self._found: tuple[Shard, ...] = ()

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The files, listed at the first access; raises ValueError if there is none."""
        # before Python 3.12, a cached_property makes all instances wait for one whose Hub is silent
        if not self._found:
            self._found = tuple(self._listing)
        if not self._found:
            raise ValueError("there must be a shard")
        return self._found

    @property
    def identity(self) -> str:
        """SHA-256 in hex of the text that identifies the files and their content."""
        words = self._identity or "\n".join(shard.identity for shard in self.shards)
        return hashlib.sha256(words.encode()).hexdigest()

    @property
    def known(self) -> Iterable[Shard]:
        """The files for another reader, which lists them itself only if this one has not yet."""
        return self._found or self._listing

    def open(self, shard: int) -> F:
        """Return the file number ``shard``, open; the one that was open before is closed.

        Raises:
            DataError: it is missing, or is not what `opened` takes.
        """
        if self._opened is not None and self._opened[0] == shard:
            return self._opened[1]
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None
        found = self._open_file(self.shards[shard])
        self._opened = shard, found
        return found

    @abstractmethod
    def opened(self, content: BinaryIO | RemoteFile, shard: Shard) -> F:
        """Return the file of a ``shard`` in its format; its ``content`` is closed with it.

        Raises:
            DataError: it is not of that format.
        """

    def _open_file(self, shard: Shard) -> F:
        content = self._content(shard)
        try:
            return self.opened(content, shard)
        except BaseException:
            content.close()
            raise

    def _content(self, shard: Shard) -> BinaryIO | RemoteFile:
        if shard.size is None:
            return open_shard(Path(shard.url), shard.name)
        if self._fetch is None:
            from core.data.network.fetching import Fetcher  # here because it takes a while

            self._fetch = Fetcher(self._pause_token).fetch
        return RemoteFile(shard.size, partial(self._fetch, shard.url))
