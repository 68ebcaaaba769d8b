"""History of training on this computer, as front ends draw it: contribution by period, epochs, and ranks."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from client.contribution.tally import Period as Period
from core.contribution.year import WEEKS as WEEKS
from core.contribution.year import CalendarDay as CalendarDay
from core.contribution.year import YearCalendar as YearCalendar
from core.contribution.year import year_of as year_of
from core.messages.lines import Message

_Count = Annotated[int, Field(ge=0)]
MOST_RUNS = 50
"""Largest number of runs in one answer; those with the largest contributions are given."""
MOST_POINTS = 2_000
"""Largest number of points of a curve in one answer; longer curves are thinned out."""


class ContributionRow(Message):
    """Contribution in one period."""

    start: datetime
    """Beginning of the period, in local time without a zone."""
    samples: _Count
    """Samples that this computer has contributed."""
    epochs: _Count
    """Epochs to which this computer has contributed."""
    compute_seconds: float
    joules: float
    """Energy of the GPU; 0 where the driver does not report it."""
    bytes_sent: _Count
    bytes_received: _Count
    cpu_joules: float = 0.0
    """This program's part of the processor's energy; 0 where the system does not report it."""
    cost: float = 0.0
    """Cost of the energy, in the unit `ContributionHistory.currency`; 0 where no price was entered."""
    carbon_grams: float = 0.0
    """CO2 of the energy, in the unit gram; 0 where no carbon intensity was entered."""

    @property
    def energy(self) -> float:
        """Energy of GPU and processor in joules."""
        return self.joules + self.cpu_joules


class BadgeView(Message):
    """A badge, achieved or not."""

    code: str
    """Code such as ``samples_1000``; front ends word it, and `client.contribution.badges` lists all."""
    reached: date | None
    """Day on which it was achieved; None: not yet."""
    progress: Annotated[float, Field(ge=0, le=1)]
    """Completed share of the way to the badge, 0 to 1."""


class RunContribution(Message):
    """Contribution to one run in all time."""

    digest: str
    """Digest of the run's training part."""
    name: str
    samples: _Count
    epochs: _Count
    compute_seconds: float


class ContributionHistory(Message):
    """Contribution to one run, or to all runs."""

    by: Period
    rows: tuple[ContributionRow, ...]
    """Contribution of each period, oldest first; periods in which nothing was given are left out."""
    total: ContributionRow
    """Contribution in all time; `start` is that of the first period, or now."""
    streak_days: _Count
    """Days in a row on which something was given, up to today or yesterday."""
    longest_streak_days: _Count
    badges: tuple[BadgeView, ...] = ()
    currency: str = ""
    """Currency of costs as the volunteer writes it; empty: none was given."""
    runs: tuple[RunContribution, ...] = ()
    """Contribution to each run, the largest first; empty in the history of one run."""


class EpochPoint(Message):
    """One epoch of the joined run."""

    epoch: _Count
    loss: float
    samples: _Count
    """Samples of the epoch from all peers together."""
    own_samples: _Count = 0
    """Samples of the epoch that are this computer's."""
    peers: _Count = 0
    """Peers that took part in the epoch."""
    seconds: float = 0.0
    """Seconds from the epoch before to this one."""


class RankPoint(Message):
    """The volunteer's rank on the run's leaderboard at a time."""

    time: datetime
    rank: Annotated[int, Field(ge=1)]
    """Place on the leaderboard, 1 for the largest contribution."""
    of: _Count
    """Number of volunteers on the leaderboard."""
