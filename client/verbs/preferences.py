"""The verbs `prefs show`, `prefs set` and `prefs reset`: through the daemon where one runs, else in the file."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from client.api.choices import PreferenceView
    from client.preferences.preferences import Preferences

app = typer.Typer(help="Show and change your preferences.", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="prefs")


def _names(begun: str) -> list[str]:
    """Return the names of preferences for the shell's completion."""
    from client.preferences.preferences import Preferences, describe

    return [row.name for row in describe(Preferences()) if row.name.startswith(begun)]


_Name = Annotated[
    str, typer.Argument(help="Name of a preference, as `prefs show` lists it.", autocompletion=_names)
]


@app.command()
def show(
    name: Annotated[
        str | None, typer.Argument(help="Preference to show. Default: all.", autocompletion=_names)
    ] = None,
    simple: Annotated[
        bool, typer.Option("--simple", help="Show only the preferences that most volunteers need.")
    ] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="Show only the preferences that differ from their defaults.")
    ] = False,
    as_json: AsJson = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print a page in Markdown.")] = False,
) -> None:
    """Show each preference with its value, its effect, and its allowed values."""
    from rich.console import Console

    from client.console.preferences_report import card, document, markdown, table
    from client.preferences.preferences import row_named

    preferences = _loaded(Paths.of_user())
    rows = _listed(preferences, simple, changed) if name is None else (row_named(preferences, name),)
    if as_json:
        print(json.dumps(document(rows)))
    elif as_markdown:
        print(markdown(rows), end="")
    elif not rows:
        print("All of these preferences have their defaults.")
    else:
        Console(highlight=False).print(table(rows) if name is None else card(rows[0]))


@app.command("set")
def set_value(
    name: _Name,
    value: Annotated[str, typer.Argument(help='New value, such as 80%, 2h or "mon-fri 18:00-08:00".')],
) -> None:
    """Change a preference. It takes effect immediately."""
    from client.preferences.preferences import row_named, with_value

    paths = Paths.of_user()
    changed = with_value(_loaded(paths), name, value)
    row = row_named(changed, name)
    if not _daemon_accepted(paths, row.name, row.value):
        if row.name == "start-at-login":
            _start_at_login(changed.start_at_login)
        _change(paths, row.name, row.value)
    print(f"{row.name} is {row.value}.")


@app.command()
def reset(name: _Name) -> None:
    """Restore the default of a preference."""
    from client.preferences.preferences import Preferences, row_named

    set_value(name, row_named(Preferences(), name).value)


def _listed(preferences: "Preferences", simple: bool, changed: bool) -> "tuple[PreferenceView, ...]":
    """Return all preferences, or those that most volunteers need, or those that differ from their defaults."""
    from client.preferences.preferences import describe

    return tuple(
        row
        for row in describe(preferences)
        if (row.is_simple or not simple) and not (changed and row.is_default)
    )


def _daemon_accepted(paths: Paths, name: str, value: str) -> bool:
    """Set the preference through the daemon, which writes the file; return false if there is no daemon."""
    from client.api.commands import SetPreference
    from client.api.connection import Connection
    from client.api.errors import NoDaemon

    try:
        with Connection.open(paths.socket) as daemon:
            daemon.ask(SetPreference(name=name, value=value))
    except NoDaemon:
        return False
    return True


def _start_at_login(wanted: bool) -> None:
    """Set starting at login without a daemon: the next login may come before one is started."""
    from client.autostart.interface import LoginCommand
    from client.autostart.system import autostart

    system = autostart(LoginCommand.of_client())
    (system.enable if wanted else system.disable)()


def _loaded(paths: Paths) -> "Preferences":
    from client.preferences.preferences_file import load

    preferences, problem = load(paths.preferences)
    if problem:
        print(f"idlebrush: {problem.what}\n{problem.remedy}", file=sys.stderr)
    return preferences


def _change(paths: Paths, name: str, value: str) -> None:
    from client.preferences.preferences import with_value
    from client.preferences.preferences_file import change

    if aside := change(paths.preferences, lambda now: with_value(now, name, value)):
        print(f"idlebrush: the previous file is kept as {aside.name}.", file=sys.stderr)
