"""A table shows the texts of the page My contribution for different histories."""

from datetime import date, datetime

import pytest

from client.api.history import ContributionHistory, ContributionRow, Period
from gui.contribution.view import ContributionMeasure, Range, contribution_view, first_of

TODAY = date(2026, 3, 4)  # a Wednesday
pytestmark = pytest.mark.usefixtures("qapp")


def row(start: date, samples: int = 10, joules: float = 7_200.0) -> ContributionRow:
    return ContributionRow(
        start=datetime(start.year, start.month, start.day),
        samples=samples,
        epochs=2,
        compute_seconds=3_600.0,
        joules=joules,
        bytes_sent=1_000,
        bytes_received=2_000,
    )


def history(by: Period, *rows: ContributionRow) -> ContributionHistory:
    total = row(TODAY, samples=999)
    return ContributionHistory(by=by, rows=rows, total=total, streak_days=3, longest_streak_days=12)


@pytest.mark.parametrize(
    ("by", "day", "first"),
    [
        (Period.DAY, date(2026, 3, 4), date(2026, 3, 4)),
        (Period.WEEK, date(2026, 3, 4), date(2026, 3, 2)),
        (Period.WEEK, date(2026, 1, 1), date(2025, 12, 29)),
        (Period.MONTH, date(2026, 3, 31), date(2026, 3, 1)),
    ],
)
def test_periods_begin_as_the_client_counts_them(by: Period, day: date, first: date) -> None:
    assert first_of(by, day) == first


def test_days_without_anything_have_a_column_too() -> None:
    view = contribution_view(
        history(Period.DAY, row(date(2026, 3, 1), 5), row(TODAY, 7)),
        Range.DAYS,
        ContributionMeasure.SAMPLES,
        TODAY,
    )
    assert len(view.columns) == 30
    assert [column.value for column in view.columns[-4:]] == [5, 0, 0, 7]
    assert (view.columns[-2].amount, view.columns[-1].label) == ("Nothing", "4 Mar")


def test_the_amounts_are_of_the_time_that_is_shown() -> None:
    rows = (row(date(2025, 12, 24), 1_000), row(date(2026, 3, 1), 5), row(TODAY, 7))
    days = contribution_view(history(Period.DAY, *rows), Range.DAYS, ContributionMeasure.SAMPLES, TODAY)
    assert {amount.label: amount.value for amount in days.amounts}["Samples"] == "12"


def test_all_time_has_the_total_and_at_least_a_year_of_months() -> None:
    view = contribution_view(
        history(Period.MONTH, row(date(2026, 3, 1))), Range.ALL, ContributionMeasure.SAMPLES, TODAY
    )
    assert {amount.label: amount.value for amount in view.amounts}["Samples"] == "999"
    assert len(view.columns) == 12
    long = contribution_view(
        history(Period.MONTH, row(date(2024, 3, 1)), row(date(2026, 3, 1))),
        Range.ALL,
        ContributionMeasure.SAMPLES,
        TODAY,
    )
    assert len(long.columns) == 25


@pytest.mark.parametrize(
    ("measure", "value"),
    [(ContributionMeasure.SAMPLES, 10.0), (ContributionMeasure.TIME, 1.0), (ContributionMeasure.ENERGY, 2.0)],
)
def test_columns_are_of_the_measure_that_was_chosen(measure: ContributionMeasure, value: float) -> None:
    view = contribution_view(history(Period.WEEK, row(date(2026, 3, 2))), Range.WEEKS, measure, TODAY)
    assert view.columns[-1].value == value
    assert len(view.columns) == 26
    assert sum(column.value for column in view.columns) == value


def test_energy_that_nobody_measured_is_not_shown_as_none_used() -> None:
    view = contribution_view(
        history(Period.DAY, row(TODAY, joules=0.0)), Range.DAYS, ContributionMeasure.SAMPLES, TODAY
    )
    assert {amount.label: amount.value for amount in view.amounts}["Energy"] == "Not known"


def test_cost_and_carbon_are_shown_only_if_they_are_known() -> None:
    priced = row(TODAY, joules=3.6e6).model_copy(
        update={"cpu_joules": 1.8e6, "cost": 0.45, "carbon_grams": 1_234.0}
    )
    known = history(Period.DAY, priced).model_copy(update={"currency": "EUR"})
    view = contribution_view(known, Range.DAYS, ContributionMeasure.ENERGY, TODAY)
    figures = {amount.label: amount.value for amount in view.amounts}
    assert figures["Energy"] == "1.5 kWh"
    assert figures["Cost of the energy"] == "0.45 EUR"
    assert figures["CO2 of the energy"] == "1.2 kg"
    assert view.columns[-1].value == 1_500
    unknown = contribution_view(
        history(Period.DAY, row(TODAY)), Range.DAYS, ContributionMeasure.ENERGY, TODAY
    )
    assert len(unknown.amounts) == len(view.amounts) - 2


def test_streaks_are_reported_in_days() -> None:
    view = contribution_view(history(Period.DAY), Range.DAYS, ContributionMeasure.SAMPLES, TODAY)
    assert view.streak.startswith("3 day")
    assert "12" in view.longest
    never = history(Period.DAY).model_copy(update={"streak_days": 0, "longest_streak_days": 0})
    assert "start" in contribution_view(never, Range.DAYS, ContributionMeasure.SAMPLES, TODAY).longest
