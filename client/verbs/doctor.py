"""The verb `doctor`."""

import json
import os
from typing import TYPE_CHECKING

import typer

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from client.doctor import Examination

_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Examine this installation: what works, what does not, and what to do; exit status 1 if there is a problem."""
    import asyncio
    from dataclasses import asdict

    from rich.console import Console

    from client.checks.all_checks import all_checks
    from client.doctor import examine

    console = Console(highlight=False, stderr=as_json)
    with console.status("Looking at everything; this takes half a minute at most..."):
        examination = asyncio.run(examine(all_checks(Paths.of_user(), os.environ)))
    if as_json:
        findings = [asdict(finding) for finding in examination.findings]
        print(json.dumps({"healthy": examination.healthy, "findings": findings}))
    else:
        console.print(page(examination))
    raise typer.Exit(0 if examination.healthy else 1)


def page(examination: "Examination") -> "Table":
    """A line for each finding, and under it what to do."""
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
