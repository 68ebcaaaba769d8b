"""Attempts grow rarer, and those of many peers spread."""

import pytest

from core.network.pause_token import PauseToken
from core.network.persistence import Outage, delay, retry_after


@pytest.mark.parametrize(
    ("failures", "draw", "asked_for", "seconds"),
    [
        (1, 0.0, None, 0.5),
        (1, 1.0, None, 1.0),
        (2, 0.0, None, 1.0),
        (4, 0.5, None, 6.0),
        (7, 0.0, None, 30.0),
        (7, 1.0, None, 60.0),
        (10_000, 1.0, None, 60.0),
        (1, 0.0, 20.0, 20.0),
        (9, 1.0, 20.0, 60.0),
        (1, 0.0, 1e9, 600.0),
    ],
)
def test_delays(failures: int, draw: float, asked_for: float | None, seconds: float) -> None:
    assert delay(failures, draw, asked_for) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"Retry-After": "20"}, 20.0), ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, None), ({}, None)],
)
def test_the_pause_that_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_each_attempt_is_logged_and_only_a_long_outage_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    notices: list[str] = []
    outage = Outage(_NoSleep(), notices.append, "training data", clock=lambda: 0.0, draw=lambda: 0.0)
    for _ in range(6):
        outage.failed("the server answered 503")
    assert (
        "Attempt 1 to read training data failed (the server answered 503); the next in 0.5 s." in caplog.text
    )
    assert "Attempt 6" in caplog.text
    assert notices == []
    outage.failed("the server answered 503")
    assert len(notices) == 1


class _NoSleep(PauseToken):
    """A pause token with which a test waits for nothing."""

    def sleep(self, seconds: float) -> None:
        """Return at once."""
