"""Builds code shards from images and captions: filter, crop, encode, write; what is left out is listed."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from core.codec.config import ATTENTION_SIDE
from core.codec.vqgan import ImageCodec, load_codec
from core.data.filters import FilterSettings, drop_reason
from core.data.index import INDEX_NAME, ShardIndex
from core.data.pixels import BrokenImageError, open_image, square_pixels
from core.data.shards import MAX_VOCAB, ROW_GROUP_ROWS, CodeRow, encode_codes
from core.data.sources import ImageFolder, SourceImage
from core.data.writing import LEFT_OUT_NAME, LeftOut, SplitWriter
from core.errors import CodecError, DataError
from core.files import sha256_of

BROKEN = "broken image"
CODEC_CONFIG_NAME = "config.yaml"

Progress = Callable[[int], None]
"""Called with how many images of the source are dealt with."""


class BuildSettings(BaseModel):
    """What goes into shards, and how they are cut."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    grid: Annotated[int, Field(ge=1, le=ATTENTION_SIDE)] | None = None
    """Codes along one side of an image, as many as the codec was trained with if not given."""
    shard_rows: Annotated[int, Field(ge=1)] = 8192
    row_group_rows: Annotated[int, Field(ge=1)] = ROW_GROUP_ROWS
    batch_size: Annotated[int, Field(ge=1)] = 32
    """Images that the codec encodes at once."""
    filters: FilterSettings = FilterSettings()


def build_from_folder(
    source: Path,
    codec_folder: Path,
    out: Path,
    settings: BuildSettings,
    progress: Progress = lambda done: None,
) -> ShardIndex:
    """Builds shards from a folder of images with ``metadata.jsonl``, using the codec of another folder.

    Raises:
        DataError, CodecError: as ``build_shards``, and where folder or codec cannot be read.
    """
    images = ImageFolder(source)
    weights = weights_in(codec_folder)
    codec = load_codec(codec_folder / CODEC_CONFIG_NAME, weights)
    return build_shards(images, codec, out, settings, progress, codec_sha256=sha256_of(weights))


def weights_in(codec_folder: Path) -> Path:
    """The one file of weights in a codec's folder: safetensors, or a published checkpoint.

    Raises:
        CodecError: there is none, or more than one.
    """
    found = sorted(path for path in codec_folder.glob("*") if path.suffix in (".safetensors", ".ckpt"))
    if len(found) != 1:
        raise CodecError(
            f"{codec_folder} holds {len(found)} files of weights.",
            f"Put one .safetensors or .ckpt file there, beside {CODEC_CONFIG_NAME}.",
        )
    return found[0]


def build_shards(
    source: Iterable[SourceImage],
    codec: ImageCodec,
    out: Path,
    settings: BuildSettings,
    progress: Progress = lambda done: None,
    codec_sha256: str | None = None,
) -> ShardIndex:
    """Encodes the images of the source into shards of each split, and lists those that are left out.

    They are made beside ``out`` and moved there when complete, in place of an earlier build. The same source,
    codec and settings on the same machine give the same bytes.

    Raises:
        DataError: the source is malformed or has no usable image, or ``out`` holds shards of unknown origin or
            cannot be written.
        CodecError: the codec has more codes than shards can hold.
    """
    _refuse_large_codebook(codec)
    _refuse_foreign_shards(out)
    staging = out.resolve().with_name(f".{out.resolve().name}.partial")
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        index = _build(source, codec, staging, settings, progress, codec_sha256)
        _publish(staging, out, index)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}.", "Choose another folder, or make room."
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return index


def _build(
    source: Iterable[SourceImage],
    codec: ImageCodec,
    folder: Path,
    settings: BuildSettings,
    progress: Progress,
    codec_sha256: str | None,
) -> ShardIndex:
    grid = settings.grid or codec.grid
    writers: dict[str, SplitWriter] = {}
    images = 0
    with (folder / LEFT_OUT_NAME).open("w", encoding="utf-8") as file:
        left_out = LeftOut(file)
        prepared = _prepare(source, codec.downsampling * grid, settings.filters, left_out, progress)
        for image, codes in _encode(prepared, codec, settings.batch_size):
            images += 1
            for split in image.source.splits:
                if split not in writers:
                    writers[split] = SplitWriter(folder, split, settings.shard_rows, settings.row_group_rows)
                writers[split].add(image.row(codes))
    if not images:
        raise DataError(
            f"No image of the source could be used ({_counts(left_out.counts)}).",
            "Check the images and their captions, or loosen the filters.",
        )
    return ShardIndex(
        grid=grid,
        vocab=codec.codebook_size,
        codec_sha256=codec_sha256,
        images=images,
        left_out=dict(sorted(left_out.counts.items())),
        splits={split: writer.finish() for split, writer in sorted(writers.items())},
    )


@dataclass(frozen=True)
class _Prepared:
    source: SourceImage
    pixels: NDArray[np.float32]
    width: int
    height: int

    def row(self, codes: NDArray[np.int64]) -> CodeRow:
        return CodeRow(self.source.caption, encode_codes(codes), self.source.nsfw, self.width, self.height)


def _prepare(
    source: Iterable[SourceImage],
    resolution: int,
    filters: FilterSettings,
    left_out: LeftOut,
    progress: Progress,
) -> Iterator[_Prepared]:
    for done, image in enumerate(source, 1):
        try:
            opened = open_image(image.read())
            reason = drop_reason(image.caption, image.nsfw, opened.width, opened.height, filters)
            if reason:
                left_out.add(image.name, reason, image.caption)
            else:
                yield _Prepared(image, square_pixels(opened, resolution), opened.width, opened.height)
        except BrokenImageError as error:
            left_out.add(image.name, BROKEN, error.what)
        progress(done)


def _encode(
    images: Iterator[_Prepared], codec: ImageCodec, batch_size: int
) -> Iterator[tuple[_Prepared, NDArray[np.int64]]]:
    while batch := list(islice(images, batch_size)):
        codes = codec.encode(torch.from_numpy(np.stack([image.pixels for image in batch]))).cpu().numpy()
        yield from zip(batch, codes, strict=True)


def _refuse_large_codebook(codec: ImageCodec) -> None:
    if codec.codebook_size > MAX_VOCAB:
        raise CodecError(
            f"The codec has {codec.codebook_size} codes, but shards hold 16-bit ones, up to {MAX_VOCAB}.",
            "Choose a codec with a smaller codebook.",
        )


def _refuse_foreign_shards(out: Path) -> None:
    foreign = {path.name for path in out.glob("*.parquet")} - _earlier_shards(out)
    if foreign:
        raise DataError(
            f"{out} holds shards that no finished build here made, such as {min(foreign)}.",
            "Choose another folder, or remove them.",
        )


def _earlier_shards(out: Path) -> set[str]:
    if not (out / INDEX_NAME).exists():
        return set()
    return {entry.file for entries in ShardIndex.load(out).splits.values() for entry in entries}


def _publish(staging: Path, out: Path, index: ShardIndex) -> None:
    # The index goes first and comes last: a folder that has one is complete.
    earlier = _earlier_shards(out)
    for name in (INDEX_NAME, LEFT_OUT_NAME, *sorted(earlier)):
        (out / name).unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    if not index.left_out:
        (staging / LEFT_OUT_NAME).unlink()
    for path in sorted(staging.iterdir()):
        path.replace(out / path.name)
    index.save(out)


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items())) or "it is empty"
