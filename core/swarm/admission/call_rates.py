"""Bounds how often other peers may call: each has a number of calls at once, and so many a second from then on."""

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.errors import SwarmError

_log = logging.getLogger(__name__)

_MOST_CALLERS = 4096
_LOG_SECONDS = 1.0
"""Seconds between two lines of the log about callers, however many they are."""


class TooManyCalls(SwarmError):
    """A peer calls more often than it may."""

    def __init__(self, method: str, rate: "CallRate") -> None:
        """Make the error of a peer that may call ``method`` (its name) at that ``rate``."""
        super().__init__(
            f"A peer may call {method} {rate.at_once} times at once, and then {rate.per_second:g} times a second.",
            "Call it less often.",
        )


@dataclass(frozen=True)
class CallRate:
    """The calls of one method that one peer may make."""

    per_second: float
    """Calls a second, on average over a long time."""
    at_once: int
    """Calls beyond the rate, which a peer that was quiet has again after a while."""


@dataclass
class _Caller:
    left: float
    """Calls that it may make at once."""
    at: float
    """Monotonic seconds at which that was so."""
    is_logged: bool = False


class CallRates:
    """The calls of one method, by the peers that make them; a token bucket for each."""

    def __init__(self, method: str, rate: CallRate, clock: Callable[[], float] = time.monotonic) -> None:
        """Bound the calls of ``method`` by ``rate``; ``clock`` gives monotonic seconds."""
        self._method, self._rate, self._clock = method, rate, clock
        self._callers = OrderedDict[PeerID, _Caller]()
        self._logged_at = float("-inf")

    def require(self, caller: PeerID) -> None:
        """Count a call of ``caller``; raise TooManyCalls if it may not make it now. The log tells of each once."""
        now, rate = self._clock(), self._rate
        found = self._callers.setdefault(caller, _Caller(float(rate.at_once), now))
        self._callers.move_to_end(caller)
        while len(self._callers) > _MOST_CALLERS:
            self._callers.popitem(last=False)
        found.left = min(rate.at_once, found.left + (now - found.at) * rate.per_second)
        found.at = now
        if found.left < 1.0:
            self._log(caller, found, now)
            raise TooManyCalls(self._method, rate)
        found.left -= 1.0

    def _log(self, caller: PeerID, found: _Caller, now: float) -> None:
        if found.is_logged or now - self._logged_at < _LOG_SECONDS:
            return
        found.is_logged, self._logged_at = True, now
        _log.warning("Peer %s calls %s too often: it is refused while it does.", caller, self._method)


class WaitingCalls:
    """The calls that wait for what this peer may learn soon, bounded by the bytes that they hold meanwhile."""

    def __init__(self, most_bytes: int = 256 << 20, of_user: int = 32 << 20) -> None:
        """Let calls with ``most_bytes`` wait at a time, and with as many bytes ``of_user``."""
        self._most, self._of_user = most_bytes, of_user
        self._held = Counter[bytes]()

    @contextmanager
    def one_of(self, user: bytes, size: int) -> Iterator[bool]:
        """Count a call with ``size`` bytes of a peer of ``user`` within the context; yield false if it is to go."""
        if self._held.total() + size > self._most or self._held[user] + size > self._of_user:
            yield False
            return
        self._held[user] += size
        try:
            yield True
        finally:
            self._held[user] -= size
            self._held = +self._held  # without users that hold nothing any more
