"""The folders of environments: the one in use, the one before it, one that is being made; and the wheels.

An environment is put in place by renaming, and found by the record that is written into it when it is whole. At every
instant either the one in use or the one before it is there under its name. Python's virtual environments may be
renamed: their interpreter finds the rest from where it lies. Only the scripts in them name the old place, and those
are not used.
"""

import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from core.storage.files import read_bounded, write_atomically

if TYPE_CHECKING:
    from client.environment.lock_file import Distribution, Wheel  # the daemon does without its libraries

_RECORD = "environment.json"
_LARGEST = 65_536
_BUILDING, _DISCARDED = "building-", "discarded-"


class EnvironmentRecord(BaseModel):
    """Description of an environment; written into it when it is whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: str
    digest: str
    """Digest of the variant (`Variant.digest`)."""
    serial: int
    """Serial number of the list that it was made from."""
    why: str
    """Sentences that say why this variant was chosen."""
    is_fallback: bool = False
    """True if the processor trains although there is a GPU."""
    has_made_epoch: bool = False


class EnvironmentPlaces:
    """The folders below one root."""

    def __init__(self, root: Path, shared: Path | None = None) -> None:
        """Use ``root``; nothing is made yet.

        Args:
            root: Folder of the environments.
            shared: Folder of the wheels, and of what a daemon reads that does not see ``root``; None: ``root``.
        """
        self.root, self.shared = root, shared or root
        self.current = root / "current"
        """The environment in use."""
        self.previous = root / "previous"
        """The one before it, kept until the one in use has made an epoch."""
        self.state = root / "state.json"
        self.list = self.shared / "packages.json"
        """The newest signed list of packages, as it was fetched."""
        self.lock = root / "setup.lock"
        self.log = self.shared / "setup.log"
        """Output of the programs that install and test."""
        self.temporary = root / "temporary"
        """Folder for temporary files of the programs that install: /tmp may be small."""
        self._wheels = self.shared / "wheels"
        self._distributions = self.shared / "distribution"

    def wheel(self, wheel: "Wheel") -> Path:
        """Return the path of a wheel: by its digest, under the name that installers read."""
        return self._wheels / wheel.sha256 / wheel.file

    def distribution(self, distribution: "Distribution") -> Path:
        """Return the path of the archive of a distribution, by its digest."""
        return self._distributions / distribution.sha256 / distribution.file

    def usable(self) -> Path | None:
        """Return the environment to start the trainer in: the one in use, or the one before it; None: neither."""
        return next((place for place in (self.current, self.previous) if record_of(place) is not None), None)

    def new_building(self) -> Path:
        """Return a path for a new environment; it has not been used before."""
        return self.root / f"{_BUILDING}{secrets.token_hex(4)}"

    def place(
        self, building: Path, step: Callable[[int], None] = lambda done: None, *, keeps_old: bool = True
    ) -> None:
        """Put the environment in ``building`` in use; continues where an earlier call was killed.

        An environment in use that never made an epoch is discarded, so that the one before it is kept to go back to.
        No trainer may run meanwhile.

        Args:
            building: Folder of the new environment, complete, or in place already.
            step: Called with the number of renames that are done.
            keeps_old: False if the environment in use does not work, so that there is no way back to it.
        """
        if record_of(building) is None:  # placed by a call that was killed afterwards
            return
        old = record_of(self.current)
        if self.current.exists() and (old is None or not old.has_made_epoch or not keeps_old):
            self._discard(self.current)
        elif self.current.exists():
            self._discard(self.previous)
            self.current.rename(self.previous)
        step(1)
        building.rename(self.current)
        step(2)

    def take_back(self) -> bool:
        """Put the environment before the one in use back; return false if there was none, so none is left."""
        self._discard(self.current)
        if not self.previous.exists():
            return False
        self.previous.rename(self.current)
        return True

    def keep_current(self) -> None:
        """Note that the environment in use has made an epoch, and remove the one before it."""
        record = record_of(self.current)
        if record is not None and not record.has_made_epoch:
            write_record(self.current, record.model_copy(update={"has_made_epoch": True}))
        self._discard(self.previous)

    def restore(self) -> None:
        """Put the previous environment back in use if there is none in use: rolling back was killed."""
        if not self.current.exists() and record_of(self.previous) is not None:
            self.previous.rename(self.current)

    def clear_up(self) -> None:
        """Remove what earlier attempts have left, but for the wheels."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        for prefix in (_BUILDING, _DISCARDED):
            for left in self.root.glob(f"{prefix}*"):
                _remove(left)

    def forget_wheels(self, kept: "Iterable[Wheel]" = ()) -> None:
        """Remove the wheels, and parts of wheels, but for those in ``kept``."""
        digests = {wheel.sha256 for wheel in kept}
        for folder in self._wheels.glob("*"):
            if folder.name not in digests:
                _remove(folder)

    def forget_distributions(self) -> None:
        """Remove the archives of distributions, and parts of them."""
        _remove(self._distributions)

    def show(self) -> None:
        """Write the state and the records where a daemon reads them that does not see the environments themselves."""
        if self.shared == self.root:
            return
        shown = EnvironmentPlaces(self.shared)
        shown.root.mkdir(parents=True, exist_ok=True, mode=0o700)  # someone may have removed it to free space
        for source, target in ((self.current, shown.current), (self.previous, shown.previous)):
            if (record := record_of(source)) is None:
                _remove(target)
            else:
                target.mkdir(exist_ok=True)
                write_record(target, record)
        if self.state.exists():
            write_atomically(shown.state, self.state.read_bytes())

    def show_nothing(self) -> None:
        """Remove what `show` has written: the distribution is gone, and with it its environments."""
        for folder in (self.current, self.previous):
            _remove(folder)
        self.state.unlink(missing_ok=True)

    def _discard(self, folder: Path) -> None:
        """Remove a folder; it is renamed first, so that it is never there in part."""
        if folder.exists():
            gone = self.root / f"{_DISCARDED}{secrets.token_hex(4)}"
            folder.rename(gone)
            _remove(gone)


def record_of(environment: Path) -> EnvironmentRecord | None:
    """Return the record in an environment; None if it is not whole: it has none, or its Python leads to nothing."""
    python = python_of(environment)
    if python.is_symlink() and not python.exists():
        return None
    try:
        return EnvironmentRecord.model_validate_json(read_bounded(environment / _RECORD, _LARGEST))
    except (OSError, ValueError, ValidationError):
        return None


def write_record(environment: Path, record: EnvironmentRecord) -> None:
    """Write the record into an environment, which makes it whole."""
    write_atomically(environment / _RECORD, record.model_dump_json(indent=1).encode() + b"\n")


def python_of(environment: Path) -> Path:
    """Return the interpreter of an environment on Linux and macOS, where trainers live."""
    return environment / "bin" / "python"


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
