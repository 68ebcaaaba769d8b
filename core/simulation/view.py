"""A simulated peer's view, which answers the repeated questions about one place from its first answer."""

from collections.abc import Callable
from typing import TypeVar

from core.messages.reach import Reach
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord

ViewAnswer = TypeVar("ViewAnswer")


class SimulatedView(SwarmView):
    """A `SwarmView` that remembers its answers, which the same records give each time."""

    def _once(self, question: str, place: tuple[int, bytes], answer: Callable[[], ViewAnswer]) -> ViewAnswer:
        known: dict[tuple[str, tuple[int, bytes]], ViewAnswer] = self.__dict__.setdefault("_known", {})
        if (question, place) not in known:
            known[question, place] = answer()
        return known[question, place]

    def at(self, own: ProgressRecord) -> tuple[ProgressRecord, ...]:
        """Return what `SwarmView.at` returns for ``own``."""
        return self._once("at", _place(own), lambda: super(SimulatedView, self).at(own))

    def near(self, own: ProgressRecord) -> int:
        """Return what `SwarmView.near` returns for ``own``."""
        return self._once("near", _place(own), lambda: super(SimulatedView, self).near(own))

    def trainers_near(self, own: ProgressRecord) -> int:
        """Return what `SwarmView.trainers_near` returns for ``own``."""
        return self._once("trainers", _place(own), lambda: super(SimulatedView, self).trainers_near(own))

    def trainers(self) -> int:
        """Return what `SwarmView.trainers` returns."""
        return self._once("trainers", (-1, b""), super().trainers)

    def reducers(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return what `SwarmView.reducers` returns for ``epoch`` and ``head``."""
        place = epoch, head
        return self._once("reducers", place, lambda: super(SimulatedView, self).reducers(epoch, head))

    def donors(self, epoch: int, head: bytes) -> tuple[Reach, ...]:
        """Return what `SwarmView.donors` returns for ``epoch`` and ``head``."""
        place = epoch, head
        return self._once("donors", place, lambda: super(SimulatedView, self).donors(epoch, head))


def _place(own: ProgressRecord) -> tuple[int, bytes]:
    return own.epoch, own.head
