"""Asks a run's coordinator how far the run is and how fast its updates follow each other, before it is joined.

The coordinator may be anyone's: numbers that can't be true are refused, and the preview then does without them.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from client.admission.gate_info import base_of
from client.api.errors import DownloadError

if TYPE_CHECKING:
    from core.run.manifest import RunManifest

PATH = "/api/pace"
LARGEST = 64 * 1024
"""Bytes of the answer."""
_LEAST_SECONDS = 0.1
"""Seconds from one update to the next: no round is as fast, since its group has to form."""
_MOST_SECONDS = 2 * 86_400
"""Seconds of the measurement: a coordinator looks at a day."""
_MOST_CONTRIBUTORS = 100_000
_log = logging.getLogger(__name__)


class _PaceAnswer(BaseModel):
    # A field that a newer coordinator adds is no reason to do without the others.
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class UpdatePace(_PaceAnswer):
    """The newest updates of a run, as its coordinator measured them."""

    epochs: Annotated[int, Field(ge=1, lt=10_000_000)]
    """Updates that followed the first one of them."""
    seconds: Annotated[float, Field(gt=0, le=_MOST_SECONDS)]
    """Seconds from the first one to the last."""
    contributors: Annotated[float, Field(ge=0, le=_MOST_CONTRIBUTORS)]
    """Mean number of computers that had a part in an update."""

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.epoch_seconds < _LEAST_SECONDS:
            raise ValueError("no run makes updates as fast")
        return self

    @property
    def epoch_seconds(self) -> float:
        """Seconds from one update to the next."""
        return self.seconds / self.epochs


class RunPace(_PaceAnswer):
    """Progress and pace of a run."""

    run: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """Training digest of the run."""
    epoch: Annotated[int, Field(ge=0, lt=10_000_000)]
    """Number of updates that the run has made."""
    measured: UpdatePace | None = None
    """Measured pace; None: the run is too new, or its coordinator does not tell."""


def ask_pace(manifest: "RunManifest", document: Callable[[str, int], bytes]) -> RunPace:
    """Return how far the run of ``manifest`` is and its pace, as far as that is known.

    Args:
        manifest: Manifest of the run. What it says of itself is returned where its coordinator does not tell.
        document: Returns the bytes at an address, of which there may be at most the given number; it raises
            DownloadError if they can't be had.
    """
    unknown = RunPace(run=manifest.training_digest, epoch=manifest.state.epoch)
    if (address := manifest.contact.coordinator) is None:
        return unknown
    try:
        told = RunPace.model_validate_json(document(base_of(address) + PATH, LARGEST))
    except (DownloadError, ValidationError) as error:
        _log.info("The coordinator does not tell the run's pace: %s", type(error).__name__)
        return unknown
    fits = told.run == unknown.run and told.epoch <= manifest.training.schedule.total_epochs
    return told if fits else unknown
