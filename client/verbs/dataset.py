"""The verbs `dataset build` and `dataset check`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from client.joining.embedded import embedded_run
from client.verbs.options import AsJson

dataset = typer.Typer(help="Make and check code shards.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(dataset, name="dataset")


@dataset.command()
def build(
    source: Annotated[Path, typer.Argument(help="Folder of images with a metadata.jsonl of captions.")],
    out: Annotated[Path, typer.Option(help="Folder for the shards.")],
    codec: Annotated[
        Path | None,
        typer.Option(help="Folder of the codec's config and weights; without, ours."),
    ] = None,
    grid: Annotated[int, typer.Option(min=1, max=256, help="Codes along one side of an image.")] = 8,
) -> None:
    """Turn images and captions into code shards."""
    from core.data.build import BuildSettings, build_from_folder

    settings = BuildSettings(grid=grid)
    index = build_from_folder(source, codec or embedded_run() / "codec", out, settings)
    rows = ", ".join(
        f"{split}: {sum(entry.rows for entry in entries)} rows" for split, entries in index.splits.items()
    )
    print(f"{index.images} images in {out} ({rows}); left out: {sum(index.left_out.values())}")


@dataset.command()
def check(folder: Annotated[Path, typer.Argument(help="Folder of shards.")], as_json: AsJson = False) -> None:
    """Read every row of every shard, and say what is wrong."""
    from core.data.check import check_shards

    report = check_shards(folder)
    if as_json:
        print(json.dumps({**asdict(report), "sound": report.sound}))
    else:
        for split, rows in report.rows.items():
            print(f"{split}: {rows} sound rows")
        for problem in report.problems:
            print(problem)
    raise typer.Exit(0 if report.sound else 1)
