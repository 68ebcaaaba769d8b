"""Amounts as people read them, here and elsewhere."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from PySide6.QtCore import QLocale

from gui.wording import amounts

NOW = datetime(2026, 3, 4, 14, 30, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (amounts.count, 0, "0"),
        (amounts.count, 1_234_567, "1,234,567"),
        (amounts.count, 5_000_000_000, "5,000,000,000"),
        (amounts.decimal, 3.14159, "3.1"),
        (amounts.decimal, 1234, "1,234.0"),
        (amounts.percent, 0.456, "46%"),
        (amounts.percent, 1.0, "100%"),
        (amounts.data_size, 0, "0 bytes"),
        (amounts.data_size, 999, "999 bytes"),
        (amounts.data_size, 1_234_567, "1.2 MB"),
        (amounts.data_size, 2e12, "2.0 TB"),
        (amounts.data_size, -1, "0 bytes"),
        (amounts.duration, 0, "0 s"),
        (amounts.duration, 59.4, "59 s"),
        (amounts.duration, 59.6, "1 min"),
        (amounts.duration, 200, "3 min 20 s"),
        (amounts.duration, 725, "12 min"),
        (amounts.duration, 3600, "1 h"),
        (amounts.duration, 8100, "2 h 15 min"),
        (amounts.duration, 86_400, "1 d"),
        (amounts.duration, 1_000_000, "11 d 13 h"),
        (amounts.energy, 0, "0.0 Wh"),
        (amounts.energy, 3600 * 25, "25 Wh"),
        (amounts.energy, 3.6e6 * 12.34, "12.3 kWh"),
        (amounts.energy, 3.6e6 * 1234, "1,234 kWh"),
        (amounts.day, date(2026, 3, 1), "1 Mar 2026"),
        (amounts.short_day, date(2026, 12, 24), "24 Dec"),
        (amounts.clock, datetime(2026, 3, 1, 9, 5), "09:05"),
        (amounts.unit, "MB/s", "MB/s"),
        (amounts.unit, "parsec", "parsec"),
    ],
)
def test_amounts_are_short_and_exact_enough(write: Callable[[object], str], value: object, text: str) -> None:
    assert write(value) == text


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (NOW, "14:30"),
        (datetime(2026, 3, 4, 22, 59, tzinfo=UTC), "23:59"),
        (datetime(2026, 3, 4, 23, 30, tzinfo=UTC), "Thursday, 00:30"),
        (NOW - timedelta(days=6), "Thursday, 14:30"),
        (NOW - timedelta(days=7), "25 Feb 2026, 14:30"),
        (NOW + timedelta(days=300), "29 Dec 2026, 14:30"),
    ],
)
def test_a_moment_is_as_long_as_it_is_far(at: datetime, text: str) -> None:
    assert amounts.moment(at, NOW) == text


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("de_DE", ("12.345", "0,5", "1,5 GB")),
        ("fr_FR", ("12 345", "0,5", "1,5 Go")),
        ("ru_RU", ("12 345", "0,5", "1,5 ГБ")),
        ("zh_CN", ("12,345", "0.5", "1.5 GB")),
    ],
)
def test_the_locale_writes_the_numbers(locale: str, written: tuple[str, ...]) -> None:
    QLocale.setDefault(QLocale(locale))
    found = (amounts.count(12_345), amounts.decimal(0.5), amounts.data_size(1.5e9))
    assert tuple(text.replace("\u00a0", " ").replace("\u202f", " ") for text in found) == written
