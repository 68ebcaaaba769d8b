"""The budget of processor time that the coordinator spends on recomputing work: pure.

An audit is paid for afterwards, by a pause that is longer the more it took. Nobody but the coordinator knows how long
each pause is, so that no trainer can tell when its work is looked at.
"""

from dataclasses import dataclass

_HOUR = 3600.0
_HOURS = 24.0
"""Hours of the budget that one audit may take: work that takes more is given up."""


@dataclass(frozen=True)
class AuditBudget:
    """Processor seconds that may be spent on recomputing."""

    seconds_an_hour: float
    """Processor seconds an hour, above 0."""

    @property
    def most_seconds(self) -> float:
        """The most processor seconds of one audit."""
        return _HOURS * self.seconds_an_hour

    def pause_after(self, spent: float, draw: float) -> float:
        """Return the seconds until the next audit may begin.

        Args:
            spent: Processor seconds that were spent since the last pause.
            draw: A number drawn from 0 to 1, which makes the pause up to twice as long as the budget asks.
        """
        return spent * (1 + draw) * _HOUR / self.seconds_an_hour
