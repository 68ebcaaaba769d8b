"""The outcome of a row of the benchmark, and its line in the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from benchmarks.hostility.course import (
    HonestLossCurve,
    PeerCourse,
    apart,
    at_equal_samples,
    divergent,
    epoch_costs,
    epochs_between,
    epochs_until_out,
    foreign_shares,
    longest_wait,
)
from benchmarks.measuring.report import rounded

_MIB = 1 << 20
_SHOWN = {
    "case": "case",
    "epochs": "epochs",
    "wait s": "longest_wait",
    "samples": "samples",
    "loss": "loss",
    "clean": "clean_loss",
    "over": "over_clean",
    "share": "hostile_share",
    "out": "epochs_until_out",
    "ended": "ended",
    "diverge": "divergent",
    "apart": "apart",
    "hostile ended": "hostile_ended",
    "entrance": "entrance_mib",
}
"""Columns of the table, and the names of their figures."""


@dataclass(frozen=True)
class RowOutcome:
    """The end of one row's swarm."""

    name: str
    courses: Sequence[PeerCourse]
    """Courses of the honest peers."""
    begin: float
    """Moment at which the attack began, in monotonic seconds."""
    end: float
    limit_seconds: float
    """Time limit of a round by the run's rules."""
    curve: HonestLossCurve
    honest_ended: Sequence[str]
    """Names of honest peers whose processes ended before the row did."""
    hostile: int
    """Number of hostile peers."""
    hostile_ended: Sequence[str]
    """Names of hostile peers whose processes ended before the row did: they attacked no more."""
    entrance_bytes: tuple[int, int]
    """Memory of the entrance when the attack began, and at the end."""
    newcomer: PeerCourse | None = None
    """Course of an honest peer that joined during the attack; None if none did."""
    why_hostile_ended: Mapping[str, str] = field(default_factory=dict)
    """Reasons of hostile peers that ended, by their names."""

    def line(self, clean: HonestLossCurve) -> dict[str, Any]:
        """Return the row of the report, beside the curve of the ``clean`` row."""
        shares = foreign_shares(self.courses, self.begin)
        samples, loss, reference = at_equal_samples(self.curve, clean)
        made = [epochs_between(course, self.begin, self.end) for course in self.courses]
        wait = longest_wait(self.courses, self.begin, self.end)
        costs = epoch_costs(self.courses, self.begin, self.end)
        return {
            "case": self.name,
            "hostile": self.hostile,
            "seconds": round(self.end - self.begin),
            "epochs": min(made),
            "most_epochs": max(made),
            "epoch_seconds": rounded(costs[0], 3) if costs else None,
            "epoch_bytes": round(costs[1]) if costs else None,
            "longest_wait": rounded(wait, 3),
            "halted": wait > self.limit_seconds,
            "samples": round(samples),
            "loss": _figure(loss),
            "clean_loss": _figure(reference),
            "over_clean": _figure(loss / reference - 1 if loss and reference else None, 3),
            "hostile_share": _figure(fmean(shares.values()) if shares else None, 2),
            "epochs_until_out": epochs_until_out(shares) if shares else None,
            "ended": len(self.honest_ended),
            "divergent": len(divergent(self.courses)),
            "apart": len(apart(self.courses)),
            "hostile_ended": len(self.hostile_ended),
            "entrance_mib": " to ".join(f"{value / _MIB:.0f}" for value in self.entrance_bytes),
        }

    def details(self) -> dict[str, Any]:
        """Return what the table leaves out: the curve, the names of those that ended, and why they did."""
        return {
            "loss_by_samples": [[round(samples), rounded(loss)] for samples, loss in self.curve.points],
            "last_epochs": {course.name: course.last_epoch for course in self.courses},
            "why_ended": {course.name: course.ended for course in self.courses if course.ended},
            "honest_ended": list(self.honest_ended),
            "hostile_ended_names": list(self.hostile_ended),
            "divergent_names": divergent(self.courses),
            "why_hostile_ended": dict(self.why_hostile_ended),
            "newcomer": self._of_newcomer() if self.newcomer is not None else None,
        }

    def _of_newcomer(self) -> dict[str, Any]:
        assert self.newcomer is not None
        epochs, own = self.newcomer.epochs, self.newcomer
        return {
            "seconds_to_first_epoch": rounded(epochs[0].time - own.began, 3) if epochs else None,
            "epochs": len(epochs),
            "is_divergent": own.name in divergent([*self.courses, own]),
            "ended": own.ended,
        }


def shown(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the table has of a row's ``line``, under short names."""
    return {title: line[name] for title, name in _SHOWN.items()}


def _figure(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else rounded(value, digits)
