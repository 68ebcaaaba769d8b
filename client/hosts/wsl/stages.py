"""The stages of setting WSL2 and the distribution up, what a user may have to do, and the record on the disk."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class WslAction(StrEnum):
    """Remedy of a finding that a user can carry out."""

    UPDATE_WINDOWS = "update windows"
    CHANGE_FIRMWARE = "change firmware"
    TURN_ON_WSL = "turn on wsl"  # asks for an administrator's consent once
    UPDATE_WSL = "update wsl"
    RESTART = "restart"
    FREE_DISK = "free disk"
    INSTALL_DRIVER = "install driver"
    ASK_ADMINISTRATOR = "ask administrator"  # who has to agree in place of this user
    TRY_AGAIN = "try again"


class WslStage(StrEnum):
    """Stages of the setup."""

    CHECKING = "checking"
    BLOCKED = "blocked"  # the user has to do something
    TURNING_ON = "turning on"  # an administrator is asked
    RESTART_NEEDED = "restart needed"
    FETCHING = "fetching"  # the distribution's archive
    IMPORTING = "importing"
    UPDATING = "updating"  # WSL itself, which ends all distributions
    READY = "ready"


class WslEvent(StrEnum):
    """Events that lead from one stage to the next."""

    PASSED = "passed"  # all checks
    FOUND_PROBLEM = "found problem"
    FOUND_RESTART_PENDING = "found restart pending"
    FOUND_DISTRIBUTION = "found distribution"
    ASKED = "asked"  # the user wants WSL to be turned on
    TURNED_ON = "turned on"
    FETCHED = "fetched"
    REFUSED = "refused"  # by the user, an administrator or Windows
    RESTARTED = "restarted"
    IMPORTED = "imported"
    UPDATE_ASKED = "update asked"  # the user wants WSL to be updated
    UPDATE_ENDED = "update ended"  # whether WSL was updated or not
    LOST = "lost"  # the distribution, or a step that was interrupted
    AGAIN = "again"


AT_REST = (WslStage.BLOCKED, WslStage.RESTART_NEEDED, WslStage.READY)
"""Stages that end by the user, by a restart of Windows, or not at all."""
_NEXT = {
    (WslStage.CHECKING, WslEvent.PASSED): WslStage.FETCHING,
    (WslStage.CHECKING, WslEvent.FOUND_PROBLEM): WslStage.BLOCKED,
    (WslStage.CHECKING, WslEvent.FOUND_RESTART_PENDING): WslStage.RESTART_NEEDED,
    (WslStage.CHECKING, WslEvent.FOUND_DISTRIBUTION): WslStage.READY,
    (WslStage.BLOCKED, WslEvent.ASKED): WslStage.TURNING_ON,
    (WslStage.TURNING_ON, WslEvent.TURNED_ON): WslStage.RESTART_NEEDED,
    (WslStage.TURNING_ON, WslEvent.REFUSED): WslStage.BLOCKED,
    (WslStage.RESTART_NEEDED, WslEvent.RESTARTED): WslStage.CHECKING,
    (WslStage.BLOCKED, WslEvent.UPDATE_ASKED): WslStage.UPDATING,
    (WslStage.READY, WslEvent.UPDATE_ASKED): WslStage.UPDATING,
    (WslStage.UPDATING, WslEvent.UPDATE_ENDED): WslStage.CHECKING,
    (WslStage.FETCHING, WslEvent.FETCHED): WslStage.IMPORTING,
    (WslStage.IMPORTING, WslEvent.IMPORTED): WslStage.READY,
    (WslStage.IMPORTING, WslEvent.REFUSED): WslStage.BLOCKED,
    **{(stage, WslEvent.LOST): WslStage.CHECKING for stage in WslStage},
    **{(stage, WslEvent.AGAIN): WslStage.CHECKING for stage in AT_REST},
}


def transition(stage: WslStage, event: WslEvent) -> WslStage:
    """Return the stage that follows; raise ValueError where the event makes no sense."""
    try:
        return _NEXT[stage, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {stage}") from None


class WslRecord(BaseModel):
    """The record of the setup on the disk."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: WslStage = WslStage.CHECKING
    action: WslAction | None = None
    """Remedy that the user has to carry out while the setup is blocked."""
    what: str = ""
    """Sentence about it."""
    remedy: str = ""
    """Sentence that says what to do."""
    is_partial: bool = False
    """True if an import was interrupted, so that the distribution is not used, whatever it answers."""
    started: float = 0.0
    """Time of Windows' last start when a restart became necessary, in seconds since 1970."""
