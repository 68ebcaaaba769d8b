"""The points of a round at which an observer is called: tests and benchmarks strike a peer there."""

from collections.abc import Callable
from enum import StrEnum


class RoundEvent(StrEnum):
    """Points of a round at which an observer is called."""

    LOOKING = "looking for a group"
    GROUPED = "group formed"
    PART_SENT = "part sent"
    PART_REDUCED = "part reduced"
    PART_RECEIVED = "part received"
    REDUCED_ALL = "all parts at hand"
    WRITING = "about to write the commit record"
    WRITTEN = "commit record written"
    COMMITTED = "epoch committed"


Observer = Callable[[RoundEvent, int], None]
"""Receiver of each event and its count so far in this round."""


def unobserved(event: RoundEvent, count: int) -> None:
    """Ignore each ``event`` and its ``count``: the observer for a peer without one."""
