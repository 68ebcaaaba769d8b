"""Computes when the heads of simulated groups have agreed on who combines, by the looks and stores of real heads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.swarm.combining.agreement import LOOK_SECONDS


@dataclass(frozen=True)
class HeadPace:
    """The times, in seconds, at which the head of a group writes and reads records of groups."""

    reduced_at: float
    """Time at which its group had reduced; it announces that, and looks again and again from then on."""
    store_seconds: float
    look_seconds: float
    settle_seconds: float
    """Seconds for which a proposal stands before this head believes it."""

    @property
    def announced_at(self) -> float:
        """Time from which the others see that its group has reduced."""
        return self.reduced_at + self.store_seconds

    def looks_until(self, time: float) -> int:
        """Return the number of looks up to the first one that begins at ``time`` or later."""
        period = LOOK_SECONDS + self.look_seconds
        return 1 + max(0, math.ceil((time - self.announced_at) / period))

    def sees_at(self, time: float) -> float:
        """Return the time at which this head has seen what was written at ``time``."""
        period = LOOK_SECONDS + self.look_seconds
        return self.announced_at + (self.looks_until(time) - 1) * period + self.look_seconds


@dataclass(frozen=True)
class HeadAgreement:
    """An agreement of heads on one proposal."""

    ends_at: float
    """Time in seconds at which the last of them believes it."""
    looks: tuple[int, ...]
    """Number of the looks of each."""


def agreement_of(heads: Sequence[HeadPace], complete_at: float) -> HeadAgreement:
    """Return the agreement of ``heads``, the first of which proposes.

    ``complete_at`` is the time in seconds from which no other group is waited for.
    """
    proposer = heads[0]
    visible = max(complete_at, *(head.announced_at for head in heads))
    written = proposer.sees_at(visible) + proposer.store_seconds
    others = heads[1:]
    is_late = proposer.store_seconds > proposer.settle_seconds
    settles = proposer.settle_seconds * (2 if is_late else 1)
    believed = [written + settles + proposer.look_seconds]
    believed += [head.sees_at(written) + head.settle_seconds + head.look_seconds for head in others]
    looks = (proposer.looks_until(visible) + 1, *(head.looks_until(written) + 1 for head in others))
    return HeadAgreement(max(believed), looks)
