"""The rows of shards, local or remote, read from any row on; of a remote shard no byte is fetched twice.

Not through ``datasets``: it opens a shard anew for every row group, and so fetches it several times over
(`benchmarks.streaming`); it also waits for the network where nobody can interrupt it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.layouts import PUBLISHED, Layout, layout_of
from core.data.listing import Listing, Shard, hub_shards
from core.data.remote import RemoteFile
from core.data.shards import CodeRow
from core.data.valve import Valve
from core.errors import DataError
from core.rules import HubSource

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
        group = f"row group {row_group} of {self.shards[shard].name}"
        for number, row in enumerate(self._unpacked(shard, row_group, group)):
            if number >= first:
                yield f"row {number} of {group}", row

    def _unpacked(self, shard: int, row_group: int, where: str) -> Iterator[CodeRow]:
        opened = self._open(shard)
        for number, record in enumerate(opened.layout.unpack(_records(opened, row_group), where)):
            yield CodeRow.from_record(record, f"row {number} of {where}")

    def _open(self, shard: int) -> "_Opened":
        if self._opened is None or self._opened.shard != shard:
            if self._opened is not None:
                self._opened.file.close()
                self._opened = None
            found = self.shards[shard]
            with _named_errors(found.name):
                self._opened = _opened(shard, found, self._remote(found))
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
    remote: RemoteFile | None
    file: pq.ParquetFile
    layout: Layout


def _opened(number: int, shard: Shard, remote: RemoteFile | None) -> _Opened:
    # Reading ahead is what pyarrow has threads for; without it all is read, and can be interrupted, in this one.
    file = pq.ParquetFile(
        remote or shard.url, buffer_size=_PIECE_BYTES, pre_buffer=False, page_checksum_verification=True
    )
    names = file.schema_arrow.names
    layout = layout_of(names)
    if layout is None:
        missing = ", ".join(name for name in PUBLISHED.columns if name not in names)
        raise DataError(f"The shard {shard.name} has no column {missing}.", _FETCH_AGAIN)
    return _Opened(number, shard.name, remote, file, layout)


def _records(opened: _Opened, row_group: int) -> Iterator[dict[str, Any]]:
    layout = opened.layout
    with _named_errors(opened.name):
        if opened.remote is not None:
            _load(opened.remote, opened.file.metadata.row_group(row_group), layout.columns)
        for batch in opened.file.iter_batches(
            layout.batch, row_groups=[row_group], columns=layout.columns, use_threads=False
        ):
            yield from batch.to_pylist()


def _load(remote: RemoteFile, row_group: pq.RowGroupMetaData, names: Sequence[str]) -> None:
    """Fetch the columns that are read, and what lies between them, unless that is too much."""
    columns = [row_group.column(index) for index in range(row_group.num_columns)]
    wanted = [column for column in columns if column.path_in_schema in names]
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
