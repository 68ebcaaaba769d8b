"""The alarm that the losses of a run's epochs raise: peers report them, so the state itself has to bear it out.

One volunteer's number moves an epoch's mean loss to wherever it likes. So an alarm takes nobody back: it has the next
checkpoint taken at once, and the loss that the publisher measures of that state decides.
"""

from collections.abc import Callable
from dataclasses import dataclass

from coordinator.database.connect import Database
from coordinator.publisher.blow_up import has_blown_up
from coordinator.publisher.losses import lineage
from coordinator.settings import Checkpoints
from core.rules import RunState

_WINDOWS = 4
"""Of losses that are looked at."""
_LOOK_SECONDS = 3.0
"""Between two looks at them."""


@dataclass(frozen=True)
class Suspicion:
    """That a run went astray, by what its peers say."""

    epoch: int
    """Of the last parameters that are above it."""
    why: str


class Alarm:
    """One generation's."""

    def __init__(
        self, database: Database, state: RunState, settings: Checkpoints, clock: Callable[[], float]
    ) -> None:
        self._database, self._state, self._settings, self._clock = database, state, settings, clock
        self._looked = clock()
        self._suspicion: Suspicion | None = None
        self._dismissed: int | None = None

    def suspicion(self, newest: int) -> Suspicion | None:
        """What is to be looked into; ``newest`` is the epoch of the last checkpoint that was found good."""
        return self._suspicion if newest != self._dismissed else None

    def dismiss(self, epoch: int) -> None:
        """The checkpoint of that epoch is good whatever the losses say: the next one may come when it is due."""
        self._dismissed = epoch

    def look(self) -> None:
        """See what the newest losses say; DatabaseError if they cannot be had."""
        if self._clock() - self._looked < _LOOK_SECONDS:
            return
        self._looked = self._clock()
        with self._database.reading() as session:
            losses = lineage(session, self._state, _WINDOWS * self._settings.spike_window)
        found = has_blown_up([item.loss for item in losses], self._settings)
        # an epoch's loss is that of the parameters which it began with
        self._suspicion = Suspicion(losses[found.first].epoch - 1, found.why) if found else None
