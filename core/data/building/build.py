"""Builds code shards from images and captions: filters, crops, encodes, writes; resumes an interrupted build."""

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
from core.codec.vqgan import ImageCodec, codec_in
from core.data.building.ahead import ahead
from core.data.building.encoding import cut, encode, prepare
from core.data.building.journal import BuildTally, JobDescription, Journal, discard, open_journal
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
from core.data.index import INDEX_NAME, ShardIndex
from core.data.layout import MAX_VOCAB, Compression
from core.data.shards import write_shard
from core.data.sources.folder import ImageFolder
from core.data.sources.source import ImageSource
from core.errors import CodecError, DataError
from core.run.filters import FilterSettings
from core.storage import moving

WORKERS = 4
"""Threads that read and unpack images while others are encoded."""


class BuildSettings(BaseModel):
    """Settings of a build: the contents of shards, and their size."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    grid: Annotated[int, Field(ge=1, le=ATTENTION_SIDE)] | None = None
    """Codes along one side of an image; None: as many as the codec was trained with."""
    shard_rows: Annotated[int, Field(ge=1)] = 8192
    """Largest number of rows in a shard."""
    compression: Compression = Compression.STANDARD
    batch_size: Annotated[int, Field(ge=1)] = 32
    """Images that the codec encodes at once; the journal is written after each batch."""
    filters: FilterSettings = FilterSettings()


@dataclass(frozen=True)
class BuildProgress:
    """Progress of a build, earlier attempts included."""

    tally: BuildTally
    shard_bytes: int
    """Bytes of the shards so far; rows that do not fill a shard yet are not counted."""
    length: int | None
    """Number of images of the source; None where it is not known."""


_OnProgress = Callable[[BuildProgress], None]
"""Receiver of the progress, at the beginning and after each batch."""


def build_from_folder(source: Path, codec_folder: Path, out: Path, settings: BuildSettings) -> ShardIndex:
    """Build shards from a folder of images with metadata, with the codec of another folder.

    Args:
        source: Folder of images in the imagefolder layout.
        codec_folder: Folder with the configuration and the weights of the codec.
        out: Folder for the shards and their index.
        settings: Settings of the build.

    Returns:
        The index of the shards.

    Raises:
        DataError: as ``build_shards``, or the folder of images cannot be read.
        CodecError: as ``build_shards``, or the codec cannot be loaded.
    """
    codec, digest = codec_in(codec_folder)
    return build_shards(ImageFolder(source), codec, out, settings, codec_sha256=digest)


def build_shards(
    source: ImageSource,
    codec: ImageCodec,
    out: Path,
    settings: BuildSettings,
    progress: _OnProgress = lambda done: None,
    codec_sha256: str | None = None,
    *,
    restart: bool = False,
) -> ShardIndex:
    """Encode the images of a source into shards of each split, and list the images that are left out.

    The shards are made in a folder within ``out`` and moved out of it when complete, in place of an earlier
    build. The next call resumes an interrupted build, and returns a finished one as it is (`finished`). The
    same source, codec and settings on the same machine give the same bytes, however often the build was
    interrupted.

    Args:
        source: Images with captions.
        codec: Codec that encodes the images.
        out: Folder for the shards and their index.
        settings: Settings of the build.
        progress: Called at the beginning and after each batch.
        codec_sha256: SHA-256 of the codec's weights in hex, for the index; None if it is not known.
        restart: True to build everything again, and discard an unfinished build in ``out``.

    Returns:
        The index of the shards.

    Raises:
        DataError: the source cannot be read or has no usable image, an unfinished build has other settings,
            or ``out`` holds shards of unknown origin or cannot be written.
        CodecError: the codec has more codes than shards can hold, or the GPU has too little memory for a
            batch.
    """
    _refuse_large_codebook(codec)
    job = _BuildInputs(source, codec, settings, codec_sha256)
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
    source: ImageSource,
    codec: ImageCodec,
    out: Path,
    settings: BuildSettings,
    codec_sha256: str | None = None,
) -> ShardIndex | None:
    """Return the index of ``out`` if it holds the complete result of the same build, else None.

    Args:
        source: Images with captions.
        codec: Codec that encodes the images.
        out: Folder of the shards and their index.
        settings: Settings of the build.
        codec_sha256: SHA-256 of the codec's weights in hex; None if it is not known.

    Raises:
        DataError: the index is malformed, or a shard cannot be read.
    """
    return _finished(_BuildInputs(source, codec, settings, codec_sha256), out)


@dataclass(frozen=True)
class _BuildInputs:
    """Everything that decides which bytes a build makes."""

    source: ImageSource
    codec: ImageCodec
    settings: BuildSettings
    codec_sha256: str | None

    @property
    def grid(self) -> int:
        return self.settings.grid or self.codec.grid

    def named(self) -> JobDescription:
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
        return partial(write_shard, compression=self.settings.compression)

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


def _finished(job: _BuildInputs, out: Path) -> ShardIndex | None:
    if not (out / INDEX_NAME).exists() or (out / UNFINISHED_NAME).exists():
        return None
    index = ShardIndex.load(out)
    return index if index.job == job.digest() and is_whole(index, out) else None


def _build(job: _BuildInputs, out: Path, progress: _OnProgress) -> ShardIndex:
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
    moving.remove_folder(unfinished)
    return index


def _encode_all(job: _BuildInputs, folder: Path, journal: Journal, report: Callable[[int], None]) -> None:
    """Encode all images that the journal does not have yet, and write every row to a shard.

    ``report`` is called with the bytes of the shards so far.
    """
    settings, write = job.settings, job.writer()
    shard_bytes = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    work = partial(prepare, grid=job.grid, downsampling=job.codec.downsampling, filters=settings.filters)
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
