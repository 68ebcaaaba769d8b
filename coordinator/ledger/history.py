"""The run's epochs for a curve and a list: as many points as are asked for, along the chain that stands."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Epoch, Frame

NEWEST = 10
"""Epochs that are never left out: who follows a run reads them one by one."""


@dataclass(frozen=True)
class EpochPoint:
    """An epoch of the chain that stands."""

    generation: int
    epoch: int
    time: datetime
    loss: float | None
    samples: int
    peers: int
    seconds: float
    traffic: int | None
    """Bytes that its exchange took, of all peers together."""


def history(session: Session, points: int = 500) -> tuple[EpochPoint, ...]:
    """At most so many epochs (or ten), evenly spaced but for the newest ten, which are all there.

    Epochs that a rollback took back are not on the curve.
    """
    standing = stands(session, Epoch)
    count, last = session.execute(
        select(func.count(Epoch.epoch), func.max(Epoch.epoch)).where(standing)
    ).one()
    spacing = -(-count // max(points - NEWEST, 1)) or 1
    before = (last or 0) - Epoch.epoch
    chosen = select(Epoch).where(standing, or_(before % spacing == 0, before < NEWEST))
    return tuple(_point(epoch) for epoch in session.scalars(chosen.order_by(Epoch.epoch)))


def stands(session: Session, table: type[Epoch] | type[Frame]) -> ColumnElement[bool]:
    """Whether no later generation began at or before the epoch of a row."""
    starts = select(Epoch.generation, func.min(Epoch.epoch)).group_by(Epoch.generation)
    parts: list[ColumnElement[bool]] = []
    end: int | None = None
    for generation, start in session.execute(starts.order_by(Epoch.generation.desc())):
        before = table.epoch < end if end is not None else table.epoch >= start
        parts.append(and_(table.generation == generation, before))
        end = start if end is None else min(end, start)
    return or_(false(), *parts)


def _point(epoch: Epoch) -> EpochPoint:
    return EpochPoint(
        generation=epoch.generation,
        epoch=epoch.epoch,
        time=epoch.time,
        loss=epoch.loss,
        samples=epoch.samples,
        peers=epoch.peers,
        seconds=epoch.seconds,
        traffic=epoch.traffic,
    )
