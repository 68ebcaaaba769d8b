"""The verbs `dataset build` and `dataset check`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from client.verbs import dataset_build
from client.verbs.options import AsJson

dataset = typer.Typer(help="Make and check code shards.", no_args_is_help=True)
dataset.command()(dataset_build.build)


def register(app: typer.Typer) -> None:
    app.add_typer(dataset, name="dataset")


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
