"""The verbs `prefs show`, `prefs set` and `prefs reset`: through the daemon where one runs, else in the file."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from client.api.connection import Connection
from client.api.errors import NoDaemon
from client.api.requests import SetPreference
from client.paths import Paths
from client.preferences import Preferences, Row, Section, describe, row_named, shown_name, with_value
from client.preferences_file import load, save
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from rich.console import RenderableType

app = typer.Typer(help="Show and change your preferences.", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="prefs")


def _names(begun: str) -> list[str]:
    """For the shell's completion."""
    return [name for field in Preferences.model_fields if (name := shown_name(field)).startswith(begun)]


Name = Annotated[str, typer.Argument(help="As `prefs show` lists it.", autocompletion=_names)]


@app.command()
def show(
    name: Annotated[
        str | None, typer.Argument(help="One preference; without, all of them.", autocompletion=_names)
    ] = None,
    as_json: AsJson = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print a page in Markdown.")] = False,
) -> None:
    """Say what each preference is, and what it may be."""
    preferences, problem = load(Paths.of_user().preferences)
    rows = describe(preferences) if name is None else (row_named(preferences, name),)
    if problem:
        print(f"idlebrush: {problem.what}\n{problem.remedy}", file=sys.stderr)
    if as_json:
        print(json.dumps({row.name: _document(row) for row in rows}))
    elif as_markdown:
        print(markdown(rows), end="")
    else:
        from rich.console import Console

        Console(highlight=False).print(table(rows) if name is None else card(rows[0]))


@app.command("set")
def set_value(
    name: Name, value: Annotated[str, typer.Argument(help='Such as 80%, 2h or "mon-fri 18:00-08:00".')]
) -> None:
    """Change a preference; it holds at once."""
    paths = Paths.of_user()
    try:
        with Connection.open(paths.socket) as daemon:
            daemon.ask(SetPreference(name=name, value=value))
    except NoDaemon:
        _write(paths, name, value)
    row = row_named(load(paths.preferences)[0], name)
    print(f"{row.name} is {row.value}.")


@app.command()
def reset(name: Name) -> None:
    """Put a preference back to its default."""
    set_value(name, row_named(Preferences(), name).value)


def table(rows: Sequence[Row]) -> "RenderableType":
    """All preferences by section; what differs from its default stands out."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table.grid(padding=(0, 2))
    drawn.add_column(no_wrap=True)
    drawn.add_column(min_width=9)
    drawn.add_column(style="dim")
    for section, members in _by_section(rows):
        drawn.add_row(Text(f"\n{section}", style="bold"))
        for row in members:
            value = Text(row.value, style="" if row.is_default else "bold green")
            drawn.add_row(Text(f"  {row.name}"), value, Text(row.help))
    return drawn


def card(row: Row) -> "RenderableType":
    """One preference with all that is known of it."""
    from rich.text import Text

    origin = "which is the default" if row.is_default else f"the default is {row.default}"
    return Text(f"{row.name} is {row.value}, {origin}.\n{row.help}\nIt may be {row.allowed}.")


def markdown(rows: Sequence[Row]) -> str:
    """The page of the documentation."""
    lines = [
        "# Preferences",
        "",
        "`idlebrush prefs show` shows them, `idlebrush prefs set NAME VALUE` changes one, and `idlebrush prefs "
        "reset NAME` puts it back. They are kept in `preferences.toml`, which may be edited by hand.",
    ]
    for section, members in _by_section(rows):
        lines += [
            "",
            f"## {section}",
            "",
            "| name | default | what it does | what it may be |",
            "|---|---|---|---|",
        ]
        lines += [f"| `{row.name}` | {row.default} | {row.help} | {row.allowed} |" for row in members]
    return "\n".join(lines) + "\n"


def _by_section(rows: Sequence[Row]) -> Iterator[tuple[Section, list[Row]]]:
    for section in Section:
        if members := [row for row in rows if row.section is section]:
            yield section, members


def _document(row: Row) -> dict[str, str | bool]:
    return {
        "value": row.value,
        "default": row.default,
        "is_default": row.is_default,
        "allowed": row.allowed,
        "help": row.help,
    }


def _write(paths: Paths, name: str, value: str) -> None:
    preferences = with_value(load(paths.preferences)[0], name, value)
    if aside := save(paths.preferences, preferences):
        print(f"idlebrush: the old file had faults and was kept as {aside.name}.", file=sys.stderr)
