"""The run's time-lapse: the frames that the recorder has fetched, along the chain that stands."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Frame, Peer, User
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
    standing = select(*columns).where(stands(session, Frame), may_be_shown())
    rows = session.execute(standing.order_by(Frame.epoch)).all()
    apart = 1
    while len(rows) > most * apart:
        apart *= 2
    chosen = [row for number, row in enumerate(rows) if number % apart == 0 or row is rows[-1]]
    return tuple(FramePoint(*row) for row in chosen)


def may_be_shown() -> ColumnElement[bool]:
    """Whether a frame was not taken down (`take_down`), and whoever drew it is not banned."""
    of_banned = (
        select(Peer.id)
        .join(User, User.id == Peer.user_id)
        .where(Peer.peer_id == Frame.peer_id, User.banned.is_not(None))
    )
    return (Frame.size > 0) & ~of_banned.exists()


def take_down(session: Session, epoch: int) -> list[str]:
    """Show the frames of an epoch no more; their files. The rows stay, so that none is fetched in their place."""
    found = session.scalars(select(Frame).where(Frame.epoch == epoch, Frame.size > 0)).all()
    for frame in found:
        frame.size = 0
    return [frame.file for frame in found]
