"""Finds the value that best tells cases of a kind from others, and says how well it does."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from core.errors import DataError

MeasuredValues = Sequence[float] | NDArray[np.float32]
_Share = Annotated[float, Field(ge=0, le=1)]


class Separation(BaseModel):
    """A threshold between two kinds of measured cases, and the shares of both that are on the right side of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    threshold: float
    """Value from which on a case counts as one of the kind."""
    accepted: _Share
    """Share of the kind's cases at or above the threshold."""
    refused: _Share
    """Share of the other cases below the threshold."""

    def accepts(self, value: float) -> bool:
        """Return true if a case with this value counts as one of the kind."""
        return value >= self.threshold

    @property
    def accuracy(self) -> float:
        """Mean of both shares: 1 if the threshold errs in no case, 0.5 if it is no better than a coin."""
        return (self.accepted + self.refused) / 2


def beyond(kind: MeasuredValues, others: MeasuredValues, share: float) -> Separation:
    """Return the threshold below which that ``share`` of the other cases lies.

    Args:
        kind: MeasuredValues of cases of the kind, which tend to be larger.
        others: MeasuredValues of other cases.
        share: Share of the other cases to refuse, from 0 to 1.

    Raises:
        DataError: there are no cases of one of the two, or a value is not finite.
    """
    mine, theirs = _sorted(kind, others)
    threshold = float(np.quantile(theirs, share))
    return Separation(
        threshold=threshold,
        accepted=float((mine >= threshold).mean()),
        refused=float((theirs < threshold).mean()),
    )


def separate(kind: MeasuredValues, others: MeasuredValues) -> Separation:
    """Return the threshold whose mean share of right decisions is largest (Youden, 1950).

    It lies halfway between two measured values. Of several thresholds that are equally good, it is the lowest.

    Args:
        kind: MeasuredValues of cases of the kind, which tend to be larger.
        others: MeasuredValues of other cases.

    Raises:
        DataError: there are no cases of one of the two, or a value is not finite.
    """
    mine, theirs = _sorted(kind, others)
    values = np.unique(np.concatenate([mine, theirs]))
    places = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2])
    accepted = 1 - np.searchsorted(mine, places, "left") / len(mine)
    refused = np.searchsorted(theirs, places, "left") / len(theirs)
    best = int((accepted + refused).argmax())
    return Separation(
        threshold=float(places[best]), accepted=float(accepted[best]), refused=float(refused[best])
    )


def _sorted(kind: MeasuredValues, others: MeasuredValues) -> list[NDArray[np.float64]]:
    """Return both in ascending order; DataError as `separate`."""
    both = [np.sort(np.asarray(values, np.float64)) for values in (kind, others)]
    if not all(len(values) and np.isfinite(values).all() for values in both):
        raise DataError(
            "There are too few training pictures to derive thresholds from.",
            "Evaluate a run with more pictures.",
        )
    return both
