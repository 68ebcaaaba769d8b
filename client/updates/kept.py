"""The record of updates on the disk, and the lock that keeps other daemons from starting during a hand-over."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client import state_file
from client.service.channel.lock import is_held
from client.updates.stages import UpdateState
from core.storage import moving
from core.storage.file_lock import alone

_log = logging.getLogger(__name__)


class KeptUpdate:
    """The record in a folder; the daemon writes it, and during a hand-over the process that makes it."""

    def __init__(self, folder: Path) -> None:
        """Keep the record in ``folder``, which is made when something is saved."""
        self.folder = folder
        self.metadata = folder / "metadata"
        """Folder for the metadata of the signed repository."""
        self._file, self._lock = folder / "state.json", folder / "handover.lock"

    @property
    def state(self) -> UpdateState:
        """The saved record; an empty one if there is none that can be read."""
        return state_file.load(self._file, UpdateState, UpdateState())[0]

    def save(self, state: UpdateState) -> None:
        """Save the record; raise StateError if it cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        state_file.save(self._file, state)

    def package(self, state: UpdateState) -> Path | None:
        """Return the path of the offered package, which may not be here yet; None: none is offered."""
        return self.folder / state.offer.file if state.offer is not None else None

    def forget_packages(self) -> None:
        """Remove packages, and parts of packages; what cannot be removed is logged, and stays."""
        for left in self.folder.glob("idlebrush-*"):
            try:
                moving.remove(left)
            except OSError as error:
                _log.warning("%s cannot be removed: %s", left, error)

    @property
    def is_handing_over(self) -> bool:
        """True if a process hands over from one version to another."""
        return is_held(self._lock)

    @contextmanager
    def alone(self, patience: float = 0.0) -> Iterator[None]:
        """Hold the lock of a hand-over; raise BlockingIOError if another process has it for ``patience`` seconds."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone(self._lock, patience):
            yield
