"""Builds code shards from images and captions: filter, crop, encode, write; killed, it goes on where it was."""

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.codec.config import ATTENTION_SIDE
from core.codec.folder import codec_in
from core.codec.vqgan import ImageCodec
from core.data.building.ahead import ahead
from core.data.building.batches import cut, encode
from core.data.building.journal import Job, Journal, Tally, discard, open_journal
from core.data.building.preparing import prepare
from core.data.building.writing import (
    UNFINISHED_NAME,
    WriteShard,
    is_whole,
    publish,
    refuse_foreign_shards,
    refuse_lost_shards,
    write_left_out,
    write_shards,
)
from core.data.filters import FilterSettings
from core.data.index import INDEX_NAME, ShardIndex
from core.data.packed.layout import ShardLayout
from core.data.packed.shard import write_packed_shard
from core.data.shards import MAX_VOCAB, ROW_GROUP_ROWS, write_shard
from core.data.sources.folder import ImageFolder
from core.data.sources.source import Source
from core.errors import CodecError, DataError

WORKERS = 4
"""Threads that read and unpack images while others are encoded."""


class BuildSettings(BaseModel):
    """What goes into shards, and how they are cut."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    grid: Annotated[int, Field(ge=1, le=ATTENTION_SIDE)] | None = None
    """Codes along one side of an image, as many as the codec was trained with if not given."""
    shard_rows: Annotated[int, Field(ge=1)] = 8192
    row_group_rows: Annotated[int, Field(ge=1)] = ROW_GROUP_ROWS
    """Of the published layout; how many the packed one has depends on the grid."""
    layout: ShardLayout = ShardLayout.PUBLISHED
    batch_size: Annotated[int, Field(ge=1)] = 32
    """Images that the codec encodes at once; also how often the journal is written."""
    filters: FilterSettings = FilterSettings()


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is, earlier attempts included."""

    tally: Tally
    shard_bytes: int
    """Of the shards so far; what is short of a shard is not counted."""
    length: int | None
    """Images of the source, where that is known."""


Progress = Callable[[BuildProgress], None]
"""Called at the beginning and after each batch."""


def build_from_folder(
    source: Path,
    codec_folder: Path,
    out: Path,
    settings: BuildSettings,
    progress: Progress = lambda done: None,
) -> ShardIndex:
    """Builds shards from a folder of images with metadata, using the codec of another folder.

    Raises:
        DataError, CodecError: as ``build_shards``, and where folder or codec cannot be read.
    """
    codec, digest = codec_in(codec_folder)
    return build_shards(ImageFolder(source), codec, out, settings, progress, digest)


def build_shards(
    source: Source,
    codec: ImageCodec,
    out: Path,
    settings: BuildSettings,
    progress: Progress = lambda done: None,
    codec_sha256: str | None = None,
    *,
    restart: bool = False,
) -> ShardIndex:
    """Encodes the images of the source into shards of each split, and lists those that are left out.

    They are made in a folder within ``out`` and moved out of it when complete, in place of an earlier build.
    Interrupted or killed, it is gone on with by the next call, unless ``restart`` throws away what there is; and
    what was finished is not made again: `finished`. The same source, codec and settings on the same machine give
    the same bytes, however often that happened.

    Raises:
        DataError: the source cannot be read or has no usable image, an unfinished build is of other settings,
            or ``out`` holds shards of unknown origin or cannot be written.
        CodecError: the codec has more codes than shards can hold.
    """
    _refuse_large_codebook(codec)
    job = _Job(source, codec, settings, codec_sha256)
    if not restart and (index := _finished(job, out)) is not None:
        return index
    try:
        refuse_foreign_shards(out)
        if restart:
            discard(out / UNFINISHED_NAME)
        return _build(job, out, progress)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}.", "Choose another folder, or make room."
        ) from error


def finished(
    source: Source, codec: ImageCodec, out: Path, settings: BuildSettings, codec_sha256: str | None = None
) -> ShardIndex | None:
    """The index of ``out`` if it holds, whole, what these would build; None where there is something to do."""
    return _finished(_Job(source, codec, settings, codec_sha256), out)


@dataclass(frozen=True)
class _Job:
    """All that decides which bytes are made."""

    source: Source
    codec: ImageCodec
    settings: BuildSettings
    codec_sha256: str | None

    @property
    def grid(self) -> int:
        return self.settings.grid or self.codec.grid

    def named(self) -> Job:
        chosen = self.settings.model_dump(mode="json")
        filters = chosen.pop("filters")
        return {
            "source": self.source.identity,
            "codec": str(self.codec_sha256),
            "device": self.codec.device.type,
            **{name.replace("_", " "): str(value) for name, value in {**chosen, **filters}.items()},
        }

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.named(), sort_keys=True).encode()).hexdigest()

    def writer(self) -> WriteShard:
        if self.settings.layout is ShardLayout.PACKED:
            return partial(write_packed_shard, grid=self.grid, vocab=self.codec.codebook_size)
        return partial(write_shard, row_group_rows=self.settings.row_group_rows)

    def index(self, journal: Journal) -> ShardIndex:
        tally = journal.tally
        return ShardIndex(
            grid=self.grid,
            vocab=self.codec.codebook_size,
            codec_sha256=self.codec_sha256,
            images=tally.images,
            left_out=dict(sorted(tally.left_out.items())),
            filters=self.settings.filters,
            source_bytes=tally.source_bytes,
            job=self.digest(),
            splits=journal.shards(),
        )


def _finished(job: _Job, out: Path) -> ShardIndex | None:
    if not (out / INDEX_NAME).exists() or (out / UNFINISHED_NAME).exists():
        return None
    index = ShardIndex.load(out)
    return index if index.job == job.digest() and is_whole(index, out) else None


def _build(job: _Job, out: Path, progress: Progress) -> ShardIndex:
    unfinished, length = out / UNFINISHED_NAME, job.source.length
    unfinished.mkdir(parents=True, exist_ok=True)
    with open_journal(unfinished, job.named()) as journal:

        def report(shard_bytes: int) -> None:
            progress(BuildProgress(journal.tally, shard_bytes, length))

        refuse_lost_shards(journal, unfinished, out)
        _encode_all(job, unfinished, journal, report)
        _refuse_nothing(journal, unfinished)
        job.index(journal).save(unfinished)
        index = publish(unfinished, out)
    shutil.rmtree(unfinished)
    return index


def _encode_all(job: _Job, folder: Path, journal: Journal, report: Callable[[int], None]) -> None:
    """Deals with all images that the journal does not have yet; afterwards every row is in a shard.

    ``report`` is told how many bytes of shards there are.
    """
    settings, write = job.settings, job.writer()
    shard_bytes = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    work = partial(prepare, resolution=job.codec.downsampling * job.grid, filters=settings.filters)
    images, depth = job.source.images(journal.place), 2 * settings.batch_size + WORKERS
    with closing(ahead(images, work, workers=WORKERS, depth=depth)) as outcomes:
        report(shard_bytes)
        for batch in cut(outcomes, settings.batch_size):
            journal.add(encode(batch, job.codec))
            shard_bytes += write_shards(journal, folder, settings.shard_rows, write)
            report(shard_bytes)
    write_shards(journal, folder, settings.shard_rows, write, rest=True)
    write_left_out(journal, folder)


def _refuse_nothing(journal: Journal, folder: Path) -> None:
    tally = journal.tally
    if not tally.images:
        shutil.rmtree(folder)  # to go on with it would end here again
        counts = ", ".join(f"{count} {reason}" for reason, count in sorted(tally.left_out.items()))
        raise DataError(
            f"No image of the source could be used ({counts or 'it is empty'}).",
            "Check the images and their captions, or loosen the filters.",
        )


def _refuse_large_codebook(codec: ImageCodec) -> None:
    if codec.codebook_size > MAX_VOCAB:
        raise CodecError(
            f"The codec has {codec.codebook_size} codes, but shards hold 16-bit ones, up to {MAX_VOCAB}.",
            "Choose a codec with a smaller codebook.",
        )
