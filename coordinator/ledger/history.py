"""The epochs of a run and the frames of its time-lapse, along the current chain, thinned out for curves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.bulk import one_of
from coordinator.database.tables import Epoch, Frame, KnownPeer, User

F = TypeVar("F")
NEWEST = 10
"""Number of newest epochs that are never left out, since people who follow a run read them one by one."""


@dataclass(frozen=True)
class HistoryPoint:
    """An epoch of the current chain."""

    generation: int
    epoch: int
    time: datetime
    loss: float | None
    samples: int
    peers: int
    seconds: float
    traffic: int | None
    """Bytes sent and received by all peers together for its exchange."""


def history(session: Session, points: int = 500) -> tuple[HistoryPoint, ...]:
    """Return at most ``points`` epochs (at least ten): the newest ten, and evenly spaced earlier ones.

    Epochs that a rollback removed are not on the curve. Those on it are asked for by their numbers, so that the
    database does not read all epochs.
    """
    standing = list(_standing(session))
    if not standing:
        return ()
    newest = select(func.max(Epoch.epoch)).where(Epoch.generation == standing[0].generation)
    first = min(part.start for part in standing)
    numbers = _thinned(first, session.scalars(newest).one(), points)
    parts = [(part.generation, [number for number in numbers if number in part]) for part in standing]
    # Conditions on the key alone: PostgreSQL reads the range of a generation as a whole if that is one, too.
    wanted = [
        and_(Epoch.generation == generation, one_of(session, Epoch.epoch, chosen))
        for generation, chosen in parts
        if chosen
    ]
    found = select(Epoch).where(or_(false(), *wanted)).order_by(Epoch.epoch)
    return tuple(_point(epoch) for epoch in session.scalars(found))


def _thinned(first: int, last: int, points: int) -> list[int]:
    """Return the numbers of the epochs on a curve from ``first`` to ``last``, in rising order."""
    spacing = -(-(last - first + 1) // max(points - NEWEST, 1))
    return sorted({*range(last, first - 1, -spacing), *range(last, max(first - 1, last - NEWEST), -1)})


@dataclass(frozen=True)
class _StandingEpochs:
    """The epochs of a generation before the first one of any later generation."""

    generation: int
    start: int
    end: int | None
    """First epoch that does not stand any more; None for the newest generation."""

    def __contains__(self, epoch: int) -> bool:
        return self.start <= epoch and (self.end is None or epoch < self.end)


def stands(session: Session, table: type[Epoch] | type[Frame]) -> ColumnElement[bool]:
    """Return the condition that no later generation began at or before the epoch of a row."""
    parts = [
        and_(
            table.generation == part.generation,
            table.epoch < part.end if part.end is not None else table.epoch >= part.start,
        )
        for part in _standing(session)
    ]
    return or_(false(), *parts)


def _standing(session: Session) -> Iterator[_StandingEpochs]:
    """Yield the standing epochs of each generation, the newest first."""
    end: int | None = None
    for generation, start in _starts(session):
        yield _StandingEpochs(generation, start, end)
        end = start if end is None else min(end, start)


def _starts(session: Session) -> Iterator[tuple[int, int]]:
    """Yield generations and their first epochs, the newest first, without a look at all epochs."""
    newest = select(Epoch.generation).order_by(Epoch.generation.desc()).limit(1)
    generation = session.scalar(newest)
    while generation is not None:
        first = select(func.min(Epoch.epoch)).where(Epoch.generation == generation)
        yield generation, session.scalars(first).one()
        generation = session.scalar(newest.where(Epoch.generation < generation))


def _point(epoch: Epoch) -> HistoryPoint:
    return HistoryPoint(
        generation=epoch.generation,
        epoch=epoch.epoch,
        time=epoch.time,
        loss=epoch.loss,
        samples=epoch.samples,
        peers=epoch.peers,
        seconds=epoch.seconds,
        traffic=epoch.traffic,
    )


@dataclass(frozen=True)
class FramePoint:
    """A frame, whose picture is at ``/frames/GENERATION/EPOCH/SHA256``."""

    generation: int
    epoch: int
    sha256: str
    size: int
    """Size of the file in bytes."""


def time_lapse(session: Session, most: int) -> tuple[FramePoint, ...]:
    """Return about ``most`` frames at most, oldest first, always including the newest."""
    return tuple(frame for frame, _ in thinned_frames(standing_frames(session), most))


def standing_frames(session: Session) -> list[tuple[FramePoint, str]]:
    """Return all frames of the current chain that may be shown, with the names of their files, oldest first."""
    columns = Frame.generation, Frame.epoch, Frame.sha256, Frame.size, Frame.file
    standing = select(*columns).where(stands(session, Frame), may_be_shown())
    return [(FramePoint(*row[:-1]), row[-1]) for row in session.execute(standing.order_by(Frame.epoch))]


def thinned_frames(frames: Sequence[F], most: int) -> list[F]:
    """Return about ``most`` of the frames at most, in their order, always including the newest.

    As the run goes on, a chosen frame stays chosen until half of them are dropped at once, so that clients
    can keep the frames that they have fetched. The newest is chosen only while it is, unless its turn has come.
    """
    apart = 1
    while len(frames) > most * apart:
        apart *= 2
    last = len(frames) - 1
    return [frame for number, frame in enumerate(frames) if number % apart == 0 or number == last]


def may_be_shown() -> ColumnElement[bool]:
    """Return the condition that a frame was not taken down (`take_down`) and its author is not banned."""
    of_banned = (
        select(KnownPeer.id)
        .join(User, User.id == KnownPeer.user_id)
        .where(KnownPeer.peer_id == Frame.peer_id, User.banned.is_not(None))
    )
    return (Frame.size > 0) & ~of_banned.exists()


def take_down(session: Session, epoch: int) -> list[str]:
    """Hide the frames of an epoch and return their files; the rows stay, so that none is fetched again."""
    found = session.scalars(select(Frame).where(Frame.epoch == epoch, Frame.size > 0)).all()
    for frame in found:
        frame.size = 0
    return [frame.file for frame in found]
