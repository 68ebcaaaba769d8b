"""Draws a volunteer's contribution for a terminal: what it adds up to, and a row with a bar for each period."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from client.console.amounts import in_bytes, in_time
from client.console.stats_report import StatsReport
from client.contribution.tally import Amounts, Period

BAR_WIDTH = 10
EIGHTHS = " ▏▎▍▌▋▊▉"
_JOULES_PER_KWH = 3.6e6
_GIVEN_FOR = {
    "epochs": "epochs",
    "samples": "samples",
    "hours": "hours of computing",
    "streak": "days in a row",
    "nights": "nights",
}
"""Words for a badge, by the family of its code."""
_LABELS: dict[Period, str] = {
    Period.HOUR: "%a %H:%M",
    Period.DAY: "%a %d %b",
    Period.WEEK: "from %d %b",
    Period.MONTH: "%b %Y",
}


class Column(NamedTuple):
    title: str
    write: Callable[[Amounts], str]
    wanted: Callable[[Amounts], object] = lambda total: True
    """Test of the total that is true if there is something to show."""


def in_energy(joules: float) -> str:
    hours = joules / _JOULES_PER_KWH
    if hours < 0.1:
        return f"{hours * 1000:.1f} Wh"
    return f"{hours:.2f} kWh" if hours < 100 else f"{hours:.0f} kWh"


COLUMNS = (
    Column("samples", lambda tally: f"{tally.samples:,}"),
    Column("epochs", lambda tally: f"{tally.epochs:,}"),
    Column("computing", lambda tally: in_time(tally.compute_seconds)),
    Column("sent", lambda tally: in_bytes(tally.bytes_sent)),
    Column("received", lambda tally: in_bytes(tally.bytes_received)),
    Column("energy", lambda tally: in_energy(tally.joules), lambda total: total.joules),
)


def bar(value: float, greatest: float, width: int = BAR_WIDTH) -> str:
    """Return a bar whose length is the value's share of the greatest one.

    Any value but 0 gives a bar that can be seen.
    """
    if not value or not greatest:
        return ""
    eighths = max(1, round(value / greatest * width * 8))
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (EIGHTHS[rest] if rest else "")


def page(report: StatsReport) -> RenderableType:
    """Return the whole page, with an explanation where nothing was contributed yet."""
    to = f" to {report.run}" if report.run else ""
    if not report.spans:
        return Text(
            f"You have contributed nothing{to} yet. Your first contribution counts with the first epoch "
            "that your computer takes part in."
        )
    heading = Text(f"Your contribution{to}", style="bold")
    lines = (_total(report.total), _streak(report), *([_badges(report)] if report.badges else []))
    return Group(heading, *map(Text, lines), Text(), _table(report))


def _total(total: Amounts) -> str:
    traffic = f"sent {in_bytes(total.bytes_sent)}, received {in_bytes(total.bytes_received)}"
    energy = f", {in_energy(total.joules)} of the GPU" if total.joules else ""
    return (
        f"{total.samples:,} samples in {total.epochs:,} epochs,"
        f" {in_time(total.compute_seconds)} of computing\n{traffic}{energy}"
    )


def _streak(report: StatsReport) -> str:
    def days(count: int) -> str:
        return "1 day" if count == 1 else f"{count} days"

    if not report.streak.current:
        return f"Your longest streak was {days(report.streak.longest)}."
    return f"{days(report.streak.current)} in a row; your longest streak is {days(report.streak.longest)}."


def _badges(report: StatsReport) -> str:
    """Return the highest badge of each kind, which implies those below it."""
    highest = dict(badge.code.rsplit("_", 1) for badge in report.badges)
    return f"Badges: {', '.join(_earned(_GIVEN_FOR[family], int(goal)) for family, goal in highest.items())}."


def _earned(what: str, goal: int) -> str:
    return f"1 {what.removesuffix('s')}" if goal == 1 else f"{goal:,} {what}"


def _table(report: StatsReport) -> Table:
    columns = [column for column in COLUMNS if column.wanted(report.total)]
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column(report.by, no_wrap=True)
    table.add_column("", width=BAR_WIDTH, no_wrap=True, style="green")
    for column in columns:
        table.add_column(column.title, justify="right", no_wrap=True)
    greatest = max(span.tally.samples for span in report.spans)
    for span in report.spans:
        cells = [column.write(span.tally) for column in columns] if span.tally != Amounts() else ["–"]
        table.add_row(_label(report.by, span.start), bar(span.tally.samples, greatest), *cells)
    return table


def _label(by: Period, start: datetime) -> str:
    return f"{start:{_LABELS[by]}}"
