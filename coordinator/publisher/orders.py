"""What the command line asks of the publisher, by way of the database: to take the run back, or to publish."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Order

Clock = Callable[[], datetime]


class Kind(StrEnum):
    ROLLBACK = "rollback"
    PUBLISH = "publish"


class Argument(BaseModel):
    """What an order says beside its kind; JSON in the database."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    """Who gave it: a moderator's name, or "coordinator"."""
    epoch: int | None = None
    """Of the checkpoint; None: the newest."""
    checkpoint: int | None = None
    """Its number in the database, once it was chosen."""
    generation: int | None = None
    """That a rollback raises the run to; written before the manifest, so that it is known afterwards if it did."""
    why: str = ""


@dataclass(frozen=True)
class Outcome:
    """How an order ended."""

    done: datetime
    text: str
    """In words."""


def place(session: Session, kind: Kind, argument: Argument, now: datetime) -> Order:
    """Write an order down for the publisher, within the session's transaction."""
    order = Order(kind=kind.value, argument=argument.model_dump_json(), created=now)
    session.add(order)
    session.flush()
    return order


def request_publication(
    database: Database, epoch: int | None = None, *, by: str, clock: Clock = lambda: datetime.now(UTC)
) -> int:
    """Ask for the checkpoint of that epoch, or the newest, to be published now; the order's number."""
    with database.session() as session:
        return int(place(session, Kind.PUBLISH, Argument(by=by, epoch=epoch), clock()).id)


def outcome(database: Database, number: int) -> Outcome | None:
    """How that order ended; None while it waits."""
    with database.session() as session:
        order = session.get(Order, number)
        return None if order is None or order.done is None else Outcome(order.done, order.outcome or "")


def waiting(session: Session) -> list[Order]:
    """Those that nobody has carried out, in their order."""
    return list(session.scalars(select(Order).where(Order.done.is_(None)).order_by(Order.id)))


def argument_of(order: Order) -> Argument:
    return Argument.model_validate_json(order.argument)


def finish(order: Order, now: datetime, text: str) -> None:
    order.done, order.outcome = now, text
