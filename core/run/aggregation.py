"""The rules by which a group's contributions become one aggregate, as a manifest names them; free of torch."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from core.run.fields import Rules


class Aggregation(StrEnum):
    """The rule that makes one gradient of a group's gradients."""

    MEAN = "mean"
    """Mean, weighted by the samples of each peer."""
    MEAN_OF_SENDERS = "mean_of_senders"
    """Mean of each value over the peers that sent it, weighted by their samples.

    Sparse drifts of several peers have few places in common, and a mean over all peers makes their values smaller.
    Dense values are sent by all, so both rules are the same for them.
    """
    CLIPPED_MEAN = "clipped_mean"
    """Mean of contributions that are shortened to the lower median of their lengths, part by part."""
    CENTERED_CLIP = "centered_clip"
    """Clipped mean around the last committed aggregate of the part, repeated (Karimireddy et al., 2021)."""
    TRIMMED_MEAN = "trimmed_mean"
    """Mean of each value over the users, without its largest and smallest ones (Yin et al., 2018)."""
    MEDIAN = "median"
    """Median of each value over the users (Yin et al., 2018)."""

    @property
    def is_robust(self) -> bool:
        """True if a minority of users cannot lead the aggregate anywhere."""
        return self not in (Aggregation.MEAN, Aggregation.MEAN_OF_SENDERS)

    @property
    def clips(self) -> bool:
        """True if the rule shortens contributions that are too long."""
        return self in (Aggregation.CLIPPED_MEAN, Aggregation.CENTERED_CLIP)


class RobustRules(Rules):
    """Parameters by which a minority of users has little influence on an aggregate."""

    weight_cap: Annotated[float, Field(ge=1, le=1e6)] = 2.0
    """Most samples of a user that count in a round, as a multiple of the lower median over the group's users."""
    radius: Annotated[float, Field(ge=0.5, le=16)] = 1.0
    """Length to which contributions are shortened, as a multiple of the lower median of their lengths.

    Around a centre it is the lower median of their distances from that.
    """
    iterations: Annotated[int, Field(ge=1, le=10)] = 3
    """Times that `centered_clip` moves its centre."""
    trimmed_share: Annotated[float, Field(gt=0, lt=0.5)] = 0.3
    """Share of the users, rounded up, whose values `trimmed_mean` leaves out at either end."""
    of_senders: bool = False
    """True to average sparse drifts that were clipped over the peers that sent a value, as `mean_of_senders` does."""
