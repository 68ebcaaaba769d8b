"""The content of the page My contribution, as a pure function of the history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from client.api.history import ContributionHistory, ContributionRow, Period, YearCalendar
from gui.wording import amounts

translate = QCoreApplication.translate

_JOULES_PER_WATT_HOUR = 3600
_SECONDS_PER_HOUR = 3600
_SHORTEST_ALL = 12
"""Least number of months on the chart of all time."""


class Range(Enum):
    """A time range of the page: the period of one bar, and the number of periods."""

    DAYS = (Period.DAY, 30)
    WEEKS = (Period.WEEK, 26)
    ALL = (Period.MONTH, 2_000)

    @property
    def by(self) -> Period:
        return self.value[0]

    @property
    def periods(self) -> int:
        return self.value[1]


class ContributionMeasure(Enum):
    """The measure that the bars show."""

    SAMPLES = "samples"
    TIME = "time"
    ENERGY = "energy"


@dataclass(frozen=True)
class ChartColumn:
    """One bar of the chart."""

    label: str
    value: float
    amount: str
    """The value in words."""
    period: str
    """The full name of the period."""


@dataclass(frozen=True)
class Amount:
    """A figure with its label."""

    value: str
    label: str


@dataclass(frozen=True)
class ContributionPageView:
    caption: str
    """The time range in words."""
    amounts: tuple[Amount, ...]
    columns: tuple[ChartColumn, ...]
    unit: str
    """Unit of the columns."""
    has_streak: bool
    streak: str
    """Days in the current streak, in words."""
    longest: str
    """The longest streak in a sentence."""


def contribution_view(
    history: ContributionHistory, shown: Range, measure: ContributionMeasure, today: date
) -> ContributionPageView:
    """Return the content for a history by the periods of ``shown``; rows outside the range are ignored."""
    starts = _starts(history.rows, shown, today)
    rows = {row.start.date(): row for row in history.rows}
    within = [rows[start] for start in starts if start in rows]
    return ContributionPageView(
        caption=_caption(shown),
        amounts=_amounts([history.total] if shown is Range.ALL else within, history.currency),
        columns=tuple(_column(start, rows.get(start), shown, measure) for start in starts),
        unit=measure_name(measure),
        has_streak=history.streak_days > 0,
        streak=translate("ContributionView", "%Ln day(s)", "", history.streak_days),
        longest=_longest(history.longest_streak_days),
    )


def measure_name(measure: ContributionMeasure) -> str:
    return {
        ContributionMeasure.SAMPLES: translate("ContributionView", "Samples"),
        ContributionMeasure.TIME: translate("ContributionView", "Hours"),
        ContributionMeasure.ENERGY: translate("ContributionView", "Watt-hours"),
    }[measure]


def days_of(history: ContributionHistory, measure: ContributionMeasure) -> dict[date, float]:
    """Return the contribution of each day by a measure, from a history by days."""
    return {row.start.date(): _measured(row, measure) for row in history.rows}


def day_words(row: ContributionRow | None) -> str:
    """Return the contribution of a day in words."""
    if row is None:
        return translate("ContributionView", "Nothing")
    #: Samples and computing time of one day, such as "1,204 samples, 2 h 15 min".
    text = translate("ContributionView", "{samples}, {time}")
    return text.format(
        samples=_written(row, ContributionMeasure.SAMPLES), time=_written(row, ContributionMeasure.TIME)
    )


def calendar_summary(calendar: YearCalendar) -> str:
    """Return a sentence about a calendar."""
    return translate("ContributionView", "%Ln day(s) with a contribution.", "", calendar.active_days)


def first_of(by: Period, day: date) -> date:
    """Return the first day of the period that contains ``day``."""
    if by is Period.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if by is Period.WEEK else day


def _starts(rows: Sequence[ContributionRow], shown: Range, today: date) -> list[date]:
    """Return the first days of all periods on the chart, including periods without a contribution."""
    oldest = min((row.start.date() for row in rows), default=today)
    starts = [first_of(shown.by, today)]
    while _wants_another(starts, shown, oldest):
        starts.append(first_of(shown.by, starts[-1] - timedelta(days=1)))
    return starts[::-1]


def _wants_another(starts: list[date], shown: Range, oldest: date) -> bool:
    if shown is not Range.ALL:
        return len(starts) < shown.periods
    return len(starts) < _SHORTEST_ALL or (starts[-1] > oldest and len(starts) < shown.periods)


def _column(
    start: date, row: ContributionRow | None, shown: Range, measure: ContributionMeasure
) -> ChartColumn:
    return ChartColumn(
        label=_label(start, shown),
        value=_measured(row, measure) if row else 0.0,
        amount=_written(row, measure),
        period=_long_label(start, shown),
    )


def _measured(row: ContributionRow, measure: ContributionMeasure) -> float:
    match measure:
        case ContributionMeasure.SAMPLES:
            return float(row.samples)
        case ContributionMeasure.TIME:
            return row.compute_seconds / _SECONDS_PER_HOUR
        case ContributionMeasure.ENERGY:
            return row.energy / _JOULES_PER_WATT_HOUR


def _written(row: ContributionRow | None, measure: ContributionMeasure) -> str:
    if row is None:
        return translate("ContributionView", "Nothing")
    match measure:
        case ContributionMeasure.SAMPLES:
            return translate("ContributionView", "%Ln sample(s)", "", row.samples)
        case ContributionMeasure.TIME:
            return amounts.duration(row.compute_seconds)
        case ContributionMeasure.ENERGY:
            return amounts.energy(row.energy)


def _label(start: date, shown: Range) -> str:
    return _month(start) if shown is Range.ALL else amounts.short_day(start)


def _long_label(start: date, shown: Range) -> str:
    match shown:
        case Range.DAYS:
            return amounts.day(start)
        case Range.WEEKS:
            return translate("ContributionView", "Week of {day}").format(day=amounts.day(start))
        case Range.ALL:
            return _month(start)


def _month(start: date) -> str:
    #: A month with its year, such as "Mar 2026": MMM, short name of the month; yyyy, year.
    return QLocale().toString(QDate(start.year, start.month, 1), translate("ContributionView", "MMM yyyy"))


def _caption(shown: Range) -> str:
    return {
        Range.DAYS: translate("ContributionView", "In the last 30 days"),
        Range.WEEKS: translate("ContributionView", "In the last 26 weeks"),
        Range.ALL: translate("ContributionView", "Since you started"),
    }[shown]


def _amounts(rows: Iterable[ContributionRow], currency: str) -> tuple[Amount, ...]:
    counted = list(rows)
    joules = sum(row.energy for row in counted)
    return (
        Amount(amounts.count(sum(row.samples for row in counted)), translate("ContributionView", "Samples")),
        Amount(
            amounts.duration(sum(row.compute_seconds for row in counted)),
            translate("ContributionView", "Computing time"),
        ),
        Amount(
            amounts.energy(joules) if joules else translate("ContributionView", "Not known"),
            translate("ContributionView", "Energy"),
        ),
        Amount(amounts.count(sum(row.epochs for row in counted)), translate("ContributionView", "Epochs")),
        Amount(
            amounts.data_size(sum(row.bytes_sent for row in counted)), translate("ContributionView", "Sent")
        ),
        Amount(
            amounts.data_size(sum(row.bytes_received for row in counted)),
            translate("ContributionView", "Received"),
        ),
        *_consequences(counted, currency),
    )


def _consequences(rows: Sequence[ContributionRow], currency: str) -> tuple[Amount, ...]:
    """Return cost and CO2 of the energy, each only if there is any."""
    cost, grams = sum(row.cost for row in rows), sum(row.carbon_grams for row in rows)
    costs = Amount(amounts.money(cost, currency), translate("ContributionView", "Cost of the energy"))
    carbon = Amount(amounts.mass(grams), translate("ContributionView", "CO2 of the energy"))
    return (*((costs,) if cost else ()), *((carbon,) if grams else ()))


def _longest(days: int) -> str:
    if days == 0:
        return translate("ContributionView", "Contribute on two consecutive days to start a streak.")
    return translate("ContributionView", "Your longest streak: %Ln day(s)", "", days)
