"""The badges that a volunteer earns, and the days in a row: pure rules over the entries of the ledger."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

_HOUR = 3600.0
EARLY_VOLUNTEERS = 100


@dataclass(frozen=True)
class Achievements:
    """The facts for which badges are given."""

    samples: int
    compute_seconds: float
    epochs: int
    longest_streak: int
    """Days in a row."""
    place: int
    """Place of the user among all by the time of the first contribution, from 1."""


@dataclass(frozen=True)
class Badge:
    """Award of a volunteer for a contribution."""

    key: str
    """Lasting name of its picture."""
    title: str
    about: str


@dataclass(frozen=True)
class _Rule:
    badge: Badge
    is_earned: Callable[[Achievements], bool]


def _samples(count: int, title: str) -> _Rule:
    badge = Badge(f"samples_{count}", title, f"Trained on {count:,} samples.")
    return _Rule(badge, lambda done: done.samples >= count)


def _hours(count: int, title: str) -> _Rule:
    badge = Badge(f"hours_{count}", title, f"Gave {count:,} hours of computing.")
    return _Rule(badge, lambda done: done.compute_seconds >= count * _HOUR)


def _days(count: int, title: str) -> _Rule:
    badge = Badge(f"streak_{count}", title, f"Contributed on {count} days in a row.")
    return _Rule(badge, lambda done: done.longest_streak >= count)


def _epochs(count: int, title: str, about: str) -> _Rule:
    return _Rule(Badge(f"epochs_{count}", title, about), lambda done: done.epochs >= count)


_RULES: tuple[_Rule, ...] = (
    _epochs(1, "First epoch", "Took part in an epoch of the swarm."),
    _epochs(1_000, "A thousand epochs", "Took part in 1,000 epochs of the swarm."),
    _samples(1_000, "One thousand"),
    _samples(10_000, "Ten thousand"),
    _samples(100_000, "A hundred thousand"),
    _samples(1_000_000, "One million"),
    _hours(24, "Around the clock"),
    _hours(1_000, "A thousand hours"),
    _days(7, "A week in a row"),
    _days(30, "A month in a row"),
    _Rule(
        Badge("early", "Early volunteer", f"One of the first {EARLY_VOLUNTEERS} to contribute."),
        lambda done: done.epochs > 0 and done.place <= EARLY_VOLUNTEERS,
    ),
)
BADGES: tuple[Badge, ...] = tuple(rule.badge for rule in _RULES)
"""All badges, in the order in which they are shown."""


def badges(done: Achievements) -> tuple[Badge, ...]:
    """Return the badges that were earned."""
    return tuple(rule.badge for rule in _RULES if rule.is_earned(done))


@dataclass(frozen=True)
class Streaks:
    """Days in a row on which something was contributed."""

    current: int
    """Days in a row up to today, or up to yesterday while nothing was contributed today."""
    longest: int


def streaks(days: Sequence[date], today: date) -> Streaks:
    """Find the streaks in days in rising order, each once."""
    lengths: list[int] = [1] if days else []
    for before, day in pairwise(days):
        if day - before == timedelta(days=1):
            lengths[-1] += 1
        else:
            lengths.append(1)
    goes_on = bool(days) and today - days[-1] <= timedelta(days=1)
    return Streaks(lengths[-1] if goes_on else 0, max(lengths, default=0))
