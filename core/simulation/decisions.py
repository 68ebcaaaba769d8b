"""The decisions of a simulated peer: those of a real one, without what it would compute twice of the same things."""

from core.simulation.view import VERDICT, SummarisedView
from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.membership.membership import Swarm
from core.swarm.wire.records import ProgressRecord


class SimulatedMembership(Swarm):
    """A `Swarm` that does not compare the same records with the same place twice."""

    def verdict(self, own: ProgressRecord) -> Verdict | None:
        """Return what `Swarm.verdict` returns for ``own``.

        A verdict that sends the peer to others names them in an order of its own, and is not shared. That it
        follows the swarm depends on its place alone, of which simulated parameters are a function.
        """
        view = self.view
        if not isinstance(view, SummarisedView) or view.seen_at < self._moved_at:
            return super().verdict(own)
        self._is_new(own)  # notes the place at which this peer began
        key = VERDICT, (own.epoch, own.head), own.synchronised
        found: Verdict | None = view.answers.get(key)
        if found is None:
            found = super().verdict(own)
            if found is not None and found.course == Course.FOLLOW:
                view.answers[key] = found
        return found


class SimulatedOptimizer(CollaborativeOptimizer):
    """A `CollaborativeOptimizer` that is asked for its record several times at one moment of a simulation."""

    _made: ProgressRecord | None = None
    _made_of: tuple[object, ...] = ()
    _made_beside: tuple[object, object] = (None, None)
    """The place and the view of that record: the objects themselves, as to compare them is slow."""

    def record(self) -> ProgressRecord:
        """Return what `CollaborativeOptimizer.record` returns."""
        own, view = self.progress, self.view
        place, beside = own.place, self._made_beside
        made_of = (
            self._dht_time(),
            own.phase,
            own.wait.reason,
            own.stands_back,
            own.rate.value,
            self.samples,
        )
        if self._made is None or beside[0] is not place or beside[1] is not view or made_of != self._made_of:
            self._made, self._made_of, self._made_beside = super().record(), made_of, (place, view)
        return self._made
