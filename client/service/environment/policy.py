"""Decides what happens to the trainer's environment next, and whether its download waits: pure functions."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from client.environment.stages import RUNNING, SetupStage
from client.policy.policy import PauseReason

FRESH = timedelta(days=1)
"""Time for which a plan holds: the list of packages is asked for once a day at most."""
_FIRST_RETRY = 60.0
_LONGEST_RETRY = 3600.0


class SetupAction(Enum):
    """Next step of the daemon."""

    NOTHING = auto()
    MAKE_DISTRIBUTION = auto()  # in which the environment will be
    PLAN = auto()  # fetch the list of packages, and plan by it
    SET_UP = auto()


@dataclass(frozen=True)
class PlanState:
    """The newest plan: when it was made, for which GPUs, and its outcome."""

    made: datetime
    gpus: frozenset[str]
    """Names of the GPUs that the daemon saw then."""
    leads_to_setup: bool
    """True if packages are needed that are not in use, and were not removed as useless here."""
    was_taken_back: bool = False
    """True if they were removed as useless here."""

    def is_fresh(self, now: datetime, gpus: frozenset[str]) -> bool:
        """Return true if the plan still holds; a clock that was set back ends it, and so does another GPU."""
        return gpus == self.gpus and timedelta() <= now - self.made < FRESH

    def wanted(self) -> "PlanState":
        """Return what follows from the volunteer's request: packages that were removed are tried again."""
        return replace(self, leads_to_setup=self.leads_to_setup or self.was_taken_back)

    def done(self) -> "PlanState":
        """Return what follows once these packages are in use."""
        return replace(self, leads_to_setup=False, was_taken_back=False)


@dataclass(frozen=True)
class SetupFailures:
    """The failures since the last success, or since the volunteer last asked."""

    count: int = 0
    retry_at: datetime | None = None
    """Time of the next attempt, after a failure that the network caused; None: none is due."""
    is_given_up: bool = False
    """True after any other failure: no attempt is made before the volunteer asks again."""

    def after(self, *, is_passing: bool, now: datetime, draw: float) -> "SetupFailures":
        """Return what follows from one more failure.

        Args:
            is_passing: True if the network was the cause, or the process was ended.
            now: Time of the failure.
            draw: 0 to 1, which spreads the attempts of many computers.
        """
        if not is_passing:
            return SetupFailures(self.count + 1, is_given_up=True)
        wait = timedelta(seconds=seconds_to_retry(self.count + 1, draw))
        return SetupFailures(self.count + 1, now + wait)

    def is_put_off(self, now: datetime) -> bool:
        """Return true until the next attempt is due."""
        return self.retry_at is not None and now < self.retry_at


@dataclass(frozen=True)
class SetupFacts:
    """All that the next step depends on."""

    is_wanted: bool
    """True if the volunteer has agreed to the set-up."""
    is_busy: bool
    """True while a process plans or sets up."""
    stage: SetupStage
    is_held: bool
    """True if the download would have to wait."""
    is_put_off: bool
    """True after a failure that the network caused, until the next attempt is due."""
    is_given_up: bool
    """True after any other failure, until the volunteer asks again."""
    plan: PlanState | None
    now: datetime
    gpus: frozenset[str]
    lacks_distribution: bool = False
    """True if the environment is to be in a distribution that is not imported yet."""


def next_action(facts: SetupFacts) -> SetupAction:
    """Return the next step."""
    if not facts.is_wanted or facts.is_busy or facts.is_given_up or facts.is_put_off:
        return SetupAction.NOTHING
    if facts.lacks_distribution:
        return SetupAction.NOTHING if facts.is_held else SetupAction.MAKE_DISTRIBUTION
    if facts.stage in RUNNING and not (facts.stage is SetupStage.FETCHING and facts.is_held):
        return (
            SetupAction.SET_UP
        )  # where an earlier process was killed; what is fetched is installed also offline
    if facts.is_held:
        return SetupAction.NOTHING
    if facts.plan is None or not facts.plan.is_fresh(facts.now, facts.gpus):
        return SetupAction.PLAN
    return SetupAction.SET_UP if facts.plan.leads_to_setup else SetupAction.NOTHING


def reason_to_hold(*, is_paused: bool, codes: Collection[PauseReason], may_fetch: int | None) -> str:
    """Return the sentence that says why the download waits; empty: it does not.

    Args:
        is_paused: True if the volunteer has paused the set-up.
        codes: Reasons of the policy's latest decision.
        may_fetch: Bytes that may be fetched now; None: no limit.
    """
    if is_paused:
        return "You paused it."
    if PauseReason.METERED in codes:
        return "The network connection is metered."
    if may_fetch == 0:
        return "This month's traffic quota is used up."
    return ""


def seconds_to_retry(failures: int, draw: float) -> float:
    """Return the seconds until the next attempt, after ``failures`` in a row; ``draw``, 0 to 1, spreads them."""
    longest = min(_LONGEST_RETRY, _FIRST_RETRY * 2.0 ** min(failures - 1, 16))
    return longest * (0.5 + draw / 2)
