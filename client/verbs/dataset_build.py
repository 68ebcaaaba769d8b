"""The verb `dataset build`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from client.joining.embedded import embedded_run
from client.verbs.options import AsJson

INTERRUPTED = 130
"""Exit status after Ctrl-C, as of other programs."""


class Device(StrEnum):
    """Where to encode."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


def build(
    source: Annotated[
        str,
        typer.Argument(
            help="A folder of images with metadata.jsonl, metadata.csv or text files of captions; .tar archives"
            " such as data/{00000..00099}.tar, or a folder of them; an output of img2dataset; or a data set"
            " on the Hub: owner/name@revision:split."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the shards.")],
    codec: Annotated[
        Path | None, typer.Option(help="Folder of the codec's config and weights; without, ours.")
    ] = None,
    grid: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Codes along one side of an image; without, the codec's."),
    ] = None,
    device: Annotated[Device, typer.Option(help="Where to encode.")] = Device.AUTO,
    batch_size: Annotated[int, typer.Option(min=1, max=4096, help="Images to encode at once.")] = 32,
    shard_rows: Annotated[int, typer.Option(min=1, help="Images in a shard.")] = 8192,
    min_caption_length: Annotated[int, typer.Option(min=0, help="Drop captions of fewer letters.")] = 3,
    max_aspect_ratio: Annotated[
        float, typer.Option(min=1, help="Of longer to shorter side; drop others.")
    ] = 2.0,
    safe_label: Annotated[
        list[str], typer.Option(help="Of the NSFW column; drop images with others. May be repeated.")
    ] = ["UNLIKELY"],  # noqa: B006  (typer reads it and leaves it as it is)
    subset: Annotated[str | None, typer.Option(help="Of a data set on the Hub that has several.")] = None,
    image_column: Annotated[
        str | None, typer.Option(help="Of a data set on the Hub; without, by name.")
    ] = None,
    caption_column: Annotated[str | None, typer.Option(help="Likewise.")] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin anew instead of going on with an unfinished build.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Turn images and captions into code shards.

    Ended by Ctrl-C or in any other way, the same command goes on where it was.
    """
    import warnings

    from rich.console import Console

    from client.console.build_view import document, progress_on, report
    from core.data.building.build import BuildSettings, build_shards, codec_in, device_for
    from core.data.filters import FilterSettings
    from core.data.sources.open import open_source

    settings = BuildSettings(
        grid=grid,
        shard_rows=shard_rows,
        batch_size=batch_size,
        filters=FilterSettings(
            min_caption_length=min_caption_length,
            safe_labels=frozenset(safe_label),
            max_aspect_ratio=max_aspect_ratio,
        ),
    )
    images = open_source(source, subset=subset, image_column=image_column, caption_column=caption_column)
    loaded, digest = codec_in(codec or embedded_run() / "codec", device_for(device))
    warnings.filterwarnings("ignore", module="PIL")  # of single images; those that are broken are listed
    console = Console(stderr=True, highlight=False)
    try:
        with progress_on(console) as show:
            index = build_shards(images, loaded, out, settings, show, digest, restart=restart)
    except KeyboardInterrupt:
        console.print(
            f"Stopped. What is done lies in {out}; the same command goes on from there.", markup=False
        )
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(document(index, out))
    else:
        Console(highlight=False).print(report(index, out), soft_wrap=True)
