"""How far looking at a run, and joining it, may go: stages and what leads from one to the next, pure."""

from enum import Enum, auto

from client.api.errors import JoinError
from client.api.prospect import ProspectStage as Stage


class Step(Enum):
    """What happens to a prospect."""

    FOUND = auto()  # it was looked up
    MEASURE = auto()  # the volunteer asks
    MEASURED = auto()  # or measuring was stopped
    JOIN = auto()  # the volunteer consents
    BROUGHT = auto()  # its files are here, and the daemon trains it
    FAILED = auto()  # what was under way


_NEXT = {
    (Stage.LOOKING, Step.FOUND): Stage.READY,
    (Stage.LOOKING, Step.FAILED): Stage.FAILED,
    (Stage.READY, Step.MEASURE): Stage.MEASURING,
    (Stage.MEASURING, Step.MEASURED): Stage.READY,
    (Stage.MEASURING, Step.FAILED): Stage.READY,  # it can be joined without
    (Stage.READY, Step.JOIN): Stage.BRINGING,
    (Stage.MEASURING, Step.JOIN): Stage.BRINGING,
    (Stage.FAILED, Step.JOIN): Stage.BRINGING,  # once more
    (Stage.BRINGING, Step.BROUGHT): Stage.JOINED,
    (Stage.BRINGING, Step.FAILED): Stage.FAILED,
}
_INSTEAD = {
    Stage.LOOKING: ("The run is still being looked at.", "Wait a moment."),
    Stage.READY: ("The run is not being tried out.", "Nothing has to be done."),
    Stage.MEASURING: ("The run is being tried out already.", "Wait, or stop it."),
    Stage.BRINGING: ("The run's files are being fetched.", "Wait, or give it up."),
    Stage.JOINED: ("The run is joined already.", "Nothing has to be done."),
    Stage.FAILED: ("The run could not be looked at.", "Look at it again."),
}


def transition(stage: Stage, step: Step) -> Stage:
    """The stage after it; JoinError, for whoever asked, where it makes no sense now."""
    following = _NEXT.get((stage, step))
    if following is None:
        raise JoinError(*_INSTEAD[stage])
    return following
