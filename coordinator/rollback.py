"""Rollback of a run to an earlier checkpoint: the publisher's order, and the database entries afterwards.

The publisher carries it out (`publisher.rollbacks`), and the new manifest is the one step that counts. The
steps before it are repeated at the next start, since the order still waits; the steps after it (`settle`) are
derived from the manifest and may be done any number of times. A process killed midway has rolled back fully
or not at all.
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
from coordinator.publisher.retention import CheckpointStatus, KeptCheckpoint
from core.run.manifest import RunManifest

ACTION = "rollback"
"""Name of the action in the audit log."""
COORDINATOR = "coordinator"
"""Actor in the audit log if the coordinator itself rolls back a diverged run."""


def _now() -> datetime:
    return datetime.now(UTC)


def request(database: Database, epoch: int, *, by: str, why: str = "", clock: Clock = _now) -> int:
    """Order a rollback to the newest good checkpoint of that epoch; return the order's number.

    Epoch 0 is the start of the run, which needs no checkpoint. `publisher.orders.outcome` tells the result.
    Raises RollbackError, naming the available epochs, if no checkpoint of that epoch is kept.
    """
    with database.session() as session:
        require(epoch, _epochs(session))
        argument = Argument(by=by, epoch=epoch, why=why)
        return int(place(session, Kind.ROLLBACK, argument, clock()).id)


def epoch_before(database: Database, epoch: int) -> int:
    """Return the epoch of the newest kept checkpoint before ``epoch``, at which something harmed the model.

    Raises RollbackError, naming the available epochs, if none is from before it. The start of the run is never
    chosen: it gives up all that the swarm has learnt.
    """
    with database.reading() as session:
        epochs = _epochs(session)
    earlier = [kept for kept in epochs if kept < epoch]
    if not earlier:
        kept = ", ".join(map(str, sorted(set(epochs)))) or "none yet"
        raise RollbackError(
            f"No checkpoint from before epoch {epoch} is kept.",
            f"Kept epochs: {kept}. Give one of them, or 0 to start from the beginning.",
        )
    return max(earlier)


def require(epoch: int, epochs: Sequence[int]) -> None:
    """Raise RollbackError unless that epoch has a checkpoint or is the start of the run."""
    if epoch and epoch not in epochs:
        kept = ", ".join(map(str, sorted(set(epochs)))) or "none yet"
        raise RollbackError(
            f"No checkpoint of epoch {epoch} is kept.",
            f"Kept epochs: {kept}. Give one of them, or 0 to start from the beginning.",
        )


def intend(session: Session, number: int, generation: int) -> None:
    """Record which generation an order leads to, so that its success can be determined later."""
    order = session.get_one(Order, number)
    order.argument = argument_of(order).model_copy(update={"generation": generation}).model_dump_json()


def settle(database: Database, manifest: RunManifest, clock: Clock = _now) -> None:
    """Update the database to a manifest that was rolled back, if it is not up to date yet."""
    state = manifest.state
    with database.session() as session:
        session.execute(
            update(Checkpoint)
            .where(
                Checkpoint.standing == CheckpointStatus.KEPT.value,
                Checkpoint.generation < state.generation,
                Checkpoint.epoch > state.epoch,
            )
            .values(standing=CheckpointStatus.BAD.value)
        )
        for order in waiting(session):
            if order.kind == Kind.ROLLBACK and _led_to(argument_of(order), state.generation):
                _conclude(session, order, manifest, clock())


def conclude(database: Database, number: int, text: str, now: datetime) -> None:
    """End an order with this text, if it still waits."""
    with database.session() as session:
        order = session.get_one(Order, number)
        if order.done is None:
            finish(order, now, text)


def of_today(session: Session, now: datetime) -> int:
    """Return how many times the coordinator itself has rolled the run back within a day."""
    recent = select(func.count()).where(
        AuditEntry.actor == COORDINATOR,
        AuditEntry.action == ACTION,
        AuditEntry.time > now - timedelta(days=1),
    )
    return session.scalar(recent) or 0


def best_before(
    kept: Sequence[KeptCheckpoint], epoch: int, tried: int | None = None
) -> KeptCheckpoint | None:
    """Return the newest kept checkpoint from before an epoch, or None; ``kept`` is ordered from old to new.

    Args:
        tried: number of the checkpoint that the run was rolled back to and diverged from again; it is
            chosen only if there is no other.
    """
    earlier = [item for item in kept if item.epoch < epoch]
    other = [item for item in earlier if item.id != tried]
    return next(reversed(other or earlier), None)


def _led_to(argument: Argument, generation: int) -> bool:
    return argument.generation is not None and argument.generation <= generation


def _conclude(session: Session, order: Order, manifest: RunManifest, now: datetime) -> None:
    state, argument = manifest.state, argument_of(order)
    finish(order, now, f"The run was rolled back to epoch {state.epoch}.")
    where = f"epoch {state.epoch}, generation {state.generation}"
    note(session, now, argument.by, ACTION, where, argument.why)


def _epochs(session: Session) -> list[int]:
    return list(
        session.scalars(select(Checkpoint.epoch).where(Checkpoint.standing == CheckpointStatus.KEPT.value))
    )
