"""Carries out an order to take the run back: the step that cannot be undone is the new manifest, and nothing else."""

from datetime import UTC, datetime

from coordinator.database.connect import Database
from coordinator.database.tables import Order
from coordinator.home import Home
from coordinator.publisher.archive import Archive
from coordinator.publisher.orders import Clock, argument_of
from coordinator.rollback import intend, require, settle
from core.digest import digest
from core.run import RunManifest
from core.signing import SigningKey
from core.swarm.state import OPTIMIZER, PARAMETERS, under


def take_back(
    home: Home,
    database: Database,
    archive: Archive,
    order: Order,
    clock: Clock = lambda: datetime.now(UTC),
) -> RunManifest:
    """Do what an order says; the new manifest, which is in the home then.

    Raises RollbackError if the checkpoint is not there any more, and CheckpointError if it is damaged; nothing has
    happened then.
    """
    epoch, key = argument_of(order).epoch, SigningKey.load(home.organiser_key)
    assert epoch is not None
    parameters, optimizer = _beginning(archive, epoch)
    with home.rewriting():
        newer = RunManifest.load(home.manifest).roll_back(key, epoch, parameters, optimizer)
        with database.session() as session:
            intend(session, order.id, newer.state.generation)
        newer.save(home.manifest)  # from here on it has happened
    settle(database, newer, clock)
    return newer


def _beginning(archive: Archive, epoch: int) -> tuple[str | None, str | None]:
    """Digests of parameters and optimizer state at a kept epoch; none at the run's own beginning."""
    if epoch == 0:
        return None, None
    kept = archive.kept()
    require(epoch, [item.epoch for item in kept])
    tensors = archive.state([item for item in kept if item.epoch == epoch][-1]).tensors
    return digest(under(PARAMETERS, tensors)), digest(under(OPTIMIZER, tensors))
