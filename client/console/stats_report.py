"""What `idlebrush stats` shows, read from the contribution's database, whether or not a daemon writes to it."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from client.api.errors import StatsError
from client.api.history import BadgeView
from client.contribution.badges import badges
from client.contribution.database import Database
from client.contribution.history import Hours, given_in
from client.contribution.reading import ask
from client.contribution.tally import Calendar, Period, Span, Streak, Tally, in_spans, streak

SCHEMA = 1
"""Of `Report.as_json`: raised when a field changes its meaning or goes."""
SPANS = {Period.HOUR: 24, Period.DAY: 14, Period.WEEK: 12, Period.MONTH: 12}
"""How far back each looks."""


@dataclass(frozen=True)
class Report:
    run: str | None
    """The name of the one that it is of; None: all together."""
    by: Period
    total: Tally = field(default_factory=Tally)
    """Since the beginning."""
    streak: Streak = field(default_factory=Streak)
    spans: tuple[Span, ...] = ()
    """The latest, the current one last, those without anything included; none where nothing was ever counted."""
    badges: tuple[BadgeView, ...] = ()
    """Those that were earned."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "run": self.run,
            "by": str(self.by),
            "total": asdict(self.total),
            "streak_days": asdict(self.streak),
            "badges": {badge.code: badge.reached.isoformat() for badge in self.badges if badge.reached},
            "periods": [{"start": span.start.isoformat()} | asdict(span.tally) for span in self.spans],
        }


def read_report(path: Path, run: str | None, by: Period, now: datetime, calendar: Calendar) -> Report:
    """A database that is not there is an empty one; StatsError if it cannot be read, or the run is not in it."""
    nothing: tuple[str | None, Hours] = run, ()
    name, hours = ask(path, lambda database: _hours(database, run), nothing)
    if not hours:
        return Report(name, by)
    given, today = given_in(hours, calendar), calendar.local(int(now.timestamp())).date()
    return Report(
        name,
        by,
        sum((tally for _, tally in hours), Tally()),
        streak(given.trained, today),
        in_spans(hours, by, SPANS[by], now, calendar),
        tuple(badge for badge in badges(given, today) if badge.reached),
    )


def _hours(database: Database, run: str | None) -> tuple[str | None, Hours]:
    """Of all runs of that name, or of the one whose digest begins so."""
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
