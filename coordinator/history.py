"""The run's epochs as a curve of so many points, for the API and the website."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Epoch


_MOST_GENERATIONS = 64
"""Of which the newest are looked at."""


class Point(BaseModel):
    """An epoch, as the recorder saw it committed."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    epoch: int
    time: datetime
    loss: float | None
    samples: int
    peers: int
    seconds: float
    """Since the epoch before."""
    traffic: int | None
    """Bytes that its exchange took, of all peers together."""

    @property
    def samples_per_second(self) -> float | None:
        return self.samples / self.seconds if self.seconds > 0 else None


class History(BaseModel):
    """A run's curve through all its generations."""

    model_config = ConfigDict(frozen=True)

    generation: int
    """The newest."""
    epochs: Sequence[Point]
    """In their order; the last is the newest epoch there is."""


def history(session: Session, points: int) -> History:
    """At most ``points`` (2 or more) epochs, evenly apart and the newest among them; none that were taken back."""
    standing = _standing(session)
    if not standing:
        return History(generation=0, epochs=())
    generation, newest = max(standing), max(until for _, until in standing.values())
    apart = -(-newest // (points - 1)) or 1
    chosen = or_(Epoch.epoch % apart == 0, Epoch.epoch == newest)
    stands = or_(
        *(and_(Epoch.generation == one, Epoch.epoch <= until) for one, (_, until) in standing.items())
    )
    found = session.scalars(select(Epoch).where(stands, chosen).order_by(Epoch.epoch).limit(points))
    return History(generation=generation, epochs=[Point.model_validate(epoch) for epoch in found])


def _standing(session: Session) -> dict[int, tuple[int, int]]:
    """The first and the last epoch of each generation, of those that no later generation has done again."""
    spans = session.execute(
        select(Epoch.generation, func.min(Epoch.epoch), func.max(Epoch.epoch)).group_by(Epoch.generation)
    )
    standing: dict[int, tuple[int, int]] = {}
    begun_later: int | None = None
    for generation, first, last in sorted((tuple(row) for row in spans), reverse=True)[:_MOST_GENERATIONS]:
        until = last if begun_later is None else min(last, begun_later - 1)
        if first <= until:
            standing[generation] = first, until
        begun_later = first if begun_later is None else min(first, begun_later)
    return standing
