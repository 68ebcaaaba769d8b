"""Notices a trainer whose memory grows without end, so that it is renewed between two epochs: pure."""

from dataclasses import dataclass

_SETTLING_LOOKS = 5
"""A minute apart: after its start a trainer still takes what it will need."""
_GROWTH = 1.5
_LEAST_GROWTH = 512 << 20


@dataclass(frozen=True)
class Growth:
    """What a trainer's memory was like once it had settled, in bytes."""

    looks: int = 0
    settled: int | None = None

    def after(self, held: int) -> "Growth":
        """After one more look, at which the trainer's processes held that much."""
        settled = held if self.looks + 1 == _SETTLING_LOOKS else self.settled
        return Growth(self.looks + 1, settled)

    def is_leak(self, held: int, allowed: int | None) -> bool:
        """Whether the trainer holds half as much again as when it settled, or more than it is allowed."""
        if allowed is not None and held > allowed:
            return True
        return self.settled is not None and held > max(_GROWTH * self.settled, self.settled + _LEAST_GROWTH)
