"""Preferences as they are shown: a table for the terminal, a card for one of them, a page in Markdown."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from client.api.choices import PreferenceView
from client.preferences.preferences import Section

_PAGE = """\
# Preferences

`idlebrush prefs show` shows them, `idlebrush prefs set NAME VALUE` changes one, and `idlebrush prefs reset NAME`
restores its default. They are kept in `preferences.toml` in the folder of your settings. You may edit that file;
Idlebrush reloads it. This page is what `idlebrush prefs show --markdown` prints.

Most volunteers need only the preferences in bold. The app's page shows these in its simple view, and
`idlebrush prefs show --simple` lists them. `idlebrush prefs show --changed` lists those that differ from their
defaults.

Training pauses as soon as there is a reason; only heat must last for ten seconds first. It continues once the
reason has been gone for a while: half a minute after the load of other programs, a minute after heat, two minutes
after other programs needed the memory. If Idlebrush cannot read your last input, the exclusive applications or a GPU
that it trains on, it assumes that the computer is in use. It ignores other readings that are unknown, such as
sensors that many computers lack. While the screen is locked, the computer counts as idle after fifteen seconds
without input.

If `run-mode` is `always`, the limits that protect the computer and your bill still hold: heat, power, memory, disk,
minimum charge, the highest price of electricity, metered connections, the quota and the share of time. Idlebrush
then ignores that you use the computer, the load of other programs, full-screen applications, exclusive applications,
videos, battery power, the highest carbon intensity and the hours.

If a target temperature is set, training runs for a larger or smaller share of the time until the temperature stays at
the target. That takes a few minutes, and training never runs for less than 5% of the time. The limits above which
training pauses still hold, so set the target below them.

Energy is measured where the system reports it: that of NVIDIA's GPUs, and on Linux that of the processor, which the
kernel shows to administrators only. `idlebrush doctor` tells whether it is measured. Costs and CO2 are counted when
the energy is used, so a number that you change later does not change them.
"""


def table(rows: Sequence[PreferenceView]) -> RenderableType:
    """Return a table of all preferences by section; what differs from its default stands out."""
    drawn = Table.grid(padding=(0, 2))
    drawn.add_column(no_wrap=True)
    drawn.add_column(min_width=11)
    drawn.add_column(style="dim")
    for section, members in _by_section(rows):
        drawn.add_row(Text(f"\n{section}", style="bold"))
        for row in members:
            value = Text(row.value, style="" if row.is_default else "bold green")
            drawn.add_row(Text(f"  {row.name}"), value, Text(row.help))
    return drawn


def card(row: PreferenceView) -> RenderableType:
    """Return one preference with all that is known of it."""
    origin = ", which is the default" if row.is_default else f"; the default is {row.default}"
    return Text(f"{row.name} is {row.value}{origin}.\n{row.help}\nIt may be {row.allowed}.")


def markdown(rows: Sequence[PreferenceView]) -> str:
    """Return the page of the documentation."""
    lines = [_PAGE]
    for section, members in _by_section(rows):
        lines += [
            f"## {section}",
            "",
            "| name | default | what it does | what it may be |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {_markdown_name(row)} | {row.default} | {row.help} | {row.allowed} |" for row in members
        ]
        lines.append("")
    return "\n".join(lines)


def document(rows: Sequence[PreferenceView]) -> dict[str, dict[str, str | bool]]:
    """Return the preferences for programs."""
    return {
        row.name: {
            "value": row.value,
            "default": row.default,
            "is_default": row.is_default,
            "is_simple": row.is_simple,
            "allowed": row.allowed,
            "help": row.help,
        }
        for row in rows
    }


def _markdown_name(row: PreferenceView) -> str:
    return f"**`{row.name}`**" if row.is_simple else f"`{row.name}`"


def _by_section(rows: Sequence[PreferenceView]) -> Iterator[tuple[Section, list[PreferenceView]]]:
    for section in Section:
        if members := [row for row in rows if row.section == section.name]:
            yield section, members
