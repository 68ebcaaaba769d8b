"""A set-up takes its stages in order, and may begin, fail and lose what it made at any of them: a table."""

import pytest

from client.environment.stages import RUNNING, SetupEvent, SetupStage, SetupState, transition

S, E = SetupStage, SetupEvent
ALLOWED = {
    **{(stage, E.BEGUN): S.FETCHING for stage in S},
    **{(stage, E.FAILED): S.FAILED for stage in RUNNING},
    **{(stage, E.LOST): S.FETCHING for stage in RUNNING},
    **{(stage, E.CANCELLED): S.ABSENT for stage in (*RUNNING, S.FAILED)},
    (S.FETCHING, E.FETCHED): S.INSTALLING,
    (S.INSTALLING, E.INSTALLED): S.TESTING,
    (S.TESTING, E.PASSED): S.PLACING,
    (S.TESTING, E.GPU_FAILED): S.FETCHING,
    (S.PLACING, E.PLACED): S.ON_TRIAL,
    (S.ON_TRIAL, E.MADE_EPOCH): S.READY,
    (S.ON_TRIAL, E.TAKEN_BACK): S.READY,
    (S.ON_TRIAL, E.REMOVED): S.ABSENT,
}


def test_transitions() -> None:
    for stage in SetupStage:
        for event in SetupEvent:
            if (stage, event) in ALLOWED:
                assert transition(stage, event) is ALLOWED[stage, event], (stage, event)
            else:
                with pytest.raises(ValueError, match="cannot happen while"):
                    transition(stage, event)


def test_a_record_after_an_event() -> None:
    state = SetupState(stage=S.TESTING, building="building-1")
    assert state.after(E.LOST, building="") == SetupState(stage=S.FETCHING)
