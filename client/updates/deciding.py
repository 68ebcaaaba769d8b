"""Decides when to look for a newer version, to fetch it and to install it, and whether it works: pure functions."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from client.updates.offers import UpdateOffer
from client.updates.stages import UpdateStage, UpdateState

LOOK_EVERY = timedelta(days=1)
LARGEST_JITTER = timedelta(hours=6)
"""Largest time by which a look is put off at random, so that not all computers ask at the same hour."""
PUT_OFF = timedelta(days=1)
"""Time for which "not now" puts the installation off."""
LEAST_TRAINING = timedelta(minutes=30)
"""Training time within which a new version has to make an epoch, where epochs are short."""
EPOCHS_OF_PATIENCE = 4.0
"""Epochs' time within which it has to make one, where they are long."""
LONGEST_TRAINING = timedelta(hours=12)
UNTRAINED = timedelta(days=1)
"""Time after which a new version counts as healthy that had nothing to train."""
LONGEST_TRIAL = timedelta(days=7)
"""Time after which a new version counts as healthy that trained too little for a verdict."""


class UpdateHold(StrEnum):
    """Reasons why an update waits; front ends put them in words."""

    OFF = "off"  # the volunteer does not want updates by themselves
    PUT_OFF = "put_off"  # the volunteer said "not now"
    BY_HAND = "by_hand"  # this installation is too old to be updated by itself
    PACKAGE_MANAGER = "package_manager"  # which installs it
    BY_PACKAGE = (
        "by_package"  # the system's package manager knows no repository, so that the volunteer downloads it
    )
    METERED = "metered"
    QUOTA = "quota"
    BATTERY = "battery"
    TRAINING = "training"  # it is installed at the next pause
    BUSY = "busy"  # pictures are drawn, a run is inspected, packages installed, or a sign-in is under way
    LOOKED = "looked"  # less than a day ago


@dataclass(frozen=True)
class UpdateSituation:
    """Inputs of the decisions beside the record."""

    now: datetime
    is_on: bool
    """True if the volunteer lets updates happen by themselves."""
    is_of_system: bool = False
    """True if the system's package manager has installed Idlebrush, and alone may change it."""
    has_repository: bool = False
    """True if the package manager knows a repository that has the updates."""
    allowance: int | None = None
    """Bytes that a download may take now, 0 on a metered connection; None: no limit."""
    is_metered: bool = False
    on_battery: bool = False
    is_training: bool = False
    is_busy: bool = False
    """True if a person waits for something that the daemon does."""


def hold_look(state: UpdateState, situation: UpdateSituation, jitter: float) -> UpdateHold | None:
    """Return why the repository is not asked now; None: it is asked.

    Args:
        state: Record of updates.
        situation: What the decision depends on.
        jitter: Random number of this computer, 0 to 1.
    """
    if not situation.is_on:
        return UpdateHold.OFF
    if situation.is_metered:
        return UpdateHold.METERED
    since = situation.now - state.looked if state.looked else None
    # A clock that was set back must not keep a computer from asking for years.
    if since is not None and timedelta() <= since < LOOK_EVERY + jitter * LARGEST_JITTER:
        return UpdateHold.LOOKED
    return None


def hold_fetch(state: UpdateState, offer: UpdateOffer, situation: UpdateSituation) -> UpdateHold | None:
    """Return why the offered package is not fetched now; None: it is."""
    if offer.is_by_hand:
        return UpdateHold.BY_HAND
    if situation.is_of_system:
        return UpdateHold.PACKAGE_MANAGER if situation.has_repository else UpdateHold.BY_PACKAGE
    if not situation.is_on and not state.is_wanted:
        return UpdateHold.OFF
    if situation.is_metered:
        return UpdateHold.METERED
    if situation.allowance is not None and situation.allowance < offer.size:
        return UpdateHold.QUOTA
    if situation.on_battery:
        return UpdateHold.BATTERY
    return None


def hold_installation(state: UpdateState, situation: UpdateSituation) -> UpdateHold | None:
    """Return why the fetched package is not installed now; None: it is."""
    if situation.is_busy:
        return UpdateHold.BUSY
    if state.is_wanted:
        return None
    if not situation.is_on:
        return UpdateHold.OFF
    if state.not_before is not None and situation.now < state.not_before <= situation.now + PUT_OFF:
        return UpdateHold.PUT_OFF
    if situation.on_battery:
        return UpdateHold.BATTERY
    return UpdateHold.TRAINING if situation.is_training else None


def hold_of(state: UpdateState, situation: UpdateSituation) -> UpdateHold | None:
    """Return why the next step towards the offered version waits; None: it does not, or there is none."""
    if state.stage is UpdateStage.OFFERED and state.offer is not None:
        return hold_fetch(state, state.offer, situation)
    if state.stage is UpdateStage.FETCHED:
        return hold_installation(state, situation)
    return None


MOST_STARTS = 10
"""Starts in a row of a new version's daemon that may end soon, as by a computer that is switched off."""


class TrialVerdict(StrEnum):
    """Verdict on a new version."""

    OPEN = "open"
    HEALTHY = "healthy"
    UNHEALTHY = "unhealthy"


@dataclass(frozen=True)
class TrialFacts:
    """Measurements of a new version since it was started first."""

    running: timedelta
    """Time for which its daemons have run."""
    trained: timedelta
    """Time for which its trainers have trained, with peers and data."""
    epochs: int
    """Epochs that they made."""
    worked_before: bool = False
    """True if training worked in the version before; else that it fails says nothing about the new one."""
    has_failed: bool = False
    """True if its trainer failed so often that it is not started again."""
    starts: int = 0
    """Starts of its daemon in a row that ended soon."""
    epoch: timedelta | None = None
    """Time that an epoch of the run takes, where it is known."""


def judge_trial(facts: TrialFacts) -> TrialVerdict:
    """Return whether a new version works.

    It does if it has made an epoch, if it ran for a day without anything to train, or for a week without a failure
    that would be its fault.
    """
    if facts.epochs > 0:
        return TrialVerdict.HEALTHY
    trains_not = facts.has_failed or facts.trained >= patience_with(facts.epoch)
    if facts.starts > MOST_STARTS or (facts.worked_before and trains_not):
        return TrialVerdict.UNHEALTHY
    if facts.running >= LONGEST_TRIAL or (facts.running >= UNTRAINED and not facts.trained):
        return TrialVerdict.HEALTHY
    return TrialVerdict.OPEN


def patience_with(epoch: timedelta | None) -> timedelta:
    """Return the training time within which an epoch has to be made that takes ``epoch``, if that is known."""
    expected = EPOCHS_OF_PATIENCE * epoch if epoch is not None else LEAST_TRAINING
    return min(LONGEST_TRAINING, max(LEAST_TRAINING, expected))
