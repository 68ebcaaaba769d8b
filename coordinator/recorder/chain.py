"""Follows a run's chain of commits backwards, from where its trainers stand to what is recorded already.

The root that half of the trainers stand at names the epoch before it, and so on: every summary is proven by a root
that is proven by the next, whoever gave them. A commit record that nobody applied is no epoch.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.swarm.summary import RoundSummary

LONGEST = 256
"""Epochs that are caught up on at once: peers keep the summaries of no more."""

Fetch = Callable[[bytes], Awaitable[RoundSummary | None]]
"""The summary of the round with that root, proven by it; None where nobody gives it."""


@dataclass(frozen=True)
class Point:
    """A place in the chain."""

    epoch: int
    """Epochs done."""
    root: bytes
    """Of the commit that led there."""


@dataclass(frozen=True)
class Walk:
    """What was found between two points."""

    summaries: tuple[RoundSummary, ...]
    """Oldest first, each the parent of the next; the last one led to where the trainers stand."""
    is_whole: bool
    """Whether nothing lies between what is recorded and the first of them, on this branch or on another."""


async def walk_back(head: Point, recorded: Point, fetch: Fetch) -> Walk:
    """The rounds after ``recorded`` that led to ``head``, as far as somebody has their summaries."""
    found: list[RoundSummary] = []
    point = head
    while point.epoch > recorded.epoch and len(found) < LONGEST:
        summary = await fetch(point.root)
        if summary is None or summary.record.epoch + 1 != point.epoch:
            break  # forgotten by all, or a head of another epoch than its peers say
        found.append(summary)
        point = Point(summary.record.epoch, summary.record.parent)
    return Walk(tuple(reversed(found)), is_whole=point.epoch <= recorded.epoch)
