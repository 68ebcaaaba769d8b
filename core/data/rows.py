"""The rows of shards, local or on the Hub, read through ``datasets`` in streaming mode from any row on."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from core.data.shards import COLUMNS, CodeRow
from core.errors import DataError
from core.files import resolve_file
from core.rules import DataRules, HubSource

if TYPE_CHECKING:
    from datasets import IterableDataset

READ_ROWS = 512
"""Rows that are Python objects at once while a row group is read."""
_FETCH_AGAIN = "Fetch or build the shard again."


class Listing(Protocol):
    """What lists the files of a data set: an fsspec file system."""

    def glob(self, path: str, /) -> list[str]: ...


@dataclass(frozen=True)
class Shard:
    """A code shard where it lies."""

    name: str
    """For people."""
    url: str
    """For fsspec: a path, or an address."""
    identity: str
    """What tells it from any other content: a digest, or a file of a commit."""


def find_shards(data: DataRules, base_dir: Path) -> tuple[Shard, ...]:
    """The shards that a manifest in ``base_dir`` names; files beside it are verified."""
    if data.hub is not None:
        return hub_shards(data.hub)
    return tuple(
        Shard(name=ref.path, url=str(resolve_file(ref, base_dir)), identity=ref.sha256) for ref in data.shards
    )


def hub_shards(source: HubSource, hub: Listing | None = None) -> tuple[Shard, ...]:
    """The shards of a data set on the Hub, in the order of their paths."""
    root = f"datasets/{source.repo}@{source.revision}"
    try:
        paths = sorted((hub or _hub()).glob(f"{root}/{source.pattern}"))
    except Exception as error:  # the Hub's client raises what its HTTP library raises, whichever that is
        raise DataError(
            f"The data set {source.repo} cannot be listed: {error}.", "Check the connection to the Hub."
        ) from error
    if not paths:
        raise DataError(
            f"The data set {source.repo} has no file {source.pattern} at {source.revision[:8]}.",
            "Tell the run's organiser: the data set may have been removed.",
        )
    return tuple(
        Shard(name=path.removeprefix("datasets/"), url=f"hf://{path}", identity=path) for path in paths
    )


class ShardRows:
    """Rows by shard and row group; one row group at a time is decoded.

    Raises:
        DataError: a shard is missing, cut short, damaged, or lacks a column; it names the shard.
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        if not shards:
            raise ValueError("there must be a shard")
        self.shards = tuple(shards)
        self._opened: tuple[int, IterableDataset] | None = None

    @property
    def identity(self) -> str:
        """Digest of the list of shards, in hex."""
        return hashlib.sha256("\n".join(shard.identity for shard in self.shards).encode()).hexdigest()

    def row_groups(self, shard: int) -> int:
        """How many row groups a shard has."""
        return int(self._split(shard).num_shards)

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, CodeRow]]:
        """The rows of a row group from ``first`` on, each with words that name it."""
        name = self.shards[shard].name
        groups = self._split(shard)
        records = self._records(groups.shard(groups.num_shards, row_group), name, first)
        for row, record in enumerate(records, start=first):
            where = f"row {row} of row group {row_group} of {name}"
            yield where, CodeRow.from_record(record, where)

    def _split(self, shard: int) -> "IterableDataset":
        """The shard as a data set whose own shards are its row groups; reads the footer."""
        if self._opened is None or self._opened[0] != shard:
            with _named_errors(self.shards[shard].name):
                self._opened = shard, self._dataset.shard(len(self.shards), shard).reshard()
        return self._opened[1]

    @staticmethod
    def _records(row_group: "IterableDataset", name: str, skip: int) -> Iterator[dict[str, Any]]:
        with _named_errors(name):
            for table in row_group.with_format("arrow").iter(batch_size=READ_ROWS):
                yield from table.slice(skip).to_pylist()
                skip = max(0, skip - len(table))

    @cached_property
    def _dataset(self) -> "IterableDataset":
        # Imported here because it takes a second. A resolved list of files, and the features that a shard
        # must have, keep the library from asking about each of them before the first is read.
        import datasets
        from datasets.data_files import DataFilesDict, DataFilesList

        types = dict(zip(COLUMNS, ("string", "binary", "string", "float64", "float64"), strict=True))
        urls = [shard.url for shard in self.shards]
        return datasets.IterableDataset.from_parquet(
            DataFilesDict({"train": DataFilesList(urls, [(shard.identity,) for shard in self.shards])}),
            split=datasets.Split.TRAIN,
            columns=list(COLUMNS),
            features=datasets.Features({name: datasets.Value(type_) for name, type_ in types.items()}),
            batch_size=READ_ROWS,
        )


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


def _hub() -> Listing:
    from huggingface_hub import HfFileSystem

    listing: Listing = HfFileSystem()
    return listing
