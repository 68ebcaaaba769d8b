"""The rows of shards, local or remote, read from any row on; of a remote shard no byte is fetched twice.

Not through ``datasets``: it opens a shard anew for every row group, and fetched ours seven times over
(`benchmarks.streaming`); it also waits for the network where nobody can interrupt it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.listing import Listing, Shard, hub_shards
from core.data.remote import RemoteFile
from core.data.shards import COLUMNS, CodeRow
from core.data.valve import Valve
from core.errors import DataError
from core.rules import HubSource

READ_ROWS = 256
"""Rows that are Python objects at once while a row group is read; those of a damaged batch are all left out."""
LOADED_BYTES = 1 << 24
"""Up to this size a remote row group comes in one request; of a larger one, pieces as they are needed."""
_PIECE_BYTES = 1 << 20
_FETCH_AGAIN = "Fetch or build the shard again."


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
        """``shards`` are asked for when a row is, or for an ``identity`` that is not given.

        ``fetch`` reads parts of remote ones, as `core.data.fetching.Fetcher.fetch`.
        """
        self._shards, self._identity, self._fetch = shards, identity, fetch
        self._opened: _Opened | None = None

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        found = tuple(self._shards)
        if not found:
            raise ValueError("there must be a shard")
        return found

    @property
    def identity(self) -> str:
        """Digest in hex of what decides which shards there are, and what is in them."""
        words = self._identity or "\n".join(shard.identity for shard in self.shards)
        return hashlib.sha256(words.encode()).hexdigest()

    def row_groups(self, shard: int) -> int:
        """How many row groups a shard has; reads its footer."""
        return int(self._open(shard).file.num_row_groups)

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, CodeRow]]:
        """The rows of a row group from ``first`` on, each with words that name it."""
        name = self.shards[shard].name
        for row, record in enumerate(self._records(shard, row_group, first), start=first):
            where = f"row {row} of row group {row_group} of {name}"
            yield where, CodeRow.from_record(record, where)

    def _records(self, shard: int, row_group: int, skip: int) -> Iterator[dict[str, object]]:
        opened = self._open(shard)
        about = opened.file.metadata.row_group(row_group)
        if skip >= about.num_rows:
            return
        with _named_errors(opened.name):
            if opened.remote is not None:
                _load(opened.remote, about)
            for batch in opened.file.iter_batches(
                READ_ROWS, row_groups=[row_group], columns=COLUMNS, use_threads=False
            ):
                yield from batch.slice(skip).to_pylist()
                skip = max(0, skip - len(batch))

    def _open(self, shard: int) -> "_Opened":
        if self._opened is None or self._opened.shard != shard:
            if self._opened is not None:
                self._opened.file.close()
                self._opened = None
            found = self.shards[shard]
            with _named_errors(found.name):
                remote = self._remote(found)
                self._opened = _Opened(shard, found.name, _parquet(remote or found.url, found.name), remote)
        return self._opened

    def _remote(self, shard: Shard) -> RemoteFile | None:
        if shard.size is None:
            return None
        if self._fetch is None:
            from core.data.fetching import Fetcher  # here because it takes a while

            self._fetch = Fetcher().fetch
        return RemoteFile(shard.size, partial(self._fetch, shard.url))


def hub_rows(
    source: HubSource, valve: Valve, notify: Callable[[str], None], hub: Listing | None = None
) -> ShardRows:
    """The rows of a data set on the Hub, which is not asked before they are; read under a valve.

    ``notify`` is told when the Hub cannot be reached for long; ``hub`` is what lists the shards.
    """
    from core.data.fetching import Fetcher  # here because it takes a while

    fetcher = Fetcher(valve, notify)
    return ShardRows(
        _listed(lambda: hub_shards(source, hub, fetcher.persist)),
        identity=f"{source.repo}@{source.revision}/{source.pattern}",
        fetch=fetcher.fetch,
    )


def _listed(find: Callable[[], Iterable[Shard]]) -> Iterator[Shard]:
    """Finds them when the first is asked for."""
    yield from find()


@dataclass(frozen=True)
class _Opened:
    shard: int
    name: str
    file: pq.ParquetFile
    remote: RemoteFile | None


def _parquet(place: str | RemoteFile, name: str) -> pq.ParquetFile:
    # Reading ahead is what pyarrow has threads for; without it all is read, and can be interrupted, in this one.
    file = pq.ParquetFile(place, buffer_size=_PIECE_BYTES, pre_buffer=False, page_checksum_verification=True)
    missing = [column for column in COLUMNS if column not in file.schema_arrow.names]
    if missing:
        raise DataError(f"The shard {name} has no column {', '.join(missing)}.", _FETCH_AGAIN)
    return file


def _load(remote: RemoteFile, row_group: pq.RowGroupMetaData) -> None:
    """Fetch the columns that are read, and what lies between them, unless that is too much."""
    columns = [row_group.column(index) for index in range(row_group.num_columns)]
    wanted = [column for column in columns if column.path_in_schema in COLUMNS]
    first = min(_first_byte(column) for column in wanted)
    end = max(_first_byte(column) + column.total_compressed_size for column in wanted)
    if 0 <= first < end <= first + LOADED_BYTES:
        remote.load(first, end)


def _first_byte(column: pq.ColumnChunkMetaData) -> int:
    return int(column.dictionary_page_offset or column.data_page_offset)


@contextmanager
def _named_errors(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise DataError(f"There is no shard {name}.", _FETCH_AGAIN) from error
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(
            f"The shard {name} is damaged or of another layout: {reason}.", _FETCH_AGAIN
        ) from error
