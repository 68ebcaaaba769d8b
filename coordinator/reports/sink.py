"""Defines a sink of reports, to which a run is reported; after an error of any kind it is tried again later."""

from typing import Protocol

from coordinator.reports.epochs import EpochFigures
from coordinator.reports.frames import ReportedPicture


class ReportSink(Protocol):
    """A place to which epochs are reported in order, such as a folder of TensorBoard's."""

    name: str
    """Name of the kind of place, for messages and for the file of `KeptPlaces`."""
    target: str
    """The folder or the project."""
    remedy: str
    """Sentence about what a person can do if reports fail."""

    def begin(self, generation: int, epoch: int) -> None:
        """Go on with an epoch; what was reported of it and of later ones before is void.

        Args:
            generation: Generation of the run, raised by each rollback.
            epoch: Next epoch that is written.
        """
        ...

    def write(self, figures: EpochFigures) -> None:
        """Report an epoch."""
        ...

    def show(self, picture: ReportedPicture) -> None:
        """Report a picture: of the epoch that was written last, or of an earlier one that was drawn late."""
        ...

    def flush(self) -> None:
        """Hand over all that was reported: to the disk, or to the library that sends it and keeps it on the disk."""
        ...

    def close(self) -> None:
        """End; `begin` begins again."""
        ...
