"""Asks the Hub for JSON: in limited time, for answers of bounded size, and with few threads waiting for it."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from pydantic import SecretStr, TypeAdapter, ValidationError

from coordinator.errors import HubAway
from core.http_client import HttpClient, HttpFault, HttpLimits

_log = logging.getLogger(__name__)
T = TypeVar("T")

_LARGEST = 1 << 20
_LIMITS = HttpLimits(connect=5.0, silence=5.0, whole=10.0)
WHOLE_SECONDS = _LIMITS.whole
MOST_WAITING = 8
"""Threads that may wait for the Hub. If all forty of the website waited, no visitor would get an answer."""


@dataclass(frozen=True)
class FetchedPage(Generic[T]):
    """One page of an answer."""

    value: T
    following: str | None
    """Address of the next page, on the same origin."""


def fetch(
    address: str,
    kind: TypeAdapter[T],
    *,
    token: str | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FetchedPage[T]:
    """Return the JSON at an address, validated; redirects are not followed.

    Args:
        address: URL.
        kind: Type of the JSON.
        token: Bearer token, sent to this address alone.
        clock: Monotonic time in seconds.

    Raises:
        HubAway: there is no such answer; the error quotes nothing of it.
    """
    try:
        with (
            HttpClient(_LIMITS, clock=clock) as client,
            client.open(
                "GET",
                address,
                headers={"Accept": "application/json"},
                token=SecretStr(token) if token else None,
            ) as answer,
        ):
            if answer.status == HTTPStatus.OK:
                value = kind.validate_json(answer.body(_LARGEST))
                return FetchedPage(value, _following(answer.following, address))
            cause = f"status {answer.status}"
    except HttpFault as error:
        cause = error.fault.name
    except (ValidationError, ValueError) as error:
        cause = type(error).__name__
    # Without the original, which may quote what was sent.
    _log.warning("%s did not answer as it should: %s.", origin(address), cause)
    raise HubAway(f"{origin(address)} does not answer as it should.", "Try again in some minutes.")


def origin(address: str) -> str:
    """Return scheme and host of a web address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _following(link: str | None, address: str) -> str | None:
    """Return the address of the next page; None if it is on another origin, which must not receive the token."""
    return link if link and origin(link) == origin(address) else None


class Turns:
    """A lock for what may be slow, such as asking the Hub: one thread at a time, and few in the queue."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(most)

    @contextmanager
    def turn(self, seconds: float) -> Iterator[bool]:
        """Wait at most ``seconds`` for a turn; yields false if too many wait already, or the time is over."""
        if not self._queue.acquire(blocking=False):
            yield False
            return
        try:
            is_ours = self._lock.acquire(timeout=seconds)
            try:
                yield is_ours
            finally:
                if is_ours:
                    self._lock.release()
        finally:
            self._queue.release()
