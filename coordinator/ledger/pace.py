"""The pace of a run: how fast its newest epochs followed each other, as the ledger has them."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Epoch
from coordinator.ledger.history import stands

_MEASURED = timedelta(days=1)
"""Time before the newest epoch whose epochs count."""


@dataclass(frozen=True)
class MeasuredPace:
    """The newest epochs of the current chain, of a day at most."""

    epochs: int
    """Epochs that followed the first one of them."""
    seconds: float
    """Seconds from the first one to the last."""
    contributors: float
    """Mean number of computers that had a part in an epoch."""

    @property
    def epoch_seconds(self) -> float:
        """Seconds from one epoch to the next."""
        return self.seconds / self.epochs


def measured_pace(session: Session) -> MeasuredPace | None:
    """Return the pace of the last day in which the run made epochs; None where there is none to measure.

    The day ends with the newest epoch: a run that has had no volunteers since goes on at that pace.
    """
    standing = stands(session, Epoch)
    newest = session.scalar(select(Epoch.time).where(standing).order_by(Epoch.time.desc()).limit(1))
    if newest is None:
        return None
    found = select(func.count(), func.min(Epoch.time), func.avg(Epoch.peers))
    count, first, peers = session.execute(found.where(standing, Epoch.time >= newest - _MEASURED)).one()
    seconds = (newest - first).total_seconds()
    return MeasuredPace(count - 1, seconds, float(peers)) if count > 1 and seconds > 0 else None
