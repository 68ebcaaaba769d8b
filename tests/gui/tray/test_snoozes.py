"""The pauses that the app offers."""

from datetime import datetime, timedelta

from gui.tray.snoozes import Snooze, seconds, words


def test_each_lasts_as_long_as_it_says() -> None:
    now = datetime(2026, 3, 1, 14, 30).astimezone()
    assert seconds(Snooze.QUARTER, now) == 900
    assert seconds(Snooze.HOUR, now) == 3600
    morning = now + timedelta(seconds=seconds(Snooze.TOMORROW, now))
    assert (morning.day, morning.hour, morning.minute) == (2, 6, 0)


def test_each_has_words_of_its_own() -> None:
    assert len({words(snooze) for snooze in Snooze}) == len(Snooze)
