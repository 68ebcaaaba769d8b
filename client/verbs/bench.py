"""The verb `bench`."""

import json
import sys
from dataclasses import asdict
from importlib.resources import as_file, files
from typing import Annotated

import typer

from client.verbs.options import AsJson, needs
from core.packages import PackageSet


def register(app: typer.Typer) -> None:
    app.command()(bench)


@needs(PackageSet.TRAINER)
def bench(
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Number of threads. Default: one for each core.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0, max=3600, help="Seconds for which each model is measured.")
    ] = 8.0,
    as_json: AsJson = False,
) -> None:
    """Measure how fast this machine trains, and compare it with machines that were measured before."""
    from rich.console import Console

    from client.console.plan_report import comparison
    from core.trainer.machines import load_machines
    from core.trainer.speed import Limit, measure

    if not as_json:
        print(
            "Measuring for up to a minute. Other programs that run now make the result worse.",
            file=sys.stderr,
        )
    here = measure(limit=Limit(seconds), threads=threads)
    with as_file(files("assets") / "machines.json") as path:
        others = load_machines(path)
    if as_json:
        print(json.dumps({"this_machine": asdict(here), "others": [asdict(machine) for machine in others]}))
    else:
        Console().print(comparison(here, others))
