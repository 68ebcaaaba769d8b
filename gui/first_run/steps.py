"""The route through the first run as pure functions: its screens, and what prevents going on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from client.api.candidate import CandidateStage, CandidateView
from client.api.snapshot import Snapshot
from gui.setup.view import needs_setup


class FirstRunStep(Enum):
    """A screen, or one of the two ends."""

    WELCOME = auto()
    SIGN_IN = auto()
    RUN = auto()
    TIMES = auto()
    CONSENT = auto()
    SETUP = auto()  # left out where the trainer's packages are installed
    DONE = auto()  # all steps are complete, and a run is joined
    LEFT = auto()  # left before the end


class Move(Enum):
    """An action of the volunteer."""

    ON = auto()
    BACK = auto()
    LEAVE = auto()


class Obstacle(Enum):
    """A reason why the next screen is not available yet."""

    NO_DAEMON = auto()
    SIGNING_IN = auto()
    NO_RUN = auto()  # none was chosen
    INSPECTING = auto()
    NO_CANDIDATE = auto()  # its inspection has failed
    TOO_LARGE = auto()  # no plan fits this machine
    NOT_ADMITTED = auto()  # its gate has not admitted the volunteer
    NOT_JOINED = auto()


WHOLE = (
    FirstRunStep.WELCOME,
    FirstRunStep.SIGN_IN,
    FirstRunStep.RUN,
    FirstRunStep.TIMES,
    FirstRunStep.CONSENT,
    FirstRunStep.SETUP,
)
ANOTHER_RUN = (FirstRunStep.RUN, FirstRunStep.TIMES, FirstRunStep.CONSENT, FirstRunStep.SETUP)
"""Route for a volunteer who knows the app."""
_ENDS = (FirstRunStep.DONE, FirstRunStep.LEFT)
_SHUT = ("gate", "membership", "admission")
"""Problem codes by which a gate refuses a volunteer whose membership is still stored here."""


@dataclass(frozen=True)
class Facts:
    """The facts on which the route depends."""

    is_connected: bool = True
    is_signing_in: bool = False
    stage: CandidateStage | None = None
    """Stage of the candidate run; None if there is none."""
    is_known: bool = False
    """True if the manifest is available; then only its files have failed, which can be fetched again."""
    fits: bool = False
    """True if this machine can train the run."""
    is_admitted: bool = False
    """True if the run has no gate or the gate admits the volunteer."""
    is_joined: bool = False
    needs_setup: bool = False
    """True if this computer cannot train before the trainer's packages were installed."""


def is_needed(snapshot: Snapshot | None, done: bool) -> bool:
    """Return true if the first run is to be shown: while no run is joined, and it was neither completed nor left."""
    has_run = snapshot is not None and snapshot.run is not None
    return not has_run and not done


def facts_of(snapshot: Snapshot | None, is_connected: bool, is_signing_in: bool = False) -> Facts:
    """Return the facts that a snapshot contains."""
    candidate = snapshot.candidate if snapshot else None
    lacks_packages = snapshot is not None and needs_setup(snapshot.environment)
    if snapshot is None or candidate is None:
        return Facts(is_connected, is_signing_in, needs_setup=lacks_packages)
    return Facts(
        is_connected,
        is_signing_in,
        candidate.stage,
        is_known=bool(candidate.digest),
        fits=candidate.plan is not None and candidate.plan.fits,
        is_admitted=is_admitted(snapshot, candidate),
        is_joined=is_joined(snapshot, candidate),
        needs_setup=lacks_packages,
    )


def is_admitted(snapshot: Snapshot, candidate: CandidateView) -> bool:
    """Return true if the run has no gate, or if its gate admits the volunteer.

    A refusal of the run in training overrides a stored membership.
    """
    if candidate.gate is None:
        return True
    is_trained = snapshot.run is not None and snapshot.run.digest == candidate.digest
    is_shut = is_trained and snapshot.problem is not None and snapshot.problem.code in _SHUT
    return candidate.gate.is_member and not is_shut


def is_joined(snapshot: Snapshot, candidate: CandidateView) -> bool:
    """Return true if this computer trains the candidate run."""
    return candidate.stage is CandidateStage.JOINED or (
        snapshot.run is not None and snapshot.run.digest == candidate.digest
    )


def obstacle(step: FirstRunStep, facts: Facts) -> Obstacle | None:
    """Return the reason why the next screen is not available; None if it is."""
    if step in (FirstRunStep.WELCOME, FirstRunStep.SETUP):  # the installation can also begin later
        return None
    if not facts.is_connected:
        return Obstacle.NO_DAEMON
    match step:
        case FirstRunStep.SIGN_IN:
            return Obstacle.SIGNING_IN if facts.is_signing_in else None
        case FirstRunStep.RUN:
            return _obstacle_of_run(facts)
        case FirstRunStep.CONSENT:
            return None if facts.is_joined else Obstacle.NOT_JOINED
    return None


def _obstacle_of_run(facts: Facts) -> Obstacle | None:
    match facts.stage:
        case None:
            return Obstacle.NO_RUN
        case CandidateStage.LOOKING:
            return Obstacle.INSPECTING
        case CandidateStage.FAILED if not facts.is_known:
            return Obstacle.NO_CANDIDATE
    if not facts.fits:
        return Obstacle.TOO_LARGE
    return None if facts.is_admitted or facts.is_joined else Obstacle.NOT_ADMITTED


def may_go_back(step: FirstRunStep, facts: Facts, route: Sequence[FirstRunStep] = WHOLE) -> bool:
    """Return true unless this is the first screen, files are being downloaded, or the run is joined."""
    if step in (*_ENDS, FirstRunStep.SETUP, route[0]):
        return False
    is_under_way = facts.stage is CandidateStage.FETCHING or facts.is_joined
    return step is not FirstRunStep.CONSENT or not is_under_way


def transition(
    step: FirstRunStep, move: Move, facts: Facts, route: Sequence[FirstRunStep] = WHOLE
) -> FirstRunStep:
    """Return the next screen or an end. Raise ValueError for a move that is not allowed."""
    if step in _ENDS:
        raise ValueError(f"{step.name} is an end.")
    position = route.index(step)
    match move:
        case Move.LEAVE:
            is_complete = step is FirstRunStep.SETUP or (step is FirstRunStep.CONSENT and facts.is_joined)
            return FirstRunStep.DONE if is_complete else FirstRunStep.LEFT
        case Move.BACK:
            if not may_go_back(step, facts, route):
                raise ValueError(f"There is no way back from {step.name}.")
            return route[position - 1]
        case Move.ON:
            if found_obstacle := obstacle(step, facts):
                raise ValueError(f"{found_obstacle.name} stands in the way at {step.name}.")
            following = [each for each in route[position + 1 :] if _applies(each, facts)]
            return following[0] if following else FirstRunStep.DONE


def applying(route: Sequence[FirstRunStep], facts: Facts, current: FirstRunStep) -> tuple[FirstRunStep, ...]:
    """Return the screens of a route that are not left out; the ``current`` one never is."""
    return tuple(step for step in route if step is current or _applies(step, facts))


def _applies(step: FirstRunStep, facts: Facts) -> bool:
    return step is not FirstRunStep.SETUP or facts.needs_setup
