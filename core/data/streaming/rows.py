"""The rows of shards, local or remote, read from any row on; of a remote shard each row group is fetched once.

Not through ``datasets``: it opens a shard anew for every row group, and so fetches it several times over
(`benchmarks.streaming`); it also waits for the network where nobody can interrupt it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.layouts import PUBLISHED, Layout, layout_of
from core.data.listing import Listing, Shard, hub_shards
from core.data.network.remote import RemoteFile
from core.data.network.valve import Valve
from core.data.parquet.footer import CAREFULLY, Chunk, row_groups
from core.data.parquet.pages import must_fit
from core.data.shards import CodeRow
from core.errors import DataError
from core.rules import HubSource

LOADED_BYTES = 1 << 24
"""Up to this size a remote row group comes in one request; of a larger one, parts as they are needed."""
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

        ``fetch`` reads parts of remote ones, as `core.data.network.fetching.Fetcher.fetch`.
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
        return len(self._open(shard).row_groups)

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, CodeRow]]:
        """The rows of a row group from ``first`` on, each with words that name it."""
        group = f"row group {row_group} of {self.shards[shard].name}"
        for number, row in enumerate(self._unpacked(shard, row_group, group)):
            if number >= first:
                yield f"row {number} of {group}", row

    def _unpacked(self, shard: int, row_group: int, where: str) -> Iterator[CodeRow]:
        opened = self._open(shard)
        for number, record in enumerate(opened.layout.unpack(_records(opened, row_group, where), where)):
            yield CodeRow.from_record(record, f"row {number} of {where}")

    def _open(self, shard: int) -> "_Opened":
        if self._opened is None or self._opened.shard != shard:
            if self._opened is not None:
                self._opened.file.close()
                self._opened = None
            found = self.shards[shard]
            with _named_errors(found.name):
                self._opened = _opened(shard, found.name, self._file(found))
        return self._opened

    def _file(self, shard: Shard) -> BinaryIO | RemoteFile:
        if shard.size is None:
            return Path(shard.url).open("rb")
        if self._fetch is None:
            from core.data.network.fetching import Fetcher  # here because it takes a while

            self._fetch = Fetcher().fetch
        return RemoteFile(shard.size, partial(self._fetch, shard.url))


def hub_rows(
    source: HubSource, valve: Valve, notify: Callable[[str], None], hub: Listing | None = None
) -> ShardRows:
    """The rows of a data set on the Hub, which is not asked before they are; read under a valve.

    ``notify`` is told when the Hub cannot be reached for long; ``hub`` is what lists the shards.
    """
    from core.data.network.fetching import Fetcher  # here because it takes a while

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
    file: BinaryIO | RemoteFile
    parquet: pq.ParquetFile
    layout: Layout
    row_groups: Sequence[Sequence[Chunk]]


def _opened(shard: int, name: str, file: BinaryIO | RemoteFile) -> _Opened:
    groups = row_groups(file, name)
    parquet = pq.ParquetFile(file, buffer_size=_PIECE_BYTES, **CAREFULLY)
    names = parquet.schema_arrow.names
    layout = layout_of(names)
    if layout is None:
        missing = ", ".join(name for name in PUBLISHED.columns if name not in names)
        raise DataError(f"The shard {name} has no column {missing}.", _FETCH_AGAIN)
    return _Opened(shard, name, file, parquet, layout, groups)


def _records(opened: _Opened, row_group: int, where: str) -> Iterator[dict[str, Any]]:
    layout, chunks = opened.layout, opened.row_groups[row_group]
    with _named_errors(opened.name):
        if isinstance(opened.file, RemoteFile):
            _load(opened.file, [chunk for chunk in chunks if chunk.column in layout.columns])
        must_fit(opened.file, chunks, layout.columns, layout.batch, where)
        for batch in opened.parquet.iter_batches(
            layout.batch, row_groups=[row_group], columns=layout.columns, use_threads=False
        ):
            yield from batch.to_pylist()


def _load(remote: RemoteFile, chunks: Sequence[Chunk]) -> None:
    """Fetch columns of a row group, and what lies between them, unless that is too much."""
    first, end = min(chunk.first for chunk in chunks), max(chunk.end for chunk in chunks)
    if 0 <= first < end <= first + LOADED_BYTES:
        remote.load(first, end)


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
