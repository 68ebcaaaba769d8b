"""A volunteer's contribution over time, out of what was counted each hour: rows by period, streaks and badges."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time

from client.api.history import (
    MOST_RUNS,
    ContributionHistory,
    ContributionRow,
    EpochPoint,
    Period,
    RunContribution,
)
from client.contribution.badges import MORNING, ContributedDays, badges
from client.contribution.tally import Amounts, Calendar, first_day, streak

HourlyAmounts = Sequence[tuple[int, Amounts]]
"""Amounts by hour, with the second at which each hour began."""


def history_of(
    hours: HourlyAmounts, by: Period, periods: int, now: datetime, calendar: Calendar
) -> ContributionHistory:
    """Return the newest ``periods`` in which something was contributed, and what all hours add up to."""
    local = [(_wall_clock(calendar, second), tally) for second, tally in hours if tally != Amounts()]
    today = _wall_clock(calendar, int(now.timestamp()))
    rows = _by_period(local, by)
    given = given_in(hours, calendar)
    streaks = streak(given.trained, today.date())
    beginning = min(rows, default=_start(by, today))
    return ContributionHistory(
        by=by,
        rows=tuple(_row(start, rows[start]) for start in sorted(rows)[-periods:]),
        total=_row(beginning, sum(rows.values(), Amounts())),
        streak_days=streaks.current,
        longest_streak_days=streaks.longest,
        badges=badges(given, today.date()),
    )


def by_run(totals: Mapping[str, tuple[str, Amounts]]) -> tuple[RunContribution, ...]:
    """Return the contribution to each run, the largest first, without runs that were never trained.

    Args:
        totals: Name of each run and all that was contributed to it, by the digest of its training part.
    """
    found = [
        RunContribution(
            digest=digest,
            name=name,
            samples=tally.samples,
            epochs=tally.epochs,
            compute_seconds=tally.compute_seconds,
        )
        for digest, (name, tally) in totals.items()
        if tally.samples or tally.compute_seconds
    ]
    return tuple(sorted(found, key=lambda run: (run.samples, run.compute_seconds), reverse=True)[:MOST_RUNS])


def given_in(hours: HourlyAmounts, calendar: Calendar) -> ContributedDays:
    """Return the contribution by the days and nights of the volunteer's calendar."""
    local = [(_wall_clock(calendar, second), tally) for second, tally in hours]
    days: dict[date, Amounts] = {
        start.date(): tally for start, tally in _by_period(local, Period.DAY).items()
    }
    return ContributedDays(
        days, {moment.date() for moment, tally in local if tally.samples and moment.hour < MORNING}
    )


def _by_period(local: Iterable[tuple[datetime, Amounts]], by: Period) -> dict[datetime, Amounts]:
    """Return amounts by the start of their period; the hour that comes twice when clocks are set back is one."""
    found: dict[datetime, Amounts] = {}
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


def _row(start: datetime, tally: Amounts) -> ContributionRow:
    return ContributionRow(
        start=start,
        samples=tally.samples,
        epochs=tally.epochs,
        compute_seconds=tally.compute_seconds,
        joules=tally.joules,
        cpu_joules=tally.cpu_joules,
        cost=tally.cost,
        carbon_grams=tally.carbon_grams,
        bytes_sent=tally.bytes_sent,
        bytes_received=tally.bytes_received,
    )


def merged(reported: Sequence[EpochPoint], own: Sequence[EpochPoint]) -> list[EpochPoint]:
    """Return the run's epochs as its coordinator reports them, with this volunteer's samples.

    Later epochs that were seen here follow.
    """
    if not reported:
        return list(own)
    here = {point.epoch: point for point in own}
    newest = reported[-1].epoch
    return [_with_own(point, here.get(point.epoch)) for point in reported] + [
        point for point in own if point.epoch > newest
    ]


def thinned(points: Sequence[EpochPoint], most: int) -> tuple[EpochPoint, ...]:
    """Return at most ``most`` points: first, last, and the lowest and highest loss of equal parts between them."""
    if len(points) <= most:
        return tuple(points)
    between, parts = points[1:-1], (most - 2) // 2
    kept = {points[0].epoch: points[0], points[-1].epoch: points[-1]}
    for part in range(parts):
        piece = between[part * len(between) // parts : (part + 1) * len(between) // parts]
        for point in (min(piece, key=_loss), max(piece, key=_loss)):
            kept[point.epoch] = point
    return tuple(kept[epoch] for epoch in sorted(kept))


def _with_own(point: EpochPoint, own: EpochPoint | None) -> EpochPoint:
    return point.model_copy(update={"own_samples": own.own_samples}) if own else point


def _loss(point: EpochPoint) -> float:
    return point.loss
