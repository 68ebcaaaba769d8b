"""Taking a run back to an earlier checkpoint: what is asked of the publisher, and what the books say afterwards.

The publisher does it (`publisher.taking_back`), and the new manifest is the one step that counts. What leads to it
is done again by the next start, since the order still waits; what follows from it (`settle`) is derived from the
manifest and may be done any number of times. So whoever is killed in the middle has done it or has not.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry, Checkpoint, Order
from coordinator.errors import RollbackError
from coordinator.gate.audit import note
from coordinator.publisher.orders import Argument, Clock, Kind, argument_of, finish, place, waiting
from coordinator.publisher.ring import Kept, Standing
from core.run import RunManifest

ACTION = "rollback"
"""In the audit log."""
COORDINATOR = "coordinator"
"""Who takes a run back that blew up."""


def _now() -> datetime:
    return datetime.now(UTC)


def request(database: Database, epoch: int, *, by: str, why: str = "", clock: Clock = _now) -> int:
    """Ask the publisher to take the run back to its newest good checkpoint of that epoch; the order's number.

    Epoch 0 is the run's very beginning, which needs none. How it went is told by `publisher.orders.outcome`. Raises
    RollbackError, naming the epochs that there are, if no checkpoint of that epoch is kept.
    """
    with database.session() as session:
        require(epoch, _epochs(session))
        argument = Argument(by=by, epoch=epoch, why=why)
        return int(place(session, Kind.ROLLBACK, argument, clock()).id)


def require(epoch: int, epochs: Sequence[int]) -> None:
    """Raise RollbackError unless that epoch is among those of which there are checkpoints, or the beginning."""
    if epoch and epoch not in epochs:
        there = ", ".join(map(str, sorted(set(epochs)))) or "none yet"
        raise RollbackError(
            f"No checkpoint of epoch {epoch} is kept.",
            f"Give one of those that are ({there}), or 0 to begin anew.",
        )


def intend(session: Session, number: int, generation: int) -> None:
    """Write down which generation an order leads to, to tell afterwards whether it did."""
    order = session.get_one(Order, number)
    order.argument = argument_of(order).model_copy(update={"generation": generation}).model_dump_json()


def settle(database: Database, manifest: RunManifest, clock: Clock = _now) -> None:
    """Bring the books in line with a manifest that was taken back, if they are not yet."""
    state = manifest.state
    with database.session() as session:
        session.execute(
            update(Checkpoint)
            .where(
                Checkpoint.standing == Standing.KEPT.value,
                Checkpoint.generation < state.generation,
                Checkpoint.epoch > state.epoch,
            )
            .values(standing=Standing.BAD.value)
        )
        for order in waiting(session):
            if order.kind == Kind.ROLLBACK and _led_to(argument_of(order), state.generation):
                _conclude(session, order, manifest, clock())


def conclude(database: Database, number: int, text: str, now: datetime) -> None:
    """End an order with these words, if it waits."""
    with database.session() as session:
        order = session.get_one(Order, number)
        if order.done is None:
            finish(order, now, text)


def of_today(session: Session, now: datetime) -> int:
    """How often the coordinator has taken the run back by itself within a day."""
    recent = select(func.count()).where(
        AuditEntry.actor == COORDINATOR,
        AuditEntry.action == ACTION,
        AuditEntry.time > now - timedelta(days=1),
    )
    return session.scalar(recent) or 0


def best_before(kept: Sequence[Kept], epoch: int, tried: int | None = None) -> Kept | None:
    """The newest checkpoint from before an epoch, of those that are kept, the oldest first; None if there is none.

    Args:
        tried: number of the checkpoint that the run was taken back to and went astray from again; taken only where
            there is no other.
    """
    earlier = [item for item in kept if item.epoch < epoch]
    other = [item for item in earlier if item.id != tried]
    return next(reversed(other or earlier), None)


def _led_to(argument: Argument, generation: int) -> bool:
    return argument.generation is not None and argument.generation <= generation


def _conclude(session: Session, order: Order, manifest: RunManifest, now: datetime) -> None:
    state, argument = manifest.state, argument_of(order)
    finish(order, now, f"The run was taken back to epoch {state.epoch}.")
    where = f"epoch {state.epoch}, generation {state.generation}"
    note(session, now, argument.by, ACTION, where, argument.why)


def _epochs(session: Session) -> list[int]:
    return list(session.scalars(select(Checkpoint.epoch).where(Checkpoint.standing == Standing.KEPT.value)))
