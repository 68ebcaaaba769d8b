"""Orders of the command line to the publisher, through the database: to roll the run back, or to publish."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Checkpoint, Order
from coordinator.errors import PublishError
from coordinator.publisher.retention import CheckpointStatus
from core.run.rules import TrainingRules

Clock = Callable[[], datetime]


class Kind(StrEnum):
    ROLLBACK = "rollback"
    PUBLISH = "publish"


class Argument(BaseModel):
    """Arguments of an order beside its kind; JSON in the database."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    """Author of the order: a moderator's name, or "coordinator"."""
    epoch: int | None = None
    """Epoch of the checkpoint; None: the newest."""
    checkpoint: int | None = None
    """Number of the order in the database, once it was chosen."""
    generation: int | None = None
    """Generation that a rollback begins; written before the manifest, to know afterwards if the rollback happened."""
    why: str = ""


@dataclass(frozen=True)
class OrderOutcome:
    """The outcome of an order."""

    done: datetime
    text: str
    """The outcome in words."""


def place(session: Session, kind: Kind, argument: Argument, now: datetime) -> Order:
    """Write an order down for the publisher, within the session's transaction."""
    order = Order(kind=kind.value, argument=argument.model_dump_json(), created=now)
    session.add(order)
    session.flush()
    return order


def request_publication(database: Database, epoch: int | None = None, *, by: str) -> int:
    """Ask for the checkpoint of that epoch, or the newest, to be published now; the order's number."""
    with database.session() as session:
        return int(place(session, Kind.PUBLISH, Argument(by=by, epoch=epoch), datetime.now(UTC)).id)


def require_publication(
    database: Database, training: TrainingRules, to: str | None, epoch: int | None = None
) -> None:
    """Raise PublishError for an order that no publisher could carry out.

    Args:
        database: Database of the run.
        training: Rules of the run.
        to: Repository on the Hub that the settings name.
        epoch: Epoch of the checkpoint; None: the newest.
    """
    if why := training.unpublishable:
        raise PublishError(
            f"This model cannot be published on the Hub: {why}.",
            "Share the folder of a checkpoint together with the run's manifest.",
        )
    if to is None:
        raise PublishError(
            "This run names no repository to publish to.",
            'Set publish_to = "OWNER/NAME" under [checkpoints] in coordinator.toml, and restart `serve` with '
            "HF_TOKEN in its environment.",
        )
    with database.session() as session:
        kept = select(Checkpoint.epoch).where(Checkpoint.standing == CheckpointStatus.KEPT.value)
        epochs = sorted(set(session.scalars(kept)))
    if not epochs:
        raise PublishError(
            "No checkpoint is kept yet.",
            "Publish once `idlebrush coordinator status` shows one: the publisher takes them from the swarm.",
        )
    if epoch is not None and epoch not in epochs:
        raise PublishError(
            f"No checkpoint of epoch {epoch} is kept.", f"Give one of these: {', '.join(map(str, epochs))}."
        )


def outcome(database: Database, number: int) -> OrderOutcome | None:
    """Return the outcome of the order of that number; None while the order waits."""
    with database.session() as session:
        order = session.get(Order, number)
        return None if order is None or order.done is None else OrderOutcome(order.done, order.outcome or "")


def waiting(session: Session) -> list[Order]:
    """Return the orders that have not been carried out, in their order."""
    return list(session.scalars(select(Order).where(Order.done.is_(None)).order_by(Order.id)))


def argument_of(order: Order) -> Argument:
    return Argument.model_validate_json(order.argument)


def finish(order: Order, now: datetime, text: str) -> None:
    order.done, order.outcome = now, text
