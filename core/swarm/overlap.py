"""The run's rule of overlap: in which phases a micro-step counts, and when an update may land in the model."""

from dataclasses import dataclass

from core.run.rules import Overlap
from core.swarm.phase import Phase


@dataclass(frozen=True)
class Landing:
    """Determinism for one peer: an epoch's end and the update's landing are counted in micro-steps, not in time."""

    micro_steps: int = 0
    """Micro-steps on the old parameters after an epoch's end; 0 unless updates are delayed."""


class OverlapRule:
    """The rule at one peer, which counts its micro-steps since the last round began."""

    def __init__(self, overlap: Overlap, landing: Landing | None = None) -> None:
        """Follow the run's ``overlap``; a ``landing`` sets the micro-steps after which updates land."""
        self._overlap = overlap if landing is None or landing.micro_steps else Overlap.NONE
        self._landing, self._micro_steps = landing, 0

    @property
    def is_deterministic(self) -> bool:
        """True if nothing may depend on the time that rounds and updates take: each is waited for."""
        return self._landing is not None

    def begin_round(self) -> None:
        """Count micro-steps from the beginning of a round, which is now."""
        self._micro_steps = 0

    def count(self) -> None:
        """Count a micro-step."""
        self._micro_steps += 1

    @property
    def may_land(self) -> bool:
        """True if a finished update may land now."""
        return self._landing is None or self._micro_steps >= self._landing.micro_steps

    def allows(self, phase: Phase, *, stands_still: bool) -> bool:
        """Return true if a micro-step counts in ``phase``; ``stands_still`` is true for a peer that only waits."""
        if phase == Phase.UPDATING and self.is_deterministic:
            return self._overlap != Overlap.NONE and not self.may_land
        if phase == Phase.AVERAGING:
            return self._overlap == Overlap.FULL
        if phase == Phase.ACCUMULATING:
            return not stands_still
        return phase == Phase.UPDATING and self._overlap != Overlap.NONE
