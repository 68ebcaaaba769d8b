"""Keeps how far a run was reported, in a file of the coordinator's folder: reports go on there after a restart."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.storage.files import read_bounded, write_atomically

_LARGEST = 64 * 1024
_MOST_SHOWN = 200
"""Frames that a place names one by one, the newest: one that is drawn after those of later epochs is no old one."""
_Number = Annotated[int, Field(ge=0)]


class ReportPlace(BaseModel):
    """Place of a run's reports: the last epoch, and the frames, that one sink has."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    target: str
    """Folder or project; another one begins with the first epoch."""
    generation: Annotated[int, Field(ge=-1)] = -1
    """Generation of the run when it was last reported; -1: it never was."""
    epoch: _Number = 0
    """Last epoch that was reported."""
    frame: _Number = 0
    """Frames up to this epoch count as reported."""
    shown: Annotated[tuple[_Number, ...], Field(max_length=_MOST_SHOWN)] = ()
    """Epochs of the frames that were reported after it, rising."""

    def after(self, generation: int, epoch: int, frames: Iterable[int]) -> Self:
        """Return the place once that epoch and the frames of those epochs are reported as well."""
        shown = sorted({*self.shown, *frames})
        old, kept = shown[:-_MOST_SHOWN], shown[-_MOST_SHOWN:]
        last = max(old, default=self.frame)
        update = {"generation": generation, "epoch": epoch, "frame": last, "shown": tuple(kept)}
        return self.model_copy(update=update)

    def before(self, epoch: int) -> Self:
        """Return the place as if nothing of that epoch and later ones were reported."""
        last = epoch - 1
        update = {"epoch": min(self.epoch, last), "frame": min(self.frame, last)}
        return self.model_copy(update={**update, "shown": tuple(e for e in self.shown if e < epoch)})


class _ReportedSoFar(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    places: dict[str, ReportPlace] = {}


class KeptPlaces:
    """Places by the names of sinks, kept in a file; what is damaged in it counts as missing."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._places = dict(_ReportedSoFar.model_validate_json(read_bounded(file, _LARGEST)).places)
        except (OSError, ValueError, ValidationError):
            self._places = {}

    def of(self, name: str, target: str) -> ReportPlace:
        """Return the place of a sink; the beginning if the sink was never used, or led elsewhere."""
        found = self._places.get(name)
        return found if found is not None and found.target == target else ReportPlace(target=target)

    def keep(self, name: str, place: ReportPlace) -> None:
        """Save the place of a sink; raise OSError if it cannot be written."""
        self._places[name] = place
        write_atomically(
            self._file, _ReportedSoFar(places=self._places).model_dump_json(indent=2).encode() + b"\n"
        )
