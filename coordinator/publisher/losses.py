"""The losses of the epochs that led to where a run is now, without those that a rollback took back."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.tables import Epoch
from core.rules import RunState


@dataclass(frozen=True)
class LossOfEpoch:
    epoch: int
    loss: float


def lineage(session: Session, state: RunState, count: int) -> list[LossOfEpoch]:
    """The newest ``count``, oldest first; of epochs that several generations went through, the latest's."""
    rows = session.scalars(
        select(Epoch)
        .where(
            Epoch.loss.is_not(None),
            Epoch.generation <= state.generation,
            (Epoch.generation == state.generation) | (Epoch.epoch <= state.epoch),
        )
        .order_by(Epoch.epoch.desc(), Epoch.generation.desc())
        .limit(2 * count)
    )
    found: dict[int, LossOfEpoch] = {}
    for row in rows:
        if row.loss is not None:
            found.setdefault(row.epoch, LossOfEpoch(row.epoch, row.loss))
    return list(reversed(list(found.values())[:count]))
