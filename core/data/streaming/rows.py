"""Reads the rows of shards, local or remote, from any row on; each row group of a remote shard is fetched once.

It does not use ``datasets``, which opens a shard again for every row group, and so fetches it several times
(`benchmarks.streaming`), and which waits for the network without a way to interrupt it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from core.data.listing import Listing, Shard, hub_shards
from core.data.network.remote import RemoteFile
from core.data.shard_file import ShardFile
from core.data.shards import CodeRow
from core.network.pause_token import PauseToken
from core.run.rules import HubSource


class ShardRows:
    """Rows by shard and row group; one shard is open at a time.

    Raises:
        DataError: a shard is missing, cut short, damaged, or lacks a column; it names the shard.
    """

    def __init__(
        self,
        shards: Iterable[Shard],
        *,
        identity: str | None = None,
        fetch: Callable[[str, int, int], bytes] | None = None,
    ) -> None:
        """Prepare to read; nothing is opened or listed yet.

        Args:
            shards: The shards, which are listed when a row or a missing ``identity`` is asked for.
            identity: Text that identifies the shards and their content; None: that of each shard.
            fetch: Reads parts of remote shards, as `core.data.network.fetching.Fetcher.fetch`; None: a new
                fetcher.
        """
        self._shards, self._identity, self._fetch = shards, identity, fetch
        self._opened: tuple[int, ShardFile] | None = None
        self._found: tuple[Shard, ...] = ()

    def reopened(self) -> "ShardRows":
        """Return a reader of the same shards for another thread, which lists and verifies nothing again."""
        return ShardRows(self.shards, identity=self._identity, fetch=self._fetch)

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards, listed at the first access; raises ValueError if there is none."""
        # before Python 3.12, a cached_property makes all instances wait for one whose Hub is silent
        if not self._found:
            self._found = tuple(self._shards)
        if not self._found:
            raise ValueError("there must be a shard")
        return self._found

    @property
    def identity(self) -> str:
        """SHA-256 in hex of the text that identifies the shards and their content."""
        words = self._identity or "\n".join(shard.identity for shard in self.shards)
        return hashlib.sha256(words.encode()).hexdigest()

    def row_groups(self, shard: int) -> int:
        """Return the number of row groups of the shard number ``shard``, whose footer is read."""
        return self._open(shard).row_groups

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, CodeRow]]:
        """Yield the rows of a row group, each with words that name it.

        Args:
            shard: Number of the shard.
            row_group: Number of the row group in the shard.
            first: Number of the first row to yield, from 0.

        Raises:
            DataError: the shard cannot be read, or a row of it is not valid.
        """
        group = f"row group {row_group} of {self.shards[shard].name}"
        for number, record in enumerate(self._open(shard).records(row_group)):
            where = f"row {number} of {group}"
            row = CodeRow.from_record(record, where)
            if number >= first:
                yield where, row

    def _open(self, shard: int) -> ShardFile:
        if self._opened is not None and self._opened[0] == shard:
            return self._opened[1]
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None
        opened = self._open_file(self.shards[shard])
        self._opened = shard, opened
        return opened

    def _open_file(self, shard: Shard) -> ShardFile:
        if shard.size is None:
            return ShardFile.open(Path(shard.url), shard.name)
        if self._fetch is None:
            from core.data.network.fetching import Fetcher  # here because it takes a while

            self._fetch = Fetcher().fetch
        return ShardFile(RemoteFile(shard.size, partial(self._fetch, shard.url)), shard.name)


def hub_rows(
    source: HubSource, pause_token: PauseToken, notify: Callable[[str], None], hub: Listing | None = None
) -> ShardRows:
    """Return the rows of a data set on the Hub, which is not asked before a row is.

    Args:
        source: Repository, revision and pattern of the shards.
        pause_token: Pauses and ends the reading.
        notify: Called with a sentence for the user when the Hub cannot be reached for long, and when it can
            again.
        hub: Lists the shards; None: the Hub that ``HF_ENDPOINT`` names.

    Raises:
        DataError: raised when the rows are read, if the shards cannot be listed or read.
    """
    from core.data.network.fetching import Fetcher  # here because it takes a while

    fetcher = Fetcher(pause_token, notify)
    return ShardRows(
        _listed(lambda: hub_shards(source, hub, fetcher.persist)),
        identity=f"{source.repo}@{source.revision}/{source.pattern}",
        fetch=fetcher.fetch,
    )


def _listed(find: Callable[[], Iterable[Shard]]) -> Iterator[Shard]:
    """Find the shards when the first is asked for."""
    yield from find()
