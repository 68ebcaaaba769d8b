"""How fast the senders of an exchange deliver to one reducer, and which of them hold the others up."""

from core.swarm.wire.limits import TimeLimits, delivers_in_time

RUN_AHEAD = 4
"""Number of parts that a sender may deliver beyond the first unreduced one: bounds what a reducer holds."""
_GRACE = 1 / 6
"""Share of half an exchange after a sender was dropped in which no other one is: it had held them back."""


class SenderPace:
    """The parts that have arrived from each sender, and when it began."""

    def __init__(self, senders: int, parts: int, limits: TimeLimits) -> None:
        """Watch ``senders`` senders deliver all ``parts`` of a reducer within ``limits``."""
        self._senders, self._parts, self._limits = senders, parts, limits
        self.started: dict[int, float] = {}
        """Times at which senders began, by their positions."""
        self.arrived = [0] * senders
        """Parts of each sender that have arrived; none of the reducer itself."""
        self._dropped_at, self._had = float("-inf"), [0] * senders
        """Time at which a sender was dropped last, and the parts that had arrived then."""

    def note_dropped(self, now: float) -> None:
        """Count the pace of all senders from ``now`` on, in seconds: one that held them back has been dropped."""
        self._dropped_at, self._had = now, list(self.arrived)

    @property
    def absent(self) -> list[int]:
        """Positions of the senders that have not begun."""
        return [position for position in range(self._senders) if position not in self.started]

    def late(self, now: float, elapsed: float) -> list[int]:
        """Return the positions of the senders that others wait for, and that would not be done in time.

        What counts is what has arrived, not what was decoded: then a sender that waits is always seen to be ahead.

        Args:
            now: present time, in seconds of the clock of ``started``.
            elapsed: seconds of the exchange so far.
        """
        if now - self._dropped_at < _GRACE * self._limits.half_way_seconds:
            return []
        foremost = max(self.arrived)
        return [
            position
            for position, began in self.started.items()
            if foremost - self.arrived[position] >= RUN_AHEAD
            and not self._is_in_time(position, now - max(began, self._dropped_at), elapsed)
        ]

    def _is_in_time(self, position: int, seconds: float, elapsed: float) -> bool:
        arrived = self.arrived[position]
        newly, lacking = arrived - self._had[position], self._parts - arrived
        return delivers_in_time(newly, lacking, seconds, elapsed, self._limits)
