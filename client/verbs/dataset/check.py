"""The verb `dataset check`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.verbs.options import AsJson, CaptionColumn, ImageColumn, Subset
from core.errors import DataError

if TYPE_CHECKING:
    from core.data.building.image_sizes import ImageSizes
    from core.data.checking.check import CheckReport

UNSOUND = 1


def check(
    folder: Annotated[Path, typer.Argument(help="Folder of shards.")],
    grid: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Codes along one side of an image, if there is no index."),
    ] = None,
    vocab: Annotated[
        int | None, typer.Option(min=1, max=1 << 15, help="Entries of the codebook, if there is no index.")
    ] = None,
    codec: Annotated[
        Path | None, typer.Option(help="Folder of the codec that should have made the shards.")
    ] = None,
    tokenizer: Annotated[
        Path | None, typer.Option(help="Tokenizer in JSON, to count the tokens of the captions.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            help="Source that the shards were built from, to compare their size with that of the images."
        ),
    ] = None,
    subset: Subset = None,
    image_column: ImageColumn = None,
    caption_column: CaptionColumn = None,
    as_json: AsJson = False,
) -> None:
    """Read every row of every shard, and report faults and statistics."""
    from rich.console import Console

    from client.console.check_report import document, report

    found = _check(folder, grid, vocab, codec, _counter(tokenizer))
    images = _measure(folder, source, subset, image_column, caption_column) if source else None
    if as_json:
        print(json.dumps(document(found, images)))
    else:
        Console(highlight=False).print(report(found, images))
        for problem in found.problems:
            print(problem)
    raise typer.Exit(0 if found.sound else UNSOUND)


def _check(
    folder: Path,
    grid: int | None,
    vocab: int | None,
    codec: Path | None,
    count_tokens: Callable[[str], int] | None,
) -> "CheckReport":
    from rich.console import Console

    from client.console.transfer_progress import rows_shown
    from core.data.checking.check import check_shards, check_without_index
    from core.data.index import ShardIndex

    console = Console(stderr=True)
    if grid is None and vocab is None:
        with rows_shown(console, "checking", ShardIndex.load(folder).total_rows) as progress:
            return check_shards(folder, _digest(codec), progress, count_tokens)
    if grid is None or vocab is None or codec is not None:
        raise DataError(
            "The options --grid, --vocab and --codec do not fit together.",
            "Without an index.json, give --grid and --vocab, and omit --codec. With one, omit --grid and --vocab.",
        )
    with rows_shown(console, "checking", None) as progress:
        return check_without_index(folder, grid, vocab, progress, count_tokens)


def _digest(codec: Path | None) -> str | None:
    if codec is None:
        return None
    from core.codec.vqgan import weights_in
    from core.storage.files import sha256_of

    return sha256_of(weights_in(codec))


def _counter(tokenizer: Path | None) -> Callable[[str], int] | None:
    if tokenizer is None:
        return None
    from core.text import CaptionTokenizer

    return CaptionTokenizer.load(tokenizer, length=1).count


def _measure(
    folder: Path, source: str, subset: str | None, image_column: str | None, caption_column: str | None
) -> "ImageSizes | None":
    from core.data.building.image_sizes import measure_images
    from core.data.index import INDEX_NAME, ShardIndex
    from core.data.sources.open import open_source
    from core.run.filters import FilterSettings

    known = ShardIndex.load(folder).filters if (folder / INDEX_NAME).exists() else None
    images = open_source(source, subset=subset, image_column=image_column, caption_column=caption_column)
    return measure_images(images, known or FilterSettings())
