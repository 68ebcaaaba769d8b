"""The drawings that readers without scripts see: curves, bars, and numbers as they are written."""

import re
from datetime import date

import pytest

from coordinator.web.charts import Scale, bars, curve, year
from coordinator.web.wording import duration, loss, rate, short, volume, whole
from core.contribution.year import year_of

_LOSS = Scale(loss)


def test_a_curve_goes_from_corner_to_corner_of_its_values() -> None:
    drawn = curve([(1, 4.0), (11, 2.0)], "Loss", "l1", _LOSS)
    assert 'points="52.0,10.0 552.0,184.0"' in drawn
    assert 'aria-label="Loss: 4.0000 at 1, 2.0000 at 11"' in drawn


@pytest.mark.parametrize("points", [[], [(1, 2.0)]])
def test_a_curve_needs_two_points(points: list[tuple[float, float]]) -> None:
    assert "<svg" not in curve(points, "Loss", "l1", _LOSS)


@pytest.mark.parametrize("value", [0.0, -3.0, 1e-9, 1e12])
def test_a_curve_that_stays_level_is_still_drawn(value: float) -> None:
    assert "polyline" in curve([(1, value), (2, value)], "Level", "l1", _LOSS)


def test_what_is_counted_has_whole_numbers_on_its_axis() -> None:
    assert _beside(curve([(1, 1.0), (2, 2.0)], "Peers", "l3", Scale(whole, counts=True))) == ["1", "2"]


def test_an_axis_may_begin_with_nothing() -> None:
    rising = curve([(1, 9.0), (2, 10.0)], "Peers", "l3", Scale(whole, counts=True, from_zero=True))
    assert _beside(rising)[0] == "0"


def test_nobody_ranks_above_the_first() -> None:
    ranks = Scale(lambda value: whole(-value), counts=True, most=-1.0)
    assert _beside(curve([(1, -1.0), (2, -1.0)], "Rank", "l5", ranks)) == ["2", "1"]


def test_a_bar_stands_for_each_day_that_has_something() -> None:
    drawn = bars([(date(2026, 1, 1), 5), (date(2026, 1, 3), 10), (date(2020, 1, 1), 7)], date(2026, 1, 4))
    assert drawn.count("<rect") == 2
    assert "3 January 2026: 10 samples" in drawn


def test_a_calendar_has_a_square_for_each_day_of_a_year_and_words_about_it() -> None:
    today = date(2026, 1, 4)  # a Sunday
    calendar = year_of({date(2026, 1, 1): 5, date(2026, 1, 3): 10}, today)
    drawn = year(calendar, 'Two "days"', lambda day: f"<{day.day}: {day.amount:.0f}>")
    assert drawn.count("<rect") == 53 * 7
    assert (
        '<rect class="v2" x="762" y="62" width="11" height="11" rx="2.5"><title>&lt;2026-01-01: 5&gt;'
        in drawn
    )
    assert drawn.count('class="v4"') == 1
    assert 'aria-label="Two &#34;days&#34;"' in drawn
    assert re.findall(r'<text x="(\d+)" y="13">(\w+)', drawn)[-1] == ("762", "Jan")


@pytest.mark.parametrize(
    ("first", "shown"),
    [
        (date(2026, 1, 3), "22 December 2025"),  # two weeks are shown of who has just begun
        (date(2025, 12, 1), "1 December 2025"),
        (date(2020, 1, 7), "7 October 2025"),  # and three months at most
    ],
)
def test_bars_begin_with_the_first_day_that_has_something(first: date, shown: str) -> None:
    assert f">{shown}</text>" in bars([(first, 5)], date(2026, 1, 4))


def _beside(drawn: str) -> list[str]:
    """Return the labels beside the axis, from the lowest to the highest."""
    return re.findall(r'dy="4" text-anchor="end">([^<]*)<', drawn)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (whole(31_250), "31,250"),
        (whole(None), "–"),
        (short(9_999), "9,999"),
        (short(12_345), "12.3\u00a0k"),
        (short(1_116_354_148), "1.12\u00a0G"),
        (volume(160_000_000), "160\u00a0MB"),
        (volume(999_600), "1\u00a0MB"),
        (volume(0), "0\u00a0B"),
        (volume(31_000_000_000), "31\u00a0GB"),
        (rate(0.456), "0.46"),
        (rate(45.67), "45.7"),
        (duration(0), "0\u00a0s"),
        (duration(59.6), "1\u00a0min"),
        (duration(3_725), "1\u00a0h 2\u00a0min"),
        (duration(90_000), "1\u00a0d 1\u00a0h"),
        (duration(86_460), "1\u00a0d"),
    ],
)
def test_numbers_are_written_for_people(written: str, expected: str) -> None:
    assert written == expected
