"""When a run is skipped for others, and how it makes way for them, as tables."""

import pytest

from client.api.errors import RamLimitError
from client.api.runs import RunHindrance
from client.service.trainer.hindrance import (
    LONGEST_WAIT,
    PATIENCE,
    PATIENCE_WITH_START,
    RunCondition,
    WayOut,
    hindrance_of,
    way_out,
)
from client.service.trainer.restarts import EndCause
from client.service.trainer.state import State
from core.errors import MemoryPlanError


@pytest.mark.parametrize(
    ("run", "found"),
    [
        (RunCondition(State.TRAINING), None),
        (RunCondition(State.IDLE), None),
        (RunCondition(State.COMPLETE), RunHindrance.FINISHED),
        (RunCondition(State.IDLE, needs_update=True), RunHindrance.UPDATE),
        (RunCondition(State.FINISHING, needs_update=True), None),
        (RunCondition(State.LEAVING, is_left_out=True), RunHindrance.LEFT_OUT),
        (RunCondition(State.FAILED, "manifest", EndCause.LASTING), RunHindrance.BROKEN),
        (RunCondition(State.FAILED, RamLimitError.code, EndCause.LASTING), RunHindrance.NO_ROOM),
        (RunCondition(State.BACKING_OFF, "swarm", EndCause.SURROUNDINGS, idle_seconds=PATIENCE - 1), None),
        (
            RunCondition(State.BACKING_OFF, "swarm", EndCause.SURROUNDINGS, idle_seconds=PATIENCE),
            RunHindrance.UNREACHABLE,
        ),
        (
            RunCondition(
                State.BACKING_OFF, MemoryPlanError.code, EndCause.SURROUNDINGS, idle_seconds=PATIENCE
            ),
            RunHindrance.NO_ROOM,
        ),
        (
            RunCondition(State.BACKING_OFF, "", EndCause.CRASH, idle_seconds=PATIENCE),
            RunHindrance.BROKEN,
        ),
        (RunCondition(State.IDLE, idle_seconds=PATIENCE), RunHindrance.UNREACHABLE),
        (RunCondition(State.TRAINING, idle_seconds=PATIENCE), RunHindrance.UNREACHABLE),
        (RunCondition(State.STARTING, idle_seconds=PATIENCE), None),
        (RunCondition(State.STARTING, idle_seconds=PATIENCE_WITH_START), RunHindrance.UNREACHABLE),
    ],
    ids=repr,
)
def test_the_reason_why_a_run_is_skipped(run: RunCondition, found: RunHindrance | None) -> None:
    assert hindrance_of(run) is found


@pytest.mark.parametrize(
    ("state", "is_hindered", "is_last_epoch", "waited", "way"),
    [
        (State.TRAINING, False, False, 0.0, WayOut.FINISH),
        (State.TRAINING, True, False, 0.0, WayOut.CLOSE),
        (State.FINISHING, False, False, 60.0, WayOut.WAIT),
        (State.FINISHING, False, False, LONGEST_WAIT, WayOut.CLOSE),
        (State.FROZEN, False, False, 60.0, WayOut.WAIT),
        (State.STARTING, False, False, 60.0, WayOut.WAIT),
        (State.LEAVING, True, False, LONGEST_WAIT, WayOut.WAIT),
        (State.IDLE, False, False, 0.0, WayOut.CLOSE),
        (State.BACKING_OFF, False, False, 0.0, WayOut.CLOSE),
        (State.FAILED, True, False, 0.0, WayOut.CLOSE),
        (State.FINISHING, False, True, LONGEST_WAIT, WayOut.WAIT),
        (State.IDLE, False, True, 0.0, WayOut.WAIT),
    ],
)
def test_the_way_in_which_a_run_makes_way(
    state: State, is_hindered: bool, is_last_epoch: bool, waited: float, way: WayOut
) -> None:
    found = way_out(state, is_hindered=is_hindered, is_last_epoch=is_last_epoch, waited=waited)
    assert found is way
