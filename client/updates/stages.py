"""The stages of an update, the events between them, and their record on the disk: pure functions."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict

from client.api.errors import UpdateError
from client.api.protocol import ProblemView
from client.updates.offers import UpdateOffer, is_newer
from core.errors import CoreError


class UpdateStage(StrEnum):
    """Stages of an update."""

    CURRENT = "current"  # no newer version is known
    OFFERED = "offered"  # there is a newer version
    FETCHING = "fetching"
    FETCHED = "fetched"  # its package is here, and waits for training to pause
    UNPACKING = "unpacking"  # its tree is laid out beside the one in use, and checked
    HANDING_OVER = "handing over"  # the daemon in use ends, and the new one has to answer
    ON_TRIAL = "on trial"  # the new one runs; the tree before it is kept until training has worked
    TAKING_BACK = "taking back"  # the tree before it is put in use again
    REJECTED = "rejected"  # the version did not work, and is not tried again


class UpdateEvent(StrEnum):
    """Events that lead from one stage to the next."""

    FOUND = "found"  # another newer version than the one that was known
    NONE_FOUND = "none found"
    FETCH = "fetch"
    FETCHED = "fetched"
    UNPACK = "unpack"
    UNPACKED = "unpacked"
    ANSWERED = "answered"  # the new daemon has answered, and its tree is in use
    HEALTHY = "healthy"  # training works in the new version
    UNHEALTHY = "unhealthy"
    TAKEN_BACK = "taken back"  # the version before runs again
    LOST = "lost"  # what an earlier step made is gone, or the step was interrupted
    FAILED = "failed"  # the step ended with an error that may pass
    BROKEN = "broken"  # the version cannot be installed, or does not start


UNDER_WAY = (
    UpdateStage.FETCHING,
    UpdateStage.UNPACKING,
    UpdateStage.HANDING_OVER,
    UpdateStage.TAKING_BACK,
)
"""Stages that end by themselves."""
_BEFORE_SWITCHING = (UpdateStage.FETCHED, UpdateStage.UNPACKING, UpdateStage.HANDING_OVER)
_NEXT = {
    **{
        (stage, UpdateEvent.FOUND): UpdateStage.OFFERED
        for stage in (UpdateStage.CURRENT, UpdateStage.OFFERED, UpdateStage.FETCHED, UpdateStage.REJECTED)
    },
    (UpdateStage.OFFERED, UpdateEvent.NONE_FOUND): UpdateStage.CURRENT,
    (UpdateStage.FETCHED, UpdateEvent.NONE_FOUND): UpdateStage.CURRENT,
    (UpdateStage.OFFERED, UpdateEvent.FETCH): UpdateStage.FETCHING,
    (UpdateStage.FETCHING, UpdateEvent.FETCHED): UpdateStage.FETCHED,
    (UpdateStage.FETCHING, UpdateEvent.LOST): UpdateStage.OFFERED,
    (UpdateStage.FETCHING, UpdateEvent.FAILED): UpdateStage.OFFERED,
    (UpdateStage.FETCHED, UpdateEvent.UNPACK): UpdateStage.UNPACKING,
    (UpdateStage.FETCHED, UpdateEvent.LOST): UpdateStage.OFFERED,
    (UpdateStage.UNPACKING, UpdateEvent.UNPACKED): UpdateStage.HANDING_OVER,
    (UpdateStage.UNPACKING, UpdateEvent.LOST): UpdateStage.FETCHED,
    (UpdateStage.UNPACKING, UpdateEvent.FAILED): UpdateStage.FETCHED,
    (UpdateStage.HANDING_OVER, UpdateEvent.ANSWERED): UpdateStage.ON_TRIAL,
    (UpdateStage.HANDING_OVER, UpdateEvent.LOST): UpdateStage.FETCHED,
    **{(stage, UpdateEvent.BROKEN): UpdateStage.REJECTED for stage in _BEFORE_SWITCHING},
    (UpdateStage.ON_TRIAL, UpdateEvent.FOUND): UpdateStage.OFFERED,
    (UpdateStage.ON_TRIAL, UpdateEvent.HEALTHY): UpdateStage.CURRENT,
    (UpdateStage.ON_TRIAL, UpdateEvent.UNHEALTHY): UpdateStage.TAKING_BACK,
    (UpdateStage.ON_TRIAL, UpdateEvent.TAKEN_BACK): UpdateStage.REJECTED,
    (UpdateStage.TAKING_BACK, UpdateEvent.TAKEN_BACK): UpdateStage.REJECTED,
}
MOST_ATTEMPTS = 3
"""Times that a version may come to nothing before it is given up: hand-overs that end without it, lost packages."""
FIRST_RETRY = timedelta(hours=1)
"""Time after a failed step until the next attempt; after each further failure, it doubles."""
LONGEST_RETRY = timedelta(days=1)
_INTERRUPTED = UpdateError("The installation of the new version was interrupted.", "It is tried again later.")
_MOST_REJECTED = 20


def transition(stage: UpdateStage, event: UpdateEvent) -> UpdateStage:
    """Return the stage that follows; raise ValueError where the event makes no sense."""
    try:
        return _NEXT[stage, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {stage}") from None


class UpdateState(BaseModel):
    """The record of updates, saved after each step.

    Another version of Idlebrush reads it after an update or when one is rolled back, so unknown fields are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: UpdateStage = UpdateStage.CURRENT
    offer: UpdateOffer | None = None
    """The newer version that is known or installed; after a trial, the version in use, for what is new in it."""
    previous: str = ""
    """Version that was in use before a hand-over began."""
    worked_before: bool = False
    """True if training worked in that version."""
    rejected: tuple[str, ...] = ()
    """Versions that did not work here, which are not tried again."""
    attempts: int = 0
    """Times that this version came to nothing, of `MOST_ATTEMPTS`."""
    failures: int = 0
    """Failed steps towards this version."""
    retry_at: datetime | None = None
    """Time before which no failed step is tried again."""
    looked: datetime | None = None
    """Time of the last look at the repository, successful or not."""
    not_before: datetime | None = None
    """Time until which the volunteer has put the installation off."""
    is_wanted: bool = False
    """True if the volunteer asked for the installation now, though training runs."""
    trial_seconds: float = 0.0
    """Seconds for which daemons of the version on trial have run."""
    trained_seconds: float = 0.0
    """Seconds for which its trainers have trained."""
    starts: int = 0
    """Starts of its daemon in a row that ended soon."""
    problem: ProblemView | None = None
    """Error that ended the last step."""

    def after(self, event: UpdateEvent, **changes: object) -> Self:
        """Return the record after ``event``, with other ``changes`` of its fields."""
        return self.model_copy(update={"stage": transition(self.stage, event), **changes})

    def found(self, offer: UpdateOffer | None) -> Self:
        """Return the record after a look that found ``offer``; None: there is no newer version.

        The problem of an earlier look is over; that of a version that did not work stays. A version on trial makes
        way for a newer one, which may be what mends it.
        """
        if self.stage is UpdateStage.ON_TRIAL:
            assert self.offer is not None, "it was installed"
            if offer is None or offer.version in self.rejected:
                return self
            if not is_newer(offer.version, self.offer.version):
                return self
        elif self.stage not in (
            UpdateStage.CURRENT,
            UpdateStage.OFFERED,
            UpdateStage.FETCHED,
            UpdateStage.REJECTED,
        ):
            return self
        if offer is None or offer.version in self.rejected:
            if self.stage in (UpdateStage.OFFERED, UpdateStage.FETCHED):
                return self.after(UpdateEvent.NONE_FOUND, offer=None, problem=None)
            return self if self.stage is UpdateStage.REJECTED else self.model_copy(update={"problem": None})
        if self.stage in (UpdateStage.OFFERED, UpdateStage.FETCHED) and self.offer == offer:
            return self.model_copy(update={"problem": None})
        return self.with_fresh_attempts().after(UpdateEvent.FOUND, offer=offer, problem=None, is_wanted=False)

    def with_fresh_attempts(self) -> Self:
        """Return the record without what earlier failures count for."""
        return self.model_copy(update={"attempts": 0, "failures": 0, "retry_at": None})

    def is_put_off(self, now: datetime) -> bool:
        """Return true if the next step waits after one that failed; a clock that was set back ends the wait."""
        return self.retry_at is not None and now < self.retry_at <= now + LONGEST_RETRY

    def failed(self, event: UpdateEvent, error: CoreError, now: datetime) -> Self:
        """Return the record after a step failed at ``now`` that may succeed later."""
        wait = min(LONGEST_RETRY, FIRST_RETRY * 2 ** min(self.failures, 10))
        changes = {"failures": self.failures + 1, "retry_at": now + wait}
        return self.after(event, problem=problem_of(error), **changes)

    def lost(self, error: CoreError, now: datetime, final: CoreError | None = None) -> Self:
        """Return the record after a hand-over came to nothing, or a package is gone.

        Args:
            error: What happened.
            now: Time at which it happened.
            final: Error for a version that is given up; None: ``error``.
        """
        if self.attempts + 1 >= MOST_ATTEMPTS:
            return self.broken(final or error)
        return self.failed(UpdateEvent.LOST, error, now).model_copy(update={"attempts": self.attempts + 1})

    def broken(self, error: CoreError, event: UpdateEvent = UpdateEvent.BROKEN) -> Self:
        """Return the record after the offered version turned out not to work; it is not tried again."""
        return self.after(event, rejected=self._rejected_too, is_wanted=False, problem=problem_of(error))

    def unhealthy(self, error: CoreError) -> Self:
        """Return the record while the version on trial is rolled back; it is not tried again, even if that fails."""
        return self.after(UpdateEvent.UNHEALTHY, rejected=self._rejected_too, problem=problem_of(error))

    @property
    def _rejected_too(self) -> tuple[str, ...]:
        """Rejected versions, the offered one included."""
        assert self.offer is not None, "it was installed"
        others = (version for version in self.rejected if version != self.offer.version)
        return (*others, self.offer.version)[-_MOST_REJECTED:]


def problem_of(error: CoreError) -> ProblemView:
    """Return the words of an error."""
    return ProblemView(code=error.code, what=error.what, remedy=error.remedy)


def answered(state: UpdateState) -> UpdateState:
    """Return the record after the new daemon has answered: its version is on trial."""
    fresh = {"trial_seconds": 0.0, "trained_seconds": 0.0, "starts": 0}
    return state.with_fresh_attempts().after(UpdateEvent.ANSWERED, is_wanted=False, problem=None, **fresh)


def recovered(state: UpdateState, version: str, lost: CoreError, now: datetime) -> UpdateState:
    """Return the record with which a daemon of ``version`` begins, when no hand-over is at work any more.

    Args:
        state: Record as an earlier process left it, which may have been killed at any point.
        version: Version of this daemon.
        lost: Error for a version that did not stay in use.
        now: Time at which the daemon begins.
    """
    offer = state.offer
    if offer is not None and not is_newer(offer.version, version):
        return _as_the_new_one(state, version)
    match state.stage:
        case UpdateStage.FETCHING | UpdateStage.UNPACKING:
            return state.after(UpdateEvent.LOST)
        case UpdateStage.HANDING_OVER:
            return state.lost(_INTERRUPTED, now, final=lost)
        case UpdateStage.ON_TRIAL | UpdateStage.TAKING_BACK:
            return state.broken(lost, UpdateEvent.TAKEN_BACK)
    return state


def _as_the_new_one(state: UpdateState, version: str) -> UpdateState:
    """Return the record of a daemon that has the offered version, or a newer one that was installed by hand."""
    assert state.offer is not None
    is_the_offered = not is_newer(version, state.offer.version)
    if is_the_offered and state.stage is UpdateStage.HANDING_OVER:
        return answered(state)
    if is_the_offered and state.stage is UpdateStage.ON_TRIAL:
        return state.model_copy(update={"starts": state.starts + 1})
    if is_the_offered and state.stage is UpdateStage.CURRENT:
        return state
    offer = state.offer if is_the_offered else None
    return UpdateState(looked=state.looked, rejected=state.rejected, offer=offer)
