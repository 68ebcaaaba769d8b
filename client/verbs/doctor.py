"""The verb `doctor`."""

import json
import os
import pydoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.api.errors import StateError
from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from client.doctor import Examination
    from client.problem_report import ReportFile

_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(
    as_json: AsJson = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE.zip", help="Save an archive for a bug report, after showing it."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Save the report without asking.")] = False,
) -> None:
    """Examine this installation: what works, what does not, and what to do; exit status 1 if there is a problem."""
    import asyncio
    from dataclasses import asdict

    from rich.console import Console

    from client.checks.all_checks import all_checks
    from client.doctor import examine

    if report is not None and report.exists():
        raise StateError(f"{report} exists already.", "Give another name for the report.")
    console = Console(highlight=False, stderr=as_json)
    with console.status("Examining this installation; this takes at most half a minute..."):
        examination = asyncio.run(examine(all_checks(Paths.of_user(), os.environ)))
    if as_json:
        findings = [asdict(finding) for finding in examination.findings]
        print(json.dumps({"healthy": examination.healthy, "findings": findings}))
    else:
        console.print(page(examination))
    if report is not None:
        _save_report(examination, report, asks=not yes)
    raise typer.Exit(0 if examination.healthy else 1)


def _save_report(examination: "Examination", path: Path, *, asks: bool) -> None:
    """Show what the report would hold, and save it if the user agrees."""
    from client.problem_report import gather, save

    files = gather(Paths.of_user(), examination.findings)
    typer.echo(f"\n{path} would hold these files; access tokens are blanked:", err=True)
    for file in files:
        typer.echo(f"  {file.name:24} {len(file.text.encode()):>9,} bytes  {file.about}", err=True)
    if asks and not _agrees(files):
        typer.echo("Nothing was saved.", err=True)
        return
    save(files, path)
    typer.echo(f"Saved {path}. Nothing was sent: attach it to your report yourself.", err=True)


def _agrees(files: "tuple[ReportFile, ...]") -> bool:
    while True:
        answer = typer.prompt(
            "Save it? [y]es, [n]o, or [s]how all of it first", default="n", err=True
        ).lower()
        if answer in ("s", "show"):
            pydoc.pager("\n\n".join(f"===== {file.name} =====\n{file.text}" for file in files))
        else:
            return answer in ("y", "yes")


def page(examination: "Examination") -> "Table":
    """Return a table with a line for each finding, and under it what to do."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for finding in examination.findings:
        mark, colour = _MARKS[finding.verdict]
        text = Text(finding.found)
        if finding.remedy:
            text.append(f"\n→ {finding.remedy}", "dim")
        table.add_row(Text(mark, colour), Text(finding.name), text)
    return table
