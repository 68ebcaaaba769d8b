"""Users that are set aside for a while, as their peers gave nothing or what was false: each time for longer.

A user may have dozens of peers, and each could fail once. So what one of them did counts for all.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.swarm.wire.voices import Voter

_GROWTH, _LONGEST_FACTOR = 2.0, 8.0
"""Factor from one time to the next, and the largest multiple of the first one: a line may be mended meanwhile."""
_MOST_USERS = 1024


@dataclass(frozen=True)
class _TimeAside:
    until: float
    forgotten: float
    """Monotonic seconds from which on the next time is a first one again."""
    factor: float


class UsersSetAside:
    """The users that are set aside at present; peers without a user are their own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any; ``clock`` gives monotonic seconds."""
        self._clock = clock
        self._times = dict[Voter, _TimeAside]()

    def add(self, user: Voter, seconds: float) -> float:
        """Set ``user`` aside, and return for how many seconds: ``seconds`` at first, and twice as long each time.

        A user that was not set aside again for as long as it was counts as one that never was.
        """
        now, before = self._clock(), self._times.pop(user, None)
        factor = 1.0
        if before is not None and now < before.forgotten:
            factor = before.factor if now < before.until else min(_GROWTH * before.factor, _LONGEST_FACTOR)
        lasting = factor * seconds
        self._times[user] = _TimeAside(now + lasting, now + 2 * lasting + seconds, factor)
        while len(self._times) > _MOST_USERS:
            del self._times[next(iter(self._times))]
        return lasting

    def has(self, user: Voter) -> bool:
        """Return true if ``user`` is set aside at present."""
        known = self._times.get(user)
        return known is not None and self._clock() <= known.until

    def forgive(self, user: Voter) -> None:
        """Forget that ``user`` was ever set aside: one of its peers gave what it claimed."""
        self._times.pop(user, None)
