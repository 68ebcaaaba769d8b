"""Measures a state on rows that no peer trains on: the mean loss by which checkpoints are compared."""

import math
from pathlib import Path
from typing import Self

from core.model.family.interface import HeldOutSamples
from core.run.rules import TrainingRules
from core.run.training.families import family_of
from core.swarm.state.state import PARAMETERS, SwarmState, under

_WORK = 4e12
"""Multiplications and additions that a measurement may take: minutes on one core."""


class HeldOut:
    """Samples of the run's, always the same ones."""

    def __init__(self, training: TrainingRules, samples: HeldOutSamples) -> None:
        self._training, self._samples = training, samples

    @classmethod
    def of_run(cls, training: TrainingRules, base: Path) -> Self | None:
        """Read the held-out examples of the run whose files are in ``base``, or the first of its training data.

        They also show whether a run blew up. None if its data lie at the Hub alone, or there is no row.
        Raises ManifestError, DataError and TextError as the files are.
        """
        samples = family_of(training).held_out(training, base, _WORK)
        return cls(training, samples) if samples is not None else None

    def loss(self, state: SwarmState) -> float:
        """Return the mean cross-entropy in nats per code or token, which may be NaN or infinite.

        The measurement needs memory for a second copy of the parameters.
        """
        model = family_of(self._training).model(self._training.model)
        model.load_state_dict(under(PARAMETERS, state.tensors))
        return self._samples.loss(model)


def is_worse(loss: float, last: float | None, bound: float) -> bool:
    """Return true if a loss exceeds the last kept checkpoint's by more than that share; NaN always does."""
    return not math.isfinite(loss) or (last is not None and loss > last + bound * abs(last))
