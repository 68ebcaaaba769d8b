"""The verb `dataset build`."""

import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.joining.embedded import embedded_run
from client.verbs.options import INTERRUPTED, SOURCE_KINDS, AsJson, CaptionColumn, ImageColumn, Subset
from core.data.layout import Compression

if TYPE_CHECKING:
    from core.data.building.build import BuildSettings
    from core.data.index import ShardIndex
    from core.data.sources.source import ImageSource


class EncodeOn(StrEnum):
    """Device to encode on."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise typer.BadParameter("it must be a finite number; a large one lets all images in")
    return value


Codec = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the codec's config and weights. Default: the codec that comes with Idlebrush."
    ),
]
Grid = Annotated[
    int | None, typer.Option(min=1, max=64, help="Codes along one side of an image. Default: the codec's.")
]
ShardCompression = Annotated[
    Compression,
    typer.Option(help="high: smaller shards, much slower to write, and read 4,096 rows at a time."),
]
BatchSize = Annotated[int, typer.Option(min=1, max=4096, help="Images to encode at once.")]
CaptionLength = Annotated[int, typer.Option(min=0, help="Drop captions of fewer letters.")]
AspectRatio = Annotated[
    float,
    typer.Option(
        min=1,
        callback=_finite,
        help="Largest ratio of the longer to the shorter side; other images are dropped.",
    ),
]
SafeLabels = Annotated[
    list[str],
    typer.Option(help="Allowed value of the NSFW column; other images are dropped. May be repeated."),
]
Restart = Annotated[
    bool,
    typer.Option("--restart", help="Start from the beginning instead of continuing an unfinished build."),
]


def build(
    source: Annotated[str, typer.Argument(help=SOURCE_KINDS)],
    out: Annotated[Path, typer.Option(help="Folder for the shards.")],
    codec: Codec = None,
    grid: Grid = None,
    compression: ShardCompression = Compression.STANDARD,
    device: Annotated[EncodeOn, typer.Option(help="Device that encodes.")] = EncodeOn.AUTO,
    batch_size: BatchSize = 32,
    shard_rows: Annotated[int, typer.Option(min=1, help="Images in a shard.")] = 8192,
    min_caption_length: CaptionLength = 3,
    max_aspect_ratio: AspectRatio = 2.0,
    safe_label: SafeLabels = ["UNLIKELY"],  # noqa: B006  (typer reads it and leaves it as it is)
    subset: Subset = None,
    image_column: ImageColumn = None,
    caption_column: CaptionColumn = None,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Turn images and captions into code shards.

    If the build is interrupted, run the same command again to resume it.
    """
    from core.data.building.build import BuildSettings
    from core.data.sources.open import open_source
    from core.run.filters import FilterSettings

    filters = FilterSettings(
        min_caption_length=min_caption_length,
        safe_labels=frozenset(safe_label),
        max_aspect_ratio=max_aspect_ratio,
    )
    settings = BuildSettings(
        grid=grid, shard_rows=shard_rows, batch_size=batch_size, compression=compression, filters=filters
    )
    images = open_source(source, subset=subset, image_column=image_column, caption_column=caption_column)
    index = _build(images, codec or embedded_run() / "codec", device, out, settings, restart)
    _print_index(index, out, as_json)


def _build(
    images: "ImageSource", codec: Path, device: EncodeOn, out: Path, settings: "BuildSettings", restart: bool
) -> "ShardIndex":
    import warnings

    from rich.console import Console

    from client.console.build_view import progress_on
    from core.codec.vqgan import codec_in, device_for
    from core.data.building.build import build_shards, finished

    loaded, digest = codec_in(codec, device_for(device))
    warnings.filterwarnings("ignore", module="PIL")  # of single images; those that are broken are listed
    console = Console(stderr=True, highlight=False)
    if not restart and (index := finished(images, loaded, out, settings, digest)) is not None:
        console.print("This data set is already complete. --restart builds it again.", markup=False)
        return index
    try:
        with progress_on(console) as show:
            return build_shards(images, loaded, out, settings, show, digest, restart=restart)
    except KeyboardInterrupt:
        console.print(
            f"Stopped. The finished part is in {out}. Run the same command again to resume.", markup=False
        )
        raise typer.Exit(INTERRUPTED) from None


def _print_index(index: "ShardIndex", out: Path, as_json: bool) -> None:
    from rich.console import Console

    from client.console.build_view import document, report

    if as_json:
        print(document(index, out))
    else:
        Console(highlight=False).print(report(index, out), soft_wrap=True)
