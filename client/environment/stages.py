"""The stages of setting an environment up, the events between them, and their record on the disk: pure functions."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from client.api.errors import DownloadInterrupted
from core.errors import CoreError

LONGEST = 4_000
"""Characters of a failure's words."""


class SetupStage(StrEnum):
    """Stages of an environment."""

    ABSENT = "absent"  # there is none, and none is made
    FETCHING = "fetching"
    INSTALLING = "installing"
    TESTING = "testing"
    PLACING = "placing"  # it is renamed, and the wheels are removed
    ON_TRIAL = "on trial"  # in use, with the one before it kept until it has made an epoch
    READY = "ready"  # it has made an epoch
    FAILED = "failed"  # the last attempt ended; an environment that was there is still in use


class SetupEvent(StrEnum):
    """Events that lead from one stage to the next."""

    BEGUN = "begun"
    FETCHED = "fetched"
    INSTALLED = "installed"
    PASSED = "passed"  # the smoke test
    GPU_FAILED = "gpu failed"  # the smoke test, on the GPU: the packages for the processor are fetched
    PLACED = "placed"
    MADE_EPOCH = "made epoch"
    TAKEN_BACK = "taken back"  # the environment before it is in use again
    REMOVED = "removed"  # there was none before it
    CANCELLED = "cancelled"  # by the volunteer; an environment in use stays
    LOST = "lost"  # what earlier steps made is not there, or not whole
    FAILED = "failed"


RUNNING = (SetupStage.FETCHING, SetupStage.INSTALLING, SetupStage.TESTING, SetupStage.PLACING)
"""Stages that end by themselves; a killed attempt goes on with the same one."""
_AT_REST = (SetupStage.ABSENT, SetupStage.ON_TRIAL, SetupStage.READY, SetupStage.FAILED)
_NEXT = {
    **{(stage, SetupEvent.BEGUN): SetupStage.FETCHING for stage in (*RUNNING, *_AT_REST)},
    (SetupStage.FETCHING, SetupEvent.FETCHED): SetupStage.INSTALLING,
    (SetupStage.INSTALLING, SetupEvent.INSTALLED): SetupStage.TESTING,
    (SetupStage.TESTING, SetupEvent.PASSED): SetupStage.PLACING,
    (SetupStage.TESTING, SetupEvent.GPU_FAILED): SetupStage.FETCHING,
    (SetupStage.PLACING, SetupEvent.PLACED): SetupStage.ON_TRIAL,
    **{(stage, SetupEvent.LOST): SetupStage.FETCHING for stage in RUNNING},
    **{(stage, SetupEvent.FAILED): SetupStage.FAILED for stage in RUNNING},
    **{(stage, SetupEvent.CANCELLED): SetupStage.ABSENT for stage in (*RUNNING, SetupStage.FAILED)},
    (SetupStage.ON_TRIAL, SetupEvent.MADE_EPOCH): SetupStage.READY,
    (SetupStage.ON_TRIAL, SetupEvent.TAKEN_BACK): SetupStage.READY,
    (SetupStage.ON_TRIAL, SetupEvent.REMOVED): SetupStage.ABSENT,
}


def transition(stage: SetupStage, event: SetupEvent) -> SetupStage:
    """Return the stage that follows; raise ValueError where the event makes no sense."""
    try:
        return _NEXT[stage, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {stage}") from None


class SetupFailure(BaseModel):
    """The words of the error that ended an attempt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    what: Annotated[str, Field(max_length=LONGEST)]
    remedy: Annotated[str, Field(max_length=LONGEST)]
    is_passing: bool = False
    """True if the network is the cause, so that a later attempt may succeed without the volunteer."""

    @classmethod
    def of(cls, error: CoreError) -> Self:
        """Return the words of ``error``, cut to `LONGEST` characters."""
        return cls(
            code=error.code,
            what=error.what[:LONGEST],
            remedy=error.remedy[:LONGEST],
            is_passing=isinstance(error, DownloadInterrupted),
        )


class SetupState(BaseModel):
    """The record of an attempt, saved after each step."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: SetupStage = SetupStage.ABSENT
    serial: int = 0
    """Largest serial number of a list that was used."""
    variant: str = ""
    """Name of the variant that is set up."""
    digest: str = ""
    """Digest of that variant (`Variant.digest`)."""
    why: str = ""
    """Sentences that say why this variant was chosen."""
    is_fallback: bool = False
    """True if the processor trains although there is a GPU."""
    gpu_failed: str = ""
    """Digest of a variant and of the GPUs on which its smoke test failed, which is not tried again; empty: none."""
    taken_back: str = ""
    """Digest of a variant that made no epoch here and was removed; it is not set up again by itself. Empty: none."""
    damaged: str = ""
    """Digest of a variant that is in use, and in which a trainer missed packages; it is set up again. Empty: none."""
    building: str = ""
    """Name of the folder that is filled, tested and placed; empty: none."""
    failure: SetupFailure | None = None
    """The error that ended the last attempt."""

    def after(self, event: SetupEvent, **changes: object) -> Self:
        """Return the record after ``event``, with other ``changes`` of its fields."""
        return self.model_copy(update={"stage": transition(self.stage, event), **changes})
