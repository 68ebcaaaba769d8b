"""How fast the trainer is: samples a second over the last seconds, however unevenly its messages come."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta

_SPAN = timedelta(seconds=10)
"""Over which a rate is taken at least, once there is as much."""
_SHORTEST = 0.5
"""Seconds: a daemon that was held up hears all that was said meanwhile at once."""


@dataclass
class Pace:
    """Hears of each message that says where the trainer stands."""

    rate: float = 0.0
    """Samples a second."""
    _life: str = ""
    _heard: deque[tuple[datetime, int]] = field(default_factory=lambda: deque(maxlen=1000))

    def hear(self, life: str, samples: int, now: datetime) -> None:
        """``samples``: since that life of the trainer has begun."""
        if life != self._life or (self._heard and now < self._heard[-1][0]):  # or the clock was set back
            self._life = life
            self._heard.clear()
        self._heard.append((now, samples))
        while len(self._heard) > 1 and self._heard[1][0] <= now - _SPAN:
            self._heard.popleft()
        since, before = self._heard[0]
        seconds = (now - since).total_seconds()
        if seconds >= _SHORTEST:
            self.rate = (samples - before) / seconds
