"""A volunteer's contribution over time, out of what was counted each hour: rows by period, streaks and badges."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

from client.api.history import ContributionHistory, ContributionRow, Period
from client.contribution.badges import MORNING, Given, badges
from client.contribution.tally import Calendar, Tally, first_day, streak

Hours = Sequence[tuple[int, Tally]]
"""What was counted in hours, with the second at which each began."""


def history_of(
    hours: Hours, by: Period, periods: int, now: datetime, calendar: Calendar
) -> ContributionHistory:
    """The newest so many periods in which something was given, and what all hours add up to."""
    local = [(_wall_clock(calendar, second), tally) for second, tally in hours if tally != Tally()]
    today = _wall_clock(calendar, int(now.timestamp()))
    rows = _by_period(local, by)
    given = given_in(hours, calendar)
    streaks = streak(given.trained, today.date())
    beginning = min(rows, default=_start(by, today))
    return ContributionHistory(
        by=by,
        rows=tuple(_row(start, rows[start]) for start in sorted(rows)[-periods:]),
        total=_row(beginning, sum(rows.values(), Tally())),
        streak_days=streaks.current,
        longest_streak_days=streaks.longest,
        badges=badges(given, today.date()),
    )


def given_in(hours: Hours, calendar: Calendar) -> Given:
    """By the days and nights of the volunteer's calendar."""
    local = [(_wall_clock(calendar, second), tally) for second, tally in hours]
    days: dict[date, Tally] = {start.date(): tally for start, tally in _by_period(local, Period.DAY).items()}
    return Given(days, {moment.date() for moment, tally in local if tally.samples and moment.hour < MORNING})


def _by_period(local: Iterable[tuple[datetime, Tally]], by: Period) -> dict[datetime, Tally]:
    """By their beginnings; the hour that comes twice when clocks are set back is one."""
    found: dict[datetime, Tally] = {}
    for moment, tally in local:
        start = _start(by, moment)
        found[start] = found[start] + tally if start in found else tally
    return found


def _start(by: Period, moment: datetime) -> datetime:
    if by is Period.HOUR:
        return moment.replace(minute=0, second=0, microsecond=0)
    return datetime.combine(first_day(by, moment.date()), time())


def _wall_clock(calendar: Calendar, second: int) -> datetime:
    return calendar.local(second).replace(tzinfo=None, fold=0)


def _row(start: datetime, tally: Tally) -> ContributionRow:
    return ContributionRow(
        start=start,
        samples=tally.samples,
        epochs=tally.epochs,
        compute_seconds=tally.compute_seconds,
        joules=tally.joules,
        bytes_sent=tally.bytes_sent,
        bytes_received=tally.bytes_received,
    )
