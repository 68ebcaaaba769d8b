"""A failure that repeats is warned of once, and its end is told."""

import logging

import pytest

from core.failure_series import FailureSeries
from tests.moved_clock import MovedClock


def test_the_first_of_a_series_is_a_warning_and_its_end_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    clock = MovedClock(100.0)
    series = FailureSeries(logging.getLogger("core"), "Looking for peers", clock)
    series.succeeded()
    series.failed(TimeoutError())
    clock.now += 7
    series.failed(ValueError("a strange answer"))
    series.succeeded()
    series.succeeded()
    series.failed("no peer is left")
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, "Looking for peers failed (TimeoutError), and is tried again."),
        (logging.DEBUG, "Looking for peers failed for the 2. time in a row (ValueError: a strange answer)."),
        (logging.INFO, "Looking for peers succeeded at attempt 3, after 7 s."),
        (logging.WARNING, "Looking for peers failed (no peer is left), and is tried again."),
    ]
