"""Views of simulated peers, which answer repeated questions once; peers with the same view share the answers."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.messages.reach import Reach
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.swarm_view import SwarmView, upper_median
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import VOICE, voiced

ViewAnswer = TypeVar("ViewAnswer")
VERDICT = "verdict"
"""Question of which a shared view has the answer once a peer was found to follow the swarm."""


@dataclass(frozen=True)
class SimulatedView(SwarmView):
    """A `SwarmView` that remembers its answers, which the same records give each time."""

    answers: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """Answers that were given so far, by the question and the place that it is about."""

    def once(self, question: str, place: tuple[int, bytes], answer: Callable[[], ViewAnswer]) -> ViewAnswer:
        """Return the ``answer`` to a ``question`` about a ``place``, from the records of the others alone."""
        key = question, place
        if key not in self.answers:
            self.answers[key] = answer()
        found: ViewAnswer = self.answers[key]
        return found

    def at(self, own: ProgressRecord) -> tuple[ProgressRecord, ...]:
        """Return what `SwarmView.at` returns for ``own``."""
        return self.once("at", _place(own), lambda: super(SimulatedView, self).at(own))

    def near(self, own: ProgressRecord) -> int:
        """Return what `SwarmView.near` returns for ``own``."""
        return self.once("near", _place(own), lambda: super(SimulatedView, self).near(own))

    def trainers_near(self, own: ProgressRecord) -> int:
        """Return what `SwarmView.trainers_near` returns for ``own``."""
        return self.once("trainers", _place(own), lambda: super(SimulatedView, self).trainers_near(own))

    def trainers(self) -> int:
        """Return what `SwarmView.trainers` returns."""
        return self.once("trainers", (-1, b""), super().trainers)

    def reducers(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return what `SwarmView.reducers` returns for ``epoch`` and ``head``."""
        place = epoch, head
        return self.once("reducers", place, lambda: super(SimulatedView, self).reducers(epoch, head))

    def donors(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return what `SwarmView.donors` returns for ``epoch`` and ``head``."""
        place = epoch, head
        return self.once("donors", place, lambda: super(SimulatedView, self).donors(epoch, head))


@dataclass(frozen=True)
class SharedOthers:
    """The others of one summary, as peers see them that are alike and have followed the same commits."""

    records: tuple[Cohort, ...]
    landed: Mapping[tuple[int, bytes], float]
    """Times in seconds at which the peer landed that was the first to ask, by the places of its commits."""
    answers: dict[Any, Any] = field(default_factory=dict)

    def seen_by(self, began: SwarmView, landed: Mapping[tuple[int, bytes], float]) -> "SummarisedView":
        """Return the view of a peer whose look ``began`` and that ``landed`` at these times of its own."""
        return SummarisedView(
            began.time,
            self.records,
            seen_at=began.seen_at,
            answers=self.answers,
            landed=landed,
            landed_first=self.landed,
        )


@dataclass(frozen=True)
class SummarisedView(SimulatedView):
    """A view by a summary that many peers share, in rounds by the clock.

    Their own samples differ, which no decision needs there, and so do the times at which each followed a commit.
    """

    landed: Mapping[tuple[int, bytes], float] = field(default_factory=dict, compare=False)
    """Times in seconds at which this peer has followed commits, by their places."""
    landed_first: Mapping[tuple[int, bytes], float] = field(default_factory=dict, compare=False)
    """Times in seconds at which the first peer that asked has followed them: the records have these."""

    def is_in_step(self, own: ProgressRecord) -> bool:
        """Return true if a peer like that of ``own`` was found to follow the swarm, and one is there that reduces."""
        place = _place(own)
        follows = VERDICT, place, own.synchronised
        return follows in self.answers and self.once("reduce", place, lambda: self.has_reducer)

    def epoch_seconds(self, own: ProgressRecord, now: float) -> float:
        """Return what `SwarmView.epoch_seconds` returns for ``own`` at ``now``, in seconds.

        Peers that are taken to have followed a commit did so at this peer's own time.
        """
        place = _place(own)
        ages, moved = self.once("ages", place, lambda: self._ages(own))
        found = [
            (own.epoch_seconds, VOICE),
            *((began + max(0.0, now - time), voices) for began, time, voices in ages),
        ]
        if moved:
            found.append((max(0.0, now - self.landed[place]), moved))
        return upper_median(found)

    def _ages(self, own: ProgressRecord) -> tuple[Sequence[tuple[float, float, int]], int]:
        """Return the ages at the place of ``own``, and the voices of the peers that have just come there.

        An age is of so many seconds at a time in seconds, and has the units of its peers' voices.
        """
        first = self.landed_first.get(_place(own))
        ages, moved = defaultdict[tuple[float, float], int](int), 0
        for record, voices in voiced(self.at(own)):
            if record.time == first and not record.epoch_seconds:
                moved += voices
            else:
                ages[record.epoch_seconds, record.time] += voices
        return [(*age, voices) for age, voices in ages.items()], moved


def _place(own: ProgressRecord) -> tuple[int, bytes]:
    return own.epoch, own.head
