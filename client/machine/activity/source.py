"""Interface of every source of the user's activity."""

from typing import Protocol

REMEDY = "Until activity can be read again, the computer counts as used."
"""Remedy of `SourceLost`."""


class IdleSource(Protocol):
    """Measures how long keyboard and mouse were left alone; each method raises SourceLost once it cannot."""

    @property
    def name(self) -> str:
        """Name for people, such as "X11 IDLETIME counter"."""

    @property
    def is_event(self) -> bool:
        """True if the system signals activity at once; otherwise it is asked every second."""

    async def idle_seconds(self) -> float:
        """Return the seconds since the last key or movement of the mouse."""

    async def until_active(self) -> None:
        """Return at the first key or movement after the call; what waits for it costs nothing meanwhile."""

    async def close(self) -> None:
        """Release what is held; callers that wait are not notified."""
