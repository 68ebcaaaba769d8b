"""The checkpoints that the publisher keeps: a ring of folders on disk, and what the database says of them.

A folder is complete before the database names it, and the database drops its name before the folder is removed. A
process that is killed in between leaves at most a folder without a name, which the next start removes.
"""

import logging
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import exists, func, select, update

from coordinator.database.connect import Database
from coordinator.database.tables import Checkpoint, Epoch
from coordinator.errors import PublishError
from coordinator.publisher.retention import CheckpointStatus, KeptCheckpoint, in_order, superfluous
from core.errors import CheckpointError
from core.memory.units import format_size
from core.run.manifest import RunManifest
from core.storage import checkpoint
from core.storage.disk import Disk
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place, state_tensors
from core.swarm.state.run_schema import schema_of_run
from core.swarm.state.state import OPTIMIZER, PARAMETERS, SwarmState, under

_log = logging.getLogger(__name__)

_SPARE_BYTES = 256 << 20
"""Bytes that are left free on the disk, which holds the database and the logs as well."""
_DISK = Disk()


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class Archive:
    """The checkpoints of one generation of a run, with the good ones of earlier generations."""

    def __init__(
        self,
        folder: Path,
        database: Database,
        manifest: RunManifest,
        keep: int,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        disk: Disk = _DISK,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._folder, self._database, self._manifest, self._keep = folder, database, manifest, keep
        self._clock, self._disk, self._free = clock, disk, free
        self._names = [item.name for item in schema_of_run(manifest.training)]
        folder.mkdir(parents=True, exist_ok=True)

    def kept(self) -> list[KeptCheckpoint]:
        """Return the checkpoints that are kept, the oldest first."""
        with self._database.reading() as session:
            rows = session.scalars(select(Checkpoint).where(Checkpoint.standing == CheckpointStatus.KEPT))
            return in_order([_kept(row) for row in rows])

    def enter(self, state: SwarmState, place: Place, loss: float | None) -> KeptCheckpoint:
        """Keep a state of this generation, and let go what is older than the ring is long.

        Raises PublishError if the disk is too full, CheckpointError if it cannot be written.
        """
        began = self._clock()
        self._require_space(sum(item.nbytes for item in state.tensors.values()))
        name = f"generation-{self._manifest.state.generation}-epoch-{state.epoch:08}"
        checkpoint.save(self._folder / name, self._checkpoint(state), disk=self._disk)
        row = Checkpoint(
            generation=self._manifest.state.generation,
            epoch=state.epoch,
            parameters=place.digest,
            folder=name,
            loss=loss,
            size=_size(self._folder / name),
            created=self._clock(),
            standing=CheckpointStatus.KEPT.value,
        )
        with self._database.session() as session:
            session.add(row)
            session.flush()
            entered = _kept(row)
        self._log_kept(entered, (self._clock() - began).total_seconds())
        self._let_go()
        return entered

    def _log_kept(self, kept: KeptCheckpoint, seconds: float) -> None:
        text = "The checkpoint of epoch %d is kept in %s: %d bytes, written in %.1f s."
        _log.info(text, kept.epoch, self.path(kept), kept.size, seconds)

    def state(self, kept: KeptCheckpoint) -> SwarmState:
        """Return the verified state that a checkpoint holds, as a swarm has it in common.

        Its tensors are in the order in which they travel. Its head is the one under which the checkpoint was
        made.

        Raise CheckpointError if the checkpoint is damaged, or another than the one that was kept.
        """
        saved = checkpoint.load(self.path(kept))
        if saved.training_digest != self._manifest.training_digest or saved.epoch != kept.epoch:
            raise CheckpointError(f"{kept.folder} is not what was kept there.", "Use another checkpoint.")
        tensors = state_tensors(saved.parameters, saved.optimizer)
        if tensors.keys() != set(self._names):
            raise CheckpointError(f"{kept.folder} is of another model.", "Use another checkpoint.")
        head = bytes.fromhex(str(saved.metadata["head"]))
        return SwarmState(saved.epoch, head, {name: tensors[name] for name in self._names})

    def path(self, kept: KeptCheckpoint) -> Path:
        return self._folder / kept.folder

    def beginning(self) -> KeptCheckpoint | None:
        """Return the checkpoint that this generation begins with.

        Return None if it begins with none, or with one that is not here.
        """
        start = self._manifest.state
        return next(
            (
                item
                for item in self.kept()
                if (item.epoch, item.parameters) == (start.epoch, start.parameters)
            ),
            None,
        )

    def newest(self) -> KeptCheckpoint | None:
        """Return the newest checkpoint of this generation, its beginning included; None if there is none."""
        start = self._manifest.state
        own = [item for item in self.kept() if item.generation == start.generation]
        return own[-1] if own else self.beginning()

    def clear_up(self) -> None:
        """Remove folders without a name in the database, and names of what is gone or of an unbegun generation."""
        self._mark_removed(self._unbegun())
        named = {item.folder: item for item in self.kept()}
        gone = [item.id for name, item in named.items() if not checkpoint.exists(self._folder / name)]
        self._mark_removed(gone)
        for path in self._folder.iterdir():
            name = path.name.removeprefix(".").removesuffix(".previous").removesuffix(".incoming")
            if path.is_dir() and name not in named:
                with suppress(OSError):
                    self._disk.remove(path)

    def _unbegun(self) -> list[int]:
        """Return the ids of checkpoints for a beginning that was broken off before the manifest named it.

        They are of a later generation than the manifest. A trained run cannot begin with given weights: there, the
        manifest would be one from a backup, and the checkpoints are good.
        """
        with self._database.reading() as session:
            if session.scalar(select(exists(Epoch))):
                return []
        return [item.id for item in self.kept() if item.generation > self._manifest.state.generation]

    def mark_unreadable(self, epoch: int) -> None:
        """Name the checkpoints of an epoch no more: they cannot be read."""
        self._mark_removed([item.id for item in self.kept() if item.epoch == epoch])

    def publish(self, kept: KeptCheckpoint, commit: str) -> None:
        """Note the commit of the repository at which a checkpoint is published."""
        with self._database.session() as session:
            session.execute(update(Checkpoint).where(Checkpoint.id == kept.id).values(published=commit))

    def since_published(self) -> int:
        """Count the checkpoints of the run, in its order, since the last that was published; all if none was."""
        with self._database.reading() as session:
            last = session.scalar(select(func.max(Checkpoint.id)).where(Checkpoint.published.is_not(None)))
            since = select(func.count()).where(
                Checkpoint.standing != CheckpointStatus.BAD, Checkpoint.id > (last or 0)
            )
            return session.scalar(since) or 0

    def _let_go(self) -> None:
        beginning = self.beginning()
        old = superfluous(self.kept(), self._keep, {beginning.id} if beginning else set())
        self._mark_removed([item.id for item in old])
        for item in old:
            with suppress(OSError):  # the next start removes it
                self._disk.remove(self.path(item))

    def _mark_removed(self, ids: list[int]) -> None:
        if ids:
            with self._database.session() as session:
                session.execute(
                    update(Checkpoint)
                    .where(Checkpoint.id.in_(ids))
                    .values(standing=CheckpointStatus.REMOVED.value)
                )

    def _require_space(self, size: int) -> None:
        free = self._free(self._folder)
        if free < size + _SPARE_BYTES:
            raise PublishError(
                f"A checkpoint takes {format_size(size)}, and {format_size(free)} are free on its disk.",
                "Free space there, or keep fewer checkpoints.",
            )

    def _checkpoint(self, state: SwarmState) -> checkpoint.TrainingState:
        return checkpoint.TrainingState(
            run=self._manifest.training.name,
            training_digest=self._manifest.training_digest,
            epoch=state.epoch,
            parameters=under(PARAMETERS, state.tensors),
            optimizer=under(OPTIMIZER, state.tensors),
            metadata={"head": state.head.hex(), "generation": self._manifest.state.generation},
        )


def as_beginning(state: SwarmState, beginning: Beginning) -> SwarmState:
    """Return the same state with the head that it has in the generation which begins with it."""
    return SwarmState(state.epoch, beginning.head, state.tensors)


def _kept(row: Checkpoint) -> KeptCheckpoint:
    return KeptCheckpoint(
        row.id,
        row.generation,
        row.epoch,
        row.parameters,
        row.folder,
        row.loss,
        row.size,
        row.created,
        row.published,
    )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
