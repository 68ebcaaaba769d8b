"""Reads the report of `idlebrush stats` from the contribution's database, also while a daemon writes to it."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from client.api.board import Board, BoardQuery, BoardRow, TeamBoard, TeamQuery
from client.api.errors import StatsError
from client.api.history import BadgeView, RunContribution
from client.console.amounts import in_time
from client.contribution.badges import badges
from client.contribution.database import ContributionDatabase, ask
from client.contribution.history import HourlyAmounts, by_run, given_in
from client.contribution.tally import (
    Amounts,
    Calendar,
    Period,
    PeriodTally,
    Streak,
    in_spans,
    streak,
)
from core.contribution.year import YearCalendar, year_of

SCHEMA = 1
"""Version of `StatsReport.as_json`, raised when a field changes its meaning or goes."""
SPANS = {Period.HOUR: 24, Period.DAY: 14, Period.WEEK: 12, Period.MONTH: 12}
"""Number of newest periods that each length shows."""


@dataclass(frozen=True)
class StatsReport:
    run: str | None
    """The name of the one that it is of; None: all together."""
    by: Period
    total: Amounts = field(default_factory=Amounts)
    """Contribution since the beginning."""
    streak: Streak = field(default_factory=Streak)
    spans: tuple[PeriodTally, ...] = ()
    """Latest periods, the current one last, also those without a contribution; empty if nothing was ever counted."""
    badges: tuple[BadgeView, ...] = ()
    """Badges that were earned."""
    currency: str = ""
    """Currency of costs as the volunteer writes it; empty: none was given."""
    runs: tuple[RunContribution, ...] = ()
    """Contribution to each run; empty where the report is of one run."""
    calendar: YearCalendar | None = None
    """The last 12 months, day by day by samples; None if nothing was ever counted."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "run": self.run,
            "by": str(self.by),
            "currency": self.currency,
            "total": asdict(self.total),
            "streak_days": asdict(self.streak),
            "badges": {badge.code: badge.reached.isoformat() for badge in self.badges if badge.reached},
            "runs": [run.model_dump(mode="json") for run in self.runs],
            "periods": [{"start": span.start.isoformat()} | asdict(span.tally) for span in self.spans],
        }

    def calendar_as_json(self) -> dict[str, Any]:
        """Return the days of the calendar that have samples, oldest first, for programs."""
        days = self.calendar.days if self.calendar else ()
        active = [
            {"day": day.day.isoformat(), "samples": day.amount, "level": day.level}
            for day in days
            if day.level
        ]
        return {"schema": SCHEMA, "run": self.run, "days": active}


def read_report(path: Path, run: str | None, by: Period, now: datetime, calendar: Calendar) -> StatsReport:
    """Read the contribution to ``run``, or to all runs; a database that does not exist counts as empty.

    Raise StatsError if it cannot be read, or if the run is not in it.
    """
    nothing: tuple[str | None, HourlyAmounts] = run, ()
    name, hours = ask(path, lambda database: _hours(database, run), nothing)
    if not hours:
        return StatsReport(name, by)
    given, today = given_in(hours, calendar), calendar.local(int(now.timestamp())).date()
    return StatsReport(
        name,
        by,
        sum((tally for _, tally in hours), Amounts()),
        streak(given.trained, today),
        in_spans(hours, by, SPANS[by], now, calendar),
        tuple(badge for badge in badges(given, today) if badge.reached),
        runs=ask(path, lambda database: by_run(database.totals()), ()) if run is None else (),
        calendar=year_of({day: tally.samples for day, tally in given.days.items()}, today),
    )


def _hours(database: ContributionDatabase, run: str | None) -> tuple[str | None, HourlyAmounts]:
    """Return the name and the hours of all runs with that name, or of the one whose digest begins with it."""
    if run is None:
        return None, database.hours()
    runs = database.runs()
    found = [
        digest for digest, name in runs.items() if run == name or (len(run) > 7 and digest.startswith(run))
    ]
    if not found:
        known = ", ".join(sorted(set(runs.values()))) or "none yet"
        raise StatsError(f"You have contributed nothing to a run named {run!r}.", f"Known runs: {known}.")
    return runs[found[0]], [row for digest in found for row in database.hours(digest)]


_OWN = "bold cyan"


def board_table(board: Board, query: BoardQuery) -> RenderableType:
    """Return the leaderboard as a table, or a sentence where it is empty."""
    if not board.rows and query.around is not None:
        return Text(f"{query.around} is not on the leaderboard, or the name is hidden.")
    if not board.rows:
        return Text(
            "The leaderboard is empty. It starts with the first epoch that a volunteer takes part in."
        )
    return Group(_table(board, query), Text(), Text(_own(board)))


def _table(board: Board, query: BoardQuery) -> Table:
    samples, time = ("samples ▾", "computing") if query.by == "samples" else ("samples", "computing ▾")
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("last 7 days" if query.since == "week" else "volunteer", overflow="fold")
    table.add_column(samples, justify="right", no_wrap=True)
    table.add_column(time, justify="right", no_wrap=True)
    for row in board.rows:
        is_own = board.own is not None and (row.rank, row.name) == (board.own.rank, board.own.name)
        table.add_row(*map(Text, _cells(row)), style=_OWN if is_own else "")
    return table


def _cells(row: BoardRow) -> tuple[str, str, str, str]:
    return f"{row.rank:,}", row.name, f"{row.samples:,}", in_time(row.compute_seconds)


def _own(board: Board) -> str:
    of = f"{board.total:,} {'volunteer' if board.total == 1 else 'volunteers'}"
    if board.own is None:
        return f"{of}. You are not on the leaderboard yet."
    hidden = " Your name is hidden from others." if board.own.hidden else ""
    return f"You have rank {board.own.rank:,} of {of}, with {board.own.samples:,} samples.{hidden}"


def team_table(board: TeamBoard, query: TeamQuery) -> RenderableType:
    """Return the leaderboard of teams as a table, or a sentence where it is empty."""
    if not board.rows and query.around is not None:
        return Text(f"No team is named {query.around}.")
    if not board.rows:
        return Text("There are no teams yet. `idlebrush team found NAME` founds one.")
    samples, week = ("samples ▾", "last 7 days") if query.since == "all" else ("samples", "last 7 days ▾")
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("team", overflow="fold")
    for title in (samples, week, "members"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in board.rows:
        cells = f"{row.rank:,}", row.name, f"{row.samples:,}", f"{row.week:,}", f"{row.members:,}"
        is_own = board.own is not None and row.number == board.own.number
        table.add_row(*map(Text, cells), style=_OWN if is_own else "")
    return Group(table, Text(), Text(_own_team(board)))


def _own_team(board: TeamBoard) -> str:
    of = f"{board.total:,} {'team' if board.total == 1 else 'teams'}"
    if board.own is None:
        return f"{of}. You are in none of them, or the run does not know you."
    leads = " You lead it." if board.leads else ""
    return f"Your team, {board.own.name}, has rank {board.own.rank:,} of {of}.{leads}"
