"""The verb `stats`."""

import json
from typing import Annotated

import typer

from client.contribution.tally import Period
from client.verbs.options import AsJson


def register(app: typer.Typer) -> None:
    app.command()(stats)


def stats(
    by: Annotated[Period, typer.Option(help="Length of a row's time.")] = Period.DAY,
    run: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of this run alone, by name or digest; without, of all of them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what this computer has contributed."""
    from datetime import UTC, datetime

    from client.console.stats_report import read_report
    from client.contribution.tally import Calendar
    from client.paths import Paths

    report = read_report(Paths.of_user().stats, run, by, datetime.now(UTC), Calendar())
    if as_json:
        print(json.dumps(report.as_json()))
        return
    from rich.console import Console

    from client.console.stats_page import page

    Console().print(page(report))
