"""Draws a volunteer's contribution for a terminal: sums, a row with a bar for each period, a calendar of a year."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from client.api.history import RunContribution
from client.console.amounts import in_bytes, in_time
from client.console.stats_report import StatsReport
from client.contribution.tally import Amounts, Period
from core.contribution.year import YearCalendar

BAR_WIDTH = 10
EIGHTHS = " ▏▎▍▌▋▊▉"
INTENSITIES = "·░▒▓█"
"""A day of the calendar by its level; no colour is needed to tell them apart."""
_WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")
_MARGIN = 4
"""Columns for the names of the weekdays."""
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


def in_mass(grams: float) -> str:
    return f"{grams:.0f} g" if grams < 1000 else f"{grams / 1000:.1f} kg"


COLUMNS = (
    Column("samples", lambda tally: f"{tally.samples:,}"),
    Column("epochs", lambda tally: f"{tally.epochs:,}"),
    Column("computing", lambda tally: in_time(tally.compute_seconds)),
    Column("sent", lambda tally: in_bytes(tally.bytes_sent)),
    Column("received", lambda tally: in_bytes(tally.bytes_received)),
    Column("energy", lambda tally: in_energy(tally.energy), lambda total: total.energy),
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
    if not report.spans:
        return _nothing(report)
    heading = Text(f"Your contribution{_to(report)}", style="bold")
    lines = (
        _total(report.total),
        *_energy(report),
        _streak(report),
        *([_badges(report)] if report.badges else []),
    )
    parts: list[RenderableType] = [heading, *map(Text, lines), Text(), _table(report)]
    if len(report.runs) > 1:
        parts += [Text(), _runs(report.runs)]
    return Group(*parts)


def _runs(runs: Sequence[RunContribution]) -> Table:
    """Return a row for each run; `idlebrush stats --run NAME` shows one of them over time."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("run", overflow="fold")
    table.add_column("", no_wrap=True, style="dim")
    for title in ("samples", "epochs", "computing"):
        table.add_column(title, justify="right", no_wrap=True)
    for run in runs:
        cells = (f"{run.samples:,}", f"{run.epochs:,}", in_time(run.compute_seconds))
        table.add_row(Text(run.name), run.digest[:8], *cells)
    return table


def calendar_page(report: StatsReport) -> RenderableType:
    """Return the calendar of the last 12 months, a column for each week and a letter for each day."""
    calendar = report.calendar
    if calendar is None:
        return _nothing(report)
    active = "1 day" if calendar.active_days == 1 else f"{calendar.active_days} days"
    heading = Text(f"Your days{_to(report)}", style="bold")
    total = f"{round(calendar.total):,} samples on {active} of the last 12 months. {_streak(report)}"
    return Group(heading, Text(total), Text(), *_weeks(calendar), Text(), _scale())


def _weeks(calendar: YearCalendar) -> list[Text]:
    """Return the lines of a calendar: the months, and one for each day of the week."""
    months = " " * _MARGIN
    for week, first in calendar.months:
        months = f"{months:<{_MARGIN + week}}{first:%b} "
    lines = [Text(months.rstrip(), style="dim")]
    for number, name in enumerate(_WEEKDAYS):
        days = [week[number] for week in calendar.weeks if number < len(week)]
        line = Text(f"{name:<{_MARGIN}}", style="dim")
        line.append("".join(INTENSITIES[day.level] for day in days), style="not dim green")
        lines.append(line)
    return lines


def _scale() -> Text:
    scale = Text(" " * _MARGIN + "less ", style="dim")
    scale.append(INTENSITIES, style="not dim green")
    scale.append(" more")
    return scale


def _nothing(report: StatsReport) -> Text:
    return Text(
        f"You have contributed nothing{_to(report)} yet. Your first contribution counts with the first epoch "
        "that your computer takes part in."
    )


def _to(report: StatsReport) -> str:
    return f" to {report.run}" if report.run else ""


def _total(total: Amounts) -> str:
    traffic = f"sent {in_bytes(total.bytes_sent)}, received {in_bytes(total.bytes_received)}"
    return (
        f"{total.samples:,} samples in {total.epochs:,} epochs,"
        f" {in_time(total.compute_seconds)} of computing\n{traffic}"
    )


def _energy(report: StatsReport) -> list[str]:
    """Return a line about measured energy with its cost and its CO2, as far as they are known."""
    total = report.total
    parts = ((total.joules, "GPU"), (total.cpu_joules, "processor"))
    measured = [f"{in_energy(joules)} of the {part}" for joules, part in parts if joules]
    if not measured:
        return []
    cost = [f"{total.cost:.2f} {report.currency}".strip()] if total.cost else []
    carbon = [f"{in_mass(total.carbon_grams)} of CO2"] if total.carbon_grams else []
    return [f"used {', '.join((*measured, *cost, *carbon))}"]


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
