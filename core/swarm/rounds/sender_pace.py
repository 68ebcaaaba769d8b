"""How fast the senders of an exchange deliver to one reducer, and which of them hold the others up."""

from core.swarm.wire.limits import TimeLimits, delivers_in_time

RUN_AHEAD = 4
"""Number of parts that a sender may deliver beyond the first unreduced one: bounds what a reducer holds."""


class SenderPace:
    """The parts that have arrived from each sender, and when it began."""

    def __init__(self, senders: int, parts: int, limits: TimeLimits) -> None:
        """Watch so many ``senders`` deliver all ``parts`` of a reducer within ``limits``."""
        self._senders, self._parts, self._limits = senders, parts, limits
        self.started: dict[int, float] = {}
        """Times at which senders began, by their positions."""
        self.arrived = [0] * senders
        """Parts of each sender that have arrived; none of the reducer itself."""

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
        foremost = max(self.arrived)
        return [
            position
            for position, began in self.started.items()
            if foremost - self.arrived[position] >= RUN_AHEAD
            and not delivers_in_time(self.arrived[position], self._parts, now - began, elapsed, self._limits)
        ]
