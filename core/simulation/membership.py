"""The membership of a simulated peer: peers that see the same swarm from the same place share the verdict on it."""

from core.simulation.view import VERDICT, SummarisedView
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.membership.membership import Swarm
from core.swarm.wire.records import ProgressRecord


class SimulatedSwarm(Swarm):
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
