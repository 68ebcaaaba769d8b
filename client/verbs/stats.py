"""The verb `stats`."""

import json
from typing import Annotated

import typer

from client.contribution.tally import Period
from client.paths import Paths
from client.verbs.options import AsJson


def register(app: typer.Typer) -> None:
    app.command()(stats)


def stats(
    by: Annotated[Period, typer.Option(help="Period that each row covers.")] = Period.DAY,
    run: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name or digest of a run. Default: all runs."),
    ] = None,
    receipts: Annotated[
        bool,
        typer.Option(
            "--receipts",
            help="Download the joined run's signed receipts for your contribution, and keep them on this computer.",
        ),
    ] = False,
    own_page: Annotated[
        bool, typer.Option("--page", help="Open your own page of the joined run in the browser.")
    ] = False,
    calendar: Annotated[
        bool, typer.Option("--calendar", help="Show the last 12 months, day by day, instead of the periods.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what this computer has contributed."""
    if receipts or own_page:
        _of_coordinator(receipts, own_page)
        return
    from dataclasses import replace
    from datetime import UTC, datetime

    from client.console.stats_report import read_report
    from client.contribution.tally import Calendar
    from client.preferences.preferences_file import load

    paths = Paths.of_user()
    price = load(paths.preferences)[0].electricity_price
    report = read_report(paths.stats, run, by, datetime.now(UTC), Calendar())
    report = replace(report, currency=price.currency if price else "")
    if as_json:
        print(json.dumps(report.calendar_as_json() if calendar else report.as_json()))
        return
    from rich.console import Console

    from client.console.stats_page import calendar_page, page

    Console().print(calendar_page(report) if calendar else page(report))


def _of_coordinator(receipts: bool, own_page: bool) -> None:
    """Fetch what the run's coordinator holds about the volunteer, from all of their computers."""
    import webbrowser

    from client.api.answers import Done
    from client.api.commands import KeepReceipts, OpenPage
    from client.api.connection import COORDINATOR_SECONDS
    from client.api.launch import ensure_daemon

    with ensure_daemon(Paths.of_user()) as daemon:
        for wanted, request in ((receipts, KeepReceipts()), (own_page, OpenPage())):
            if not wanted:
                continue
            done = daemon.ask(request, COORDINATOR_SECONDS)
            assert isinstance(done, Done)
            print(done.text)
            if isinstance(request, OpenPage):
                print(done.about, flush=True)
                webbrowser.open(done.about)
