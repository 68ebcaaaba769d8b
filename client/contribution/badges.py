"""The badges that a volunteer earns on this computer: pure rules over what was given day by day.

Where a run's coordinator gives a badge for the same, it has the same code (`coordinator.ledger.badges`).
"""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from client.api.history import BadgeView
from client.contribution.tally import Amounts, streak

_HOUR = 3600.0
MORNING = 6
"""The hour at which a night ends; it begins at midnight."""


@dataclass(frozen=True)
class ContributedDays:
    """Contribution by days, from which badges follow."""

    days: Mapping[date, Amounts]
    nights: Set[date]
    """The days before whose morning something was given."""

    @property
    def trained(self) -> Set[date]:
        """The days with at least one sample."""
        return {day for day, tally in self.days.items() if tally.samples}


_Growth = list[tuple[date, float]]
"""Total at the end of each day, oldest first."""


@dataclass(frozen=True)
class BadgeGoal:
    """Amount of one kind of contribution that earns a badge."""

    family: str
    goal: int

    @property
    def code(self) -> str:
        return f"{self.family}_{self.goal}"


def badges(given: ContributedDays, today: date) -> tuple[BadgeView, ...]:
    """Return all badges that there are, and how far each is."""
    growths = {family: grow(given) for family, grow in _GROWTHS.items()}
    now = {family: growth[-1][1] if growth else 0.0 for family, growth in growths.items()}
    now["streak"] = streak(given.trained, today).current  # a broken streak starts again
    return tuple(_view(badge, growths[badge.family], now[badge.family]) for badge in BADGES)


def _view(badge: BadgeGoal, growth: _Growth, now: float) -> BadgeView:
    reached = next((day for day, value in growth if value >= badge.goal), None)
    return BadgeView(code=badge.code, reached=reached, progress=1.0 if reached else now / badge.goal)


def _added_up(measure: Callable[[Amounts], float]) -> Callable[[ContributedDays], _Growth]:
    def growth(given: ContributedDays) -> _Growth:
        days = sorted(given.days)
        return list(zip(days, accumulate(measure(given.days[day]) for day in days), strict=True))

    return growth


def _days_in_a_row(given: ContributedDays) -> _Growth:
    growth: _Growth = []
    for day in sorted(given.trained):
        goes_on = bool(growth) and day - growth[-1][0] == timedelta(days=1)
        growth.append((day, growth[-1][1] + 1 if goes_on else 1))
    return growth


def _nights(given: ContributedDays) -> _Growth:
    return [(day, number) for number, day in enumerate(sorted(given.nights), 1)]


_GROWTHS: dict[str, Callable[[ContributedDays], _Growth]] = {
    "epochs": _added_up(lambda tally: tally.epochs),
    "samples": _added_up(lambda tally: tally.samples),
    "hours": _added_up(lambda tally: tally.compute_seconds / _HOUR),
    "streak": _days_in_a_row,
    "nights": _nights,
}


def _all_of(family: str, goals: Iterable[int]) -> list[BadgeGoal]:
    return [BadgeGoal(family, goal) for goal in goals]


BADGES: tuple[BadgeGoal, ...] = (
    *_all_of("epochs", (1, 100, 1_000)),
    *_all_of("samples", (100, 1_000, 10_000, 100_000, 1_000_000)),
    *_all_of("hours", (10, 24, 100, 1_000)),
    *_all_of("streak", (3, 7, 30, 100)),
    *_all_of("nights", (1, 30)),
)
"""Badges in the order in which they are shown."""
