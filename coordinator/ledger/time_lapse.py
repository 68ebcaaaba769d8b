"""The run's time-lapse: the frames that the recorder has fetched, along the chain that stands."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.tables import Frame
from coordinator.ledger.history import stands


@dataclass(frozen=True)
class FramePoint:
    """A frame, whose picture is at ``/frames/GENERATION/EPOCH/SHA256``."""

    generation: int
    epoch: int
    sha256: str
    size: int
    """Bytes."""


def time_lapse(session: Session, most: int) -> tuple[FramePoint, ...]:
    """About so many frames at most, oldest first, the newest always among them.

    As the run goes on, what is chosen stays chosen until half of it goes at once: who has fetched it, has it.
    """
    columns = Frame.generation, Frame.epoch, Frame.sha256, Frame.size
    rows = session.execute(select(*columns).where(stands(session, Frame)).order_by(Frame.epoch)).all()
    apart = 1
    while len(rows) > most * apart:
        apart *= 2
    chosen = [row for number, row in enumerate(rows) if number % apart == 0 or row is rows[-1]]
    return tuple(FramePoint(*row) for row in chosen)
