"""What every source of the user's activity offers, whatever the system."""

from typing import Protocol

REMEDY = "Until something can tell again, the computer counts as used."
"""Of `SourceLost`."""


class IdleSource(Protocol):
    """Tells how long keyboard and mouse were left alone; each method raises SourceLost once it cannot."""

    @property
    def name(self) -> str:
        """For people, such as "X11 IDLETIME counter"."""

    @property
    def is_event(self) -> bool:
        """Whether the system tells of activity at once; otherwise it is asked every second."""

    async def idle_seconds(self) -> float:
        """Since the last key or movement of the mouse."""

    async def until_active(self) -> None:
        """Return at the first key or movement after the call; what waits for it costs nothing meanwhile."""

    async def close(self) -> None:
        """Give back what is held; what waits is not told."""
