"""Images and captions of a data set on the Hugging Face Hub, streamed: nothing is kept on the disk."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.data.images import BrokenImageError
from core.data.sources.source import (
    CAPTION_NAMES,
    DEFAULT_SPLIT,
    MAX_IMAGE_BYTES,
    START,
    ImageSource,
    SourceImage,
    SourcePlace,
    caption_of,
    label_of,
    name_in,
    size_of,
    unusable,
)
from core.errors import DataError

if TYPE_CHECKING:
    from datasets import DatasetBuilder

IMAGE_NAMES = ("image", "jpg", "jpeg", "png", "webp", "img")
JSON_NAME = "json"
"""Column in which archives hold the values that tables have in columns; a caption may be there alone."""
READ_ROWS = 16
"""Rows of a Parquet file in memory at once; each holds an image."""
_REACH = "Check the name and the connection; a private data set also needs HF_TOKEN in the environment."
_GO_ON = "Check the connection to the Hub and run the same command again: it continues from here."


@dataclass(frozen=True)
class HubDataset:
    """Name of a data set on the Hub, with the choice of its rows and columns."""

    repo: str
    revision: str | None = None
    """A branch, a tag or a commit."""
    split: str | None = None
    """Name of the split; None: the only one, or ``train``."""
    subset: str | None = None
    image_column: str | None = None
    caption_column: str | None = None
    """Names of the columns; None: they are found by common names."""


class HubImages(ImageSource):
    """The rows of a data set at one commit, read through ``datasets``, which decodes no image here.

    A place counts files of the data set, row groups of one, and rows of one. Code in the data set is not run
    (``datasets`` cannot run it), and a path in it is read from its own files alone.

    Raises:
        DataError: the data set cannot be reached, has no such split, or lacks a column.
    """

    def __init__(self, chosen: HubDataset) -> None:
        """Find the commit, the split and the columns of the data set ``chosen``, for which the Hub is asked.

        The first row is read if the data set does not state its columns. A DataError is also raised if a
        folder of the data set's name is in the working directory.
        """
        if Path(chosen.repo).exists():
            raise DataError(
                f"There is a folder {chosen.repo} here, which datasets would read instead of the Hub's.",
                "Start from another folder.",
            )
        with _named_errors(chosen.repo, _REACH):
            self._chosen = chosen
            self._commit = _commit(chosen)
            builder = _builder(chosen, self._commit)
            self._split = _split(chosen, builder)
            self._set = re.sub("[^A-Za-z0-9_-]", "_", self._split)  # shards are called by it
            self._stream = builder.as_streaming_dataset(split=self._split).decode(False)
            names = self._names()
        self._image = _column(chosen.image_column, IMAGE_NAMES, names, "image")
        self._caption = _caption_column(chosen.caption_column, names)
        known = (builder.info.splits or {}).get(self._split)
        self._length: int | None = known.num_examples or None if known else None

    @property
    def identity(self) -> str:
        where = f"{self._chosen.repo}@{self._commit}:{self._split} {self._chosen.subset or ''}"
        return f"{where} columns {self._image}, {self._caption}"

    @property
    def length(self) -> int | None:
        return self._length

    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        file, group, row = place or (0, 0, 0)
        files = self._stream
        with _named_errors(self._chosen.repo, _GO_ON):
            for index in range(file, files.num_shards):
                # Of one file at a time the row groups are asked for: that reads its footer.
                groups = files.shard(files.num_shards, index).reshard()
                for number in range(group if index == file else 0, groups.num_shards):
                    first = row if (index, number) == (file, group) else 0
                    examples = groups.shard(groups.num_shards, number).skip(first)
                    for after, example in enumerate(examples, first + 1):
                        yield self._of(example, (index, number, after))

    def _of(self, example: Mapping[str, Any], after: SourcePlace) -> SourceImage:
        name = "/".join(map(str, (self._split, *after[:-1], after[-1] - 1)))
        metadata = example.get(JSON_NAME)
        record = {**metadata, **example} if isinstance(metadata, dict) else example
        try:
            read = partial(self._read, example[self._image])
            caption, nsfw = caption_of(record, self._caption), label_of(record)
            return SourceImage(name, caption, nsfw, (self._set,), read, after, size_of(record))
        except BrokenImageError as error:
            return unusable(name, error, after)

    def _read(self, value: Any) -> bytes:
        data, path = (value.get("bytes"), value.get("path")) if isinstance(value, dict) else (value, None)
        if data is None and isinstance(path, str):
            data = self._fetch(path)
        if not isinstance(data, bytes) or len(data) > MAX_IMAGE_BYTES:
            raise BrokenImageError(f"It has no image of at most {MAX_IMAGE_BYTES} bytes.", "Leave it out.")
        return data

    def _fetch(self, path: str) -> bytes:
        """Return the content of a file of the data set. Rows may name any path, so all others are refused."""
        if not path.startswith(f"hf://datasets/{self._chosen.repo}@{self._commit}/"):
            raise BrokenImageError(f"Its image is not in the data set but at {path[:200]}.", "Leave it out.")
        from huggingface_hub import HfFileSystem
        from huggingface_hub.errors import EntryNotFoundError

        with _named_errors(self._chosen.repo, _GO_ON):
            try:
                with HfFileSystem().open(path, "rb", block_size=0) as file:
                    data: bytes = file.read(MAX_IMAGE_BYTES + 1)
                    return data
            except (FileNotFoundError, EntryNotFoundError) as error:
                raise BrokenImageError(f"The data set has no file {path[:200]}.", "Leave it out.") from error

    def _names(self) -> list[str]:
        """Return the names of the columns, as the data set states them or as its first row has them."""
        if self._stream.features:
            return list(self._stream.features)
        return [name for row in islice(self._stream, 1) for name in row]


def _commit(chosen: HubDataset) -> str:
    from huggingface_hub import HfApi

    return str(HfApi().dataset_info(chosen.repo, revision=chosen.revision).sha)


def _builder(chosen: HubDataset, commit: str) -> "DatasetBuilder":
    import datasets

    builder = datasets.load_dataset_builder(chosen.repo, name=chosen.subset, revision=commit)
    if hasattr(builder.config, "batch_size"):
        builder.config.batch_size = READ_ROWS  # it would take whole row groups, hundreds of images, at once
    return builder


def _split(chosen: HubDataset, builder: "DatasetBuilder") -> str:
    """Return the split to read; ``datasets`` knows the splits only once it has looked at the files."""
    if chosen.split is not None:
        return chosen.split
    found = list(builder.info.splits or builder.config.data_files or ())
    return str(found[0]) if len(found) == 1 else DEFAULT_SPLIT


def _caption_column(given: str | None, names: list[str]) -> str | None:
    """Return the column of captions; None where only the JSON of each row can hold them."""
    if given is None and JSON_NAME in names and name_in(dict.fromkeys(names), CAPTION_NAMES) is None:
        return None
    return _column(given, CAPTION_NAMES, names, "caption")


def _column(given: str | None, likely: tuple[str, ...], names: list[str], what: str) -> str:
    column = given or name_in(dict.fromkeys(names), likely)
    if column not in names:
        missing = f"no column {given}" if given else f"no column of {what}s by a name that is known"
        raise DataError(
            f"The data set has {missing}; it has {', '.join(names)}.", f"Name one with --{what}-column."
        )
    return column


@contextmanager
def _named_errors(repo: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except DataError:
        raise
    except Exception as error:  # datasets raises what parsers, file systems and the HTTP library raise
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise DataError(f"The data set {repo} cannot be read: {reason}", remedy) from error
