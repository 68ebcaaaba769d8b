"""The weekly schedule, through nights, weekends, and hours that clocks skip or repeat."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.preferences.schedule import Schedule, Span

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # half an hour of daylight saving time
MONDAY = datetime(2026, 3, 2, tzinfo=BERLIN)

days = st.sets(st.integers(0, 6), min_size=1).map(lambda found: tuple(sorted(found)))
times = st.tuples(st.integers(0, 1439), st.integers(0, 1440)).filter(lambda pair: pair[0] != pair[1])
spans = st.builds(lambda on, time: Span(on, *time), days, times)
schedules = st.builds(Schedule, st.lists(spans, max_size=4).map(tuple))
moments = st.sampled_from((BERLIN, NEW_YORK, LORD_HOWE, UTC)).flatmap(
    lambda zone: st.integers(0, 366 * 24 * 60).map(
        lambda minute: (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)).astimezone(zone)
    )
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("always", "always"),
        ("mon-fri 18:00-08:00, sat-sun", "mon-fri 18:00-08:00, sat-sun"),
        ("Monday - Friday 18-8", "mon-fri 18:00-08:00"),
        ("22:30-6", "daily 22:30-06:00"),
        ("mon wed fri 8:30-12", "mon wed fri 08:30-12:00"),
        ("fri-mon", "mon fri-sun"),
        ("weekdays 0-6,weekends", "mon-fri 00:00-06:00, sat-sun"),
        ("sat 18:00-24:00", "sat 18:00-24:00"),
        ("daily", "daily"),
    ],
)
def test_a_schedule_is_read_as_people_write_it(text: str, written: str) -> None:
    assert str(Schedule.parse(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "never",
        "mon-",
        "mo",
        "funday",
        "8:00",
        "8-25",
        "8:60-9:00",
        "24-6",
        "8-8",
        "mon,,tue",
        "mon 8-9 tue",
        ", ".join(["mon 8-9"] * 65),
    ],
)
def test_what_is_no_schedule_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Schedule.parse(text)


@pytest.mark.parametrize(
    ("text", "day", "clock", "allowed"),
    [
        ("mon-fri 18:00-08:00, sat-sun", 0, "00:00", False),  # Sunday's span is over, Friday's too
        ("mon-fri 18:00-08:00, sat-sun", 0, "17:59", False),
        ("mon-fri 18:00-08:00, sat-sun", 0, "18:00", True),
        ("mon-fri 18:00-08:00, sat-sun", 1, "07:59", True),
        ("mon-fri 18:00-08:00, sat-sun", 1, "08:00", False),
        ("mon-fri 18:00-08:00, sat-sun", 5, "12:00", True),
        ("mon-fri 18:00-08:00, sat-sun", 6, "23:59", True),
        ("sun 22:00-06:00", 0, "05:59", True),
        ("sun 22:00-06:00", 6, "05:59", False),
        ("sat 18:00-24:00", 5, "23:59", True),
        ("sat 18:00-24:00", 6, "00:00", False),
        ("always", 3, "03:00", True),
    ],
)
def test_it_goes_by_the_clock_on_the_wall(text: str, day: int, clock: str, allowed: bool) -> None:
    hour, minute = map(int, clock.split(":"))
    now = (MONDAY + timedelta(days=day)).replace(hour=hour, minute=minute)
    assert Schedule.parse(text).allows(now) is allowed


@pytest.mark.parametrize(
    ("text", "now", "change"),
    [
        # In Berlin, 2026-03-29 has no time from 2:00 to 3:00, and 2026-10-25 has it twice.
        ("2:30-5:00", "2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00"),
        ("1:00-2:30", "2026-03-29T01:30+01:00", "2026-03-29T03:00+02:00"),
        ("1:00-2:30", "2026-10-25T01:30+02:00", "2026-10-25T02:30+02:00"),
        ("1:00-2:30", "2026-10-25T02:45+02:00", "2026-10-25T02:00+01:00"),
        ("1:00-2:30", "2026-10-25T02:10+01:00", "2026-10-25T02:30+01:00"),
        ("18:00-08:00", "2026-03-28T20:00+01:00", "2026-03-29T08:00+02:00"),
        ("mon 8-9", "2026-03-02T09:00+01:00", "2026-03-09T08:00+01:00"),
    ],
)
def test_the_next_change_is_right_where_clocks_change(text: str, now: str, change: str) -> None:
    found = Schedule.parse(text).next_change(datetime.fromisoformat(now).astimezone(BERLIN))
    assert found is not None
    assert found.astimezone(UTC) == datetime.fromisoformat(change)
    assert found.tzinfo is BERLIN


@pytest.mark.parametrize("text", ["always", "daily", "sat-sun, weekdays", "12:00-18:00, 18:00-12:00"])
def test_what_never_changes_says_so(text: str) -> None:
    assert Schedule.parse(text).next_change(MONDAY) is None


def test_a_zone_without_daylight_saving_time_will_do() -> None:
    now = datetime(2026, 3, 29, 1, tzinfo=timezone(timedelta(hours=1)))
    assert Schedule.parse("18:00-08:00").next_change(now) == now.replace(hour=8)


@given(schedules)
def test_what_is_written_is_read_as_the_same(schedule: Schedule) -> None:
    again = Schedule.parse(str(schedule))
    assert str(again) == str(schedule)
    week = [MONDAY + timedelta(minutes=7 * minute) for minute in range(7 * 24 * 60 // 7)]
    assert all(again.allows(now) == schedule.allows(now) for now in week)


@settings(max_examples=150)
@given(schedules, moments)
def test_nothing_changes_before_the_next_change(schedule: Schedule, now: datetime) -> None:
    """Compared with looking at every fifth minute, and at the minutes around the change."""
    change = schedule.next_change(now)
    start = now.astimezone(UTC)
    end = change.astimezone(UTC) if change else start + timedelta(days=8)
    steps = int((end - start) / timedelta(minutes=5)) + 1
    before = [start + timedelta(minutes=5 * step) for step in range(steps)]
    before.append(end - timedelta(minutes=1))
    looked_at = (moment for moment in before if start <= moment < end)
    assert all(schedule.allows(moment.astimezone(now.tzinfo)) == schedule.allows(now) for moment in looked_at)
    if change:
        assert change > now
        assert schedule.allows(change) != schedule.allows(now)
