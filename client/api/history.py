"""What became of training here over time, as front ends draw it: contribution by period, epochs, and ranks."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from client.contribution.tally import Period as Period
from core.lines import Message

Count = Annotated[int, Field(ge=0)]
MOST_POINTS = 2_000
"""Of a curve in one answer; longer ones are thinned out."""


class ContributionRow(Message):
    """What was given in one period."""

    start: datetime
    """Its beginning, in local time without a zone."""
    samples: Count
    epochs: Count
    compute_seconds: float
    joules: float
    """Of the GPU, where it tells; 0 where it does not."""
    bytes_sent: Count
    bytes_received: Count


class BadgeView(Message):
    """Something that was achieved, or is not yet."""

    code: str
    """Such as ``samples_1000``; front ends word it, and `client.contribution.badges` has all."""
    reached: date | None
    """None: not yet."""
    progress: Annotated[float, Field(ge=0, le=1)]


class ContributionHistory(Message):
    """Of one run, or of all."""

    by: Period
    rows: tuple[ContributionRow, ...]
    """Oldest first; periods in which nothing was given are left out."""
    total: ContributionRow
    """Of all time; `start` is that of the first period, or now."""
    streak_days: Count
    """Days in a row on which something was given, up to today or yesterday."""
    longest_streak_days: Count
    badges: tuple[BadgeView, ...] = ()


class EpochPoint(Message):
    """One epoch of the joined run."""

    epoch: Count
    loss: float
    samples: Count
    own_samples: Count = 0
    peers: Count = 0
    seconds: float = 0.0


class RankPoint(Message):
    """The volunteer's rank on the run's leaderboard at a time."""

    time: datetime
    rank: Annotated[int, Field(ge=1)]
    of: Count
