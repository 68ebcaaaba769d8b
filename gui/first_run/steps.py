"""The way through the first run as pure functions: its screens, what may go on, and what stands in the way."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from client.api.prospect import ProspectStage, ProspectView
from client.api.snapshot import Snapshot


class Step(Enum):
    """A screen, or one of the two ends."""

    WELCOME = auto()
    SIGN_IN = auto()
    RUN = auto()
    TIMES = auto()
    CONSENT = auto()
    DONE = auto()  # they were all passed: a run was joined
    LEFT = auto()  # before that, for now


class Move(Enum):
    """What the volunteer does."""

    ON = auto()
    BACK = auto()
    LEAVE = auto()


class Hindrance(Enum):
    """Why a screen cannot be left for the next one yet."""

    NO_DAEMON = auto()
    SIGNING_IN = auto()
    NO_RUN = auto()  # none was chosen
    LOOKING = auto()
    NO_PROSPECT = auto()  # looking at it has failed
    TOO_LARGE = auto()  # no plan fits this machine
    NOT_ADMITTED = auto()  # its gate has not let the volunteer in
    NOT_JOINED = auto()


WHOLE = (Step.WELCOME, Step.SIGN_IN, Step.RUN, Step.TIMES, Step.CONSENT)
ANOTHER_RUN = (Step.RUN, Step.TIMES, Step.CONSENT)
"""For a volunteer who knows the app."""
SIGN_IN_ALONE = (Step.SIGN_IN,)
_ENDS = (Step.DONE, Step.LEFT)
_SHUT = ("gate", "membership", "admission")
"""Codes of what a gate says to somebody whose membership is still kept here."""


@dataclass(frozen=True)
class Facts:
    """What the way depends on."""

    is_connected: bool = True
    is_signing_in: bool = False
    stage: ProspectStage | None = None
    """Of the run that is looked at; None: there is none."""
    is_known: bool = False
    """Whether its manifest is here: then what has failed is its files, which can be fetched again."""
    fits: bool = False
    """Whether this machine can train it."""
    is_admitted: bool = False
    """Whether its gate, where it has one, lets the volunteer in."""
    is_joined: bool = False


def is_needed(snapshot: Snapshot | None, done: bool, offered: bool) -> bool:
    """Whether to greet the volunteer: not one who has joined a run, nor one who has been through it or left it."""
    has_run = snapshot is not None and snapshot.run is not None
    return not has_run and (offered or not done)


def facts_of(snapshot: Snapshot | None, is_connected: bool, is_signing_in: bool = False) -> Facts:
    """What a snapshot tells of the way."""
    prospect = snapshot.prospect if snapshot else None
    if snapshot is None or prospect is None:
        return Facts(is_connected, is_signing_in)
    return Facts(
        is_connected,
        is_signing_in,
        prospect.stage,
        is_known=bool(prospect.digest),
        fits=prospect.plan is not None and prospect.plan.fits,
        is_admitted=is_admitted(snapshot, prospect),
        is_joined=is_joined(snapshot, prospect),
    )


def is_admitted(snapshot: Snapshot, prospect: ProspectView) -> bool:
    """Whether its gate, where it has one, lets the volunteer in; that of the run in training has the last word."""
    if prospect.gate is None:
        return True
    is_trained = snapshot.run is not None and snapshot.run.digest == prospect.digest
    is_shut = is_trained and snapshot.problem is not None and snapshot.problem.code in _SHUT
    return prospect.gate.is_member and not is_shut


def is_joined(snapshot: Snapshot, prospect: ProspectView) -> bool:
    """Whether the run that is looked at is the one that this computer trains, perhaps since long ago."""
    return prospect.stage is ProspectStage.JOINED or (
        snapshot.run is not None and snapshot.run.digest == prospect.digest
    )


def hindrance(step: Step, facts: Facts) -> Hindrance | None:
    """What stands in the way of the next screen."""
    if step is Step.WELCOME:
        return None
    if not facts.is_connected:
        return Hindrance.NO_DAEMON
    match step:
        case Step.SIGN_IN:
            return Hindrance.SIGNING_IN if facts.is_signing_in else None
        case Step.RUN:
            return _hindrance_of_run(facts)
        case Step.CONSENT:
            return None if facts.is_joined else Hindrance.NOT_JOINED
    return None


def _hindrance_of_run(facts: Facts) -> Hindrance | None:
    match facts.stage:
        case None:
            return Hindrance.NO_RUN
        case ProspectStage.LOOKING:
            return Hindrance.LOOKING
        case ProspectStage.FAILED if not facts.is_known:
            return Hindrance.NO_PROSPECT
    if not facts.fits:
        return Hindrance.TOO_LARGE
    return None if facts.is_admitted or facts.is_joined else Hindrance.NOT_ADMITTED


def may_go_back(step: Step, facts: Facts, route: Sequence[Step] = WHOLE) -> bool:
    """Not from the first screen, nor while the run's files come or once it is joined."""
    if step in _ENDS or step is route[0]:
        return False
    is_under_way = facts.stage is ProspectStage.BRINGING or facts.is_joined
    return step is not Step.CONSENT or not is_under_way


def transition(step: Step, move: Move, facts: Facts, route: Sequence[Step] = WHOLE) -> Step:
    """The screen that follows, or an end; ValueError for what may not be done on this one."""
    if step in _ENDS:
        raise ValueError(f"{step.name} is an end.")
    position = route.index(step)
    match move:
        case Move.LEAVE:
            return Step.DONE if step is Step.CONSENT and facts.is_joined else Step.LEFT
        case Move.BACK:
            if not may_go_back(step, facts, route):
                raise ValueError(f"There is no way back from {step.name}.")
            return route[position - 1]
        case Move.ON:
            if hindered := hindrance(step, facts):
                raise ValueError(f"{hindered.name} stands in the way at {step.name}.")
            return route[position + 1] if position + 1 < len(route) else Step.DONE
