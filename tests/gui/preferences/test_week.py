"""Schedules as weeks of minutes, and back: the same minutes, in few words."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.choices import Schedule
from gui.preferences.week import DAYS, HOURS, Week

MONDAY = datetime(2026, 3, 2)
CELLS = st.sets(st.tuples(st.integers(0, DAYS - 1), st.integers(0, HOURS - 1)), min_size=1)


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("always", "always"),
        ("daily 00:00-24:00", "always"),
        ("22:00-06:00", "daily 22:00-06:00"),
        ("mon-fri 18:00-08:00, sat-sun", "mon-thu 18:00-08:00, fri 18:00-24:00, sat-sun"),
        ("sun 22:00-06:00", "sun 22:00-06:00"),
        ("mon 8:30-12, wed 8:30-12, fri 8:30-12", "mon wed fri 08:30-12:00"),
        ("mon, tue 0:00-6:00", "mon, tue 00:00-06:00"),
        ("mon 12:00-11:00", "mon 12:00-11:00"),
        ("sat-sun, mon 0:00-6:00", "mon 00:00-06:00, sat-sun"),
    ],
)
def test_a_schedule_becomes_a_week_and_is_written_in_few_words(text: str, again: str) -> None:
    assert str(Week.of(Schedule.parse(text)).schedule()) == again


@pytest.mark.parametrize(
    "text", ["mon-fri 18:15-08:45, sat-sun", "tue 23:59-00:01", "daily 6-5", "sun 12:30-12:00"]
)
def test_a_week_allows_what_its_schedule_allows(text: str) -> None:
    schedule = Schedule.parse(text)
    week = Week.of(schedule)
    moments = [MONDAY + timedelta(minutes=minute) for minute in range(7 * 24 * 60)]
    assert [bool(minute) for minute in week.minutes] == [schedule.allows(moment) for moment in moments]
    assert Week.of(week.schedule()) == week


@given(cells=CELLS)
def test_any_painted_hours_are_written_and_read_again(cells: set[tuple[int, int]]) -> None:
    nothing = Week(bytes(7 * 24 * 60))
    week = nothing.painted(cells, allowed=True)
    assert {(day, hour) for day in range(DAYS) for hour in range(HOURS) if week.share((day, hour))} == cells
    assert Week.of(Schedule.parse(str(week.schedule()))) == week


def test_hours_that_nobody_paints_keep_their_minutes() -> None:
    week = Week.of(Schedule.parse("mon 08:30-12:00")).painted([(0, 11), (1, 0)], allowed=False)
    assert week.share((0, 8)) == 0.5
    assert str(week.schedule()) == "mon 08:30-11:00"


def test_a_week_without_any_hour_has_no_schedule() -> None:
    week = Week.of(Schedule.parse("mon 8-9")).painted([(0, 8)], allowed=False)
    assert week.is_empty
    with pytest.raises(ValueError, match="no hour"):
        week.schedule()
