"""Reads the rows of shards, local or remote, from any row on; each row group of a remote shard is fetched once.

It does not use ``datasets``, which opens a shard again for every row group, and so fetches it several times
(`benchmarks.streaming`), and which waits for the network without a way to interrupt it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol

from core.data.listing import Listing, Shard, hub_shards
from core.data.network.remote import RemoteFile
from core.data.shard_file import ShardFile
from core.data.shards import CodeRow
from core.data.streaming.listed_files import FetchPart, ListedFiles, ListedLater
from core.network.pause_token import PauseToken
from core.run.training.data_rules import HubSource


class SampleRows(Protocol):
    """Rows of a data set by shard and row group; what a row is, is between them and what makes samples of them."""

    @property
    def shards(self) -> Sequence[Shard]:
        """The shards, listed at the first access."""

    @property
    def identity(self) -> str:
        """SHA-256 in hex of the text that identifies the shards and their content."""

    def reopened(self, pause_token: PauseToken) -> "SampleRows":
        """Return a reader of the same shards for another thread, which ``pause_token`` pauses and ends."""

    def row_groups(self, shard: int) -> int:
        """Return the number of row groups of the shard number ``shard``."""

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, Any]]:
        """Yield the rows of a row group, each with words that name it.

        Args:
            shard: number of the shard.
            row_group: number of the row group in the shard.
            first: number of the first row to yield, from 0.

        Raises:
            DataError: the shard cannot be read, or a row of it is not valid.
        """


class ShardRows(ListedFiles[ShardFile]):
    """Rows by shard and row group; one shard is open at a time.

    Raises:
        DataError: a shard is missing, cut short, damaged, or lacks a column; it names the shard.
    """

    def reopened(self, pause_token: PauseToken) -> "ShardRows":
        """Return a reader of the same shards for another thread, which ``pause_token`` pauses and ends."""
        return ShardRows(self.known, identity=self._identity, pause_token=pause_token)

    def row_groups(self, shard: int) -> int:
        """Return the number of row groups of the shard number ``shard``, whose footer is read."""
        return self.open(shard).row_groups

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
        for number, record in enumerate(self.open(shard).records(row_group)):
            where = f"row {number} of {group}"
            row = CodeRow.from_record(record, where)
            if number >= first:
                yield where, row

    def opened(self, content: BinaryIO | RemoteFile, shard: Shard) -> ShardFile:
        """Return the ``content`` of a ``shard`` as a code shard."""
        return ShardFile(content, shard.name)


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
    shards, fetch = hub_files(source, pause_token, notify, hub)
    return ShardRows(shards, identity=source.files, fetch=fetch)


def hub_files(
    source: HubSource, pause_token: PauseToken, notify: Callable[[str], None], hub: Listing | None = None
) -> tuple[ListedLater, FetchPart]:
    """Return the files of a data set on the Hub, and what reads parts of them; nothing is listed yet.

    Args:
        source: Repository, revision and pattern of the files.
        pause_token: Pauses and ends the reading.
        notify: Called with a sentence for the user when the Hub cannot be reached for long, and when it can
            again.
        hub: Lists the files; None: the Hub that ``HF_ENDPOINT`` names.
    """
    from core.data.network.fetching import Fetcher  # here because it takes a while

    fetcher = Fetcher(pause_token, notify)
    return ListedLater(lambda: hub_shards(source, hub, fetcher.persist)), fetcher.fetch
