"""A pause ends at the requested time, and changes of the clock never extend it."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.errors import DurationError
from client.preferences.snooze import LONGEST, Snooze, parse_duration, snooze_end, snooze_seconds

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("15m", 900),
        ("1h", 3600),
        ("1h30m", 5400),
        ("90 min", 5400),
        ("1.5 hours", 5400),
        ("1 h 30 min 10 s", 5410),
        ("2 Days", 172_800),
        ("45s", 45),
    ],
)
def test_lengths_of_time_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)
    assert snooze_seconds(text, NOON) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "15",
        "m",
        "0m",
        "0.0000001s",
        "0.9s",
        "-1h",
        "1 week",
        "1h30",
        "367d",
        "1e9d",
        "soon",
        "9" * 400 + "d",
    ],
)
def test_what_is_no_length_of_time_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="length of time"):
        parse_duration(text)
    with pytest.raises(DurationError, match="such as 15m, 1h or 1h30m"):
        snooze_end(text, NOON)


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-03-02T23:00", "2026-03-03T06:00"),
        ("2026-03-02T09:00", "2026-03-03T06:00"),
        ("2026-03-03T01:59", "2026-03-03T06:00"),
        ("2026-03-03T02:00", "2026-03-03T06:00"),
        ("2026-03-03T02:01", "2026-03-04T06:00"),  # less than four hours are no night
        ("2026-03-28T23:00", "2026-03-29T06:00"),  # clocks are set forward
        ("2026-03-29T01:30", "2026-03-30T06:00"),  # of the four and a half hours on the wall, one is skipped
    ],
)
def test_tomorrow_begins_at_six_in_the_morning(now: str, end: str) -> None:
    local = datetime.fromisoformat(now).replace(tzinfo=BERLIN)
    assert snooze_end("Tomorrow", local, BERLIN) == datetime.fromisoformat(end).replace(tzinfo=BERLIN)


@pytest.fixture
def computer_in_berlin() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.posix
@pytest.mark.usefixtures("computer_in_berlin")
@pytest.mark.parametrize(("evening", "hours"), [("2026-03-28T22:00", 7), ("2026-10-24T22:00", 9)])
def test_tomorrow_is_reported_by_the_computers_clock_though_that_is_set_overnight(
    evening: str, hours: int
) -> None:
    now = datetime.fromisoformat(evening).astimezone()
    assert snooze_seconds("tomorrow", now) == hours * 3600


def test_it_is_over_when_its_time_has_come() -> None:
    snooze = Snooze.of(HOUR, NOON)
    assert snooze.at(NOON + HOUR - timedelta(seconds=1))
    assert snooze.at(NOON + HOUR) is None


def test_it_is_kept_in_universal_time() -> None:
    snooze = Snooze.of(HOUR, NOON.astimezone(BERLIN))
    assert snooze.until == NOON + HOUR
    assert snooze.until.tzinfo is UTC


def test_a_clock_that_is_set_back_takes_the_end_with_it() -> None:
    half_way = Snooze.of(HOUR, NOON).at(NOON + HOUR / 2)
    assert half_way
    yesterday = half_way.at(NOON - timedelta(days=1))
    assert yesterday
    assert yesterday.until == NOON - timedelta(days=1) + HOUR / 2


@given(
    st.integers(1, 10**8),
    st.lists(st.tuples(st.integers(0, 3600), st.integers(-(10**6), 10**6)), max_size=40),
)
def test_whatever_the_clock_does_what_is_left_only_shrinks(length: int, jumps: list[tuple[int, int]]) -> None:
    now = NOON
    snooze: Snooze | None = Snooze.of(timedelta(seconds=length), now)
    assert snooze
    left = snooze.until - snooze.seen
    assert left <= min(timedelta(seconds=length), LONGEST)
    for passed, jump in jumps:
        now += timedelta(seconds=passed + jump)
        snooze = snooze.at(now)
        if snooze is None:
            return
        assert snooze.until - now <= left - max(timedelta(0), timedelta(seconds=passed + jump))
        left = snooze.until - now
