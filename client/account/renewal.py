"""Schedules loading, renewing and saving a sign-in: before it expires, and after growing pauses if that fails."""

from collections.abc import Callable
from datetime import datetime, timedelta

from client.account.credentials import Credentials

_LONGEST_WAIT = timedelta(minutes=15)
"""Longest wait between two looks at the clock: timers stand still while a machine sleeps."""
_DOUBLINGS = 6


class Renewal:
    def __init__(self, retry_seconds: float, now: Callable[[], datetime]) -> None:
        self._retry = timedelta(seconds=retry_seconds)
        self._now = now
        self._failures = 0
        self._unsaved = False
        self._not_before = now()

    def succeeded(self) -> None:
        self._failures = 0
        self._unsaved = False
        self._not_before = self._now()

    def failed(self) -> None:
        doublings: int = 2 ** min(self._failures, _DOUBLINGS)
        self._failures += 1
        self._not_before = self._now() + self._retry * doublings

    def not_saved(self) -> None:
        """Note that renewed credentials are in memory only and still have to be saved."""
        self._unsaved = True
        self.failed()

    def due(self, credentials: Credentials | None) -> datetime | None:
        """Return the time of the next action for these credentials; None: they are saved and do not expire."""
        if credentials is None:
            return None
        if self._unsaved:
            return self._not_before
        due = _renewal_due(credentials)
        return max(due, self._not_before) if due else None

    def is_renewal_due(self, credentials: Credentials) -> bool:
        """Return true if the credentials must be renewed now, and false if they only have to be saved."""
        due = _renewal_due(credentials)
        return due is not None and due <= self._now()

    def is_due(self, credentials: Credentials | None) -> bool:
        due = self.due(credentials)
        return due is not None and due <= self._now()

    def wait(self, credentials: Credentials | None) -> timedelta | None:
        """Return the time until `due` has to be looked at again; None: for ever."""
        due = self.due(credentials)
        return _never_negative(min(due - self._now(), _LONGEST_WAIT)) if due else None

    def pause(self) -> timedelta:
        """Return the pause before the next attempt after one that failed."""
        return _never_negative(self._not_before - self._now())


def _renewal_due(credentials: Credentials) -> datetime | None:
    return credentials.renewal_due or credentials.expires


def _never_negative(span: timedelta) -> timedelta:
    return max(span, timedelta())
