"""What may follow on what while a volunteer looks at a run: every step at every stage."""

import pytest

from client.api.errors import JoinError
from client.api.prospect import ProspectStage as Stage
from client.service.prospect_stage import Step, transition

ALLOWED = {
    Stage.LOOKING: {Step.FOUND: Stage.READY, Step.FAILED: Stage.FAILED},
    Stage.READY: {Step.MEASURE: Stage.MEASURING, Step.JOIN: Stage.BRINGING},
    Stage.MEASURING: {
        Step.MEASURED: Stage.READY,
        Step.FAILED: Stage.READY,
        Step.JOIN: Stage.BRINGING,
    },
    Stage.BRINGING: {Step.BROUGHT: Stage.JOINED, Step.FAILED: Stage.FAILED},
    Stage.JOINED: {},
    Stage.FAILED: {Step.JOIN: Stage.BRINGING},
}


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("step", Step)
def test_every_step_leads_on_or_is_refused_in_words(stage: Stage, step: Step) -> None:
    if step in ALLOWED[stage]:
        assert transition(stage, step) is ALLOWED[stage][step]
        return
    with pytest.raises(JoinError) as refused:
        transition(stage, step)
    assert refused.value.what
    assert refused.value.remedy
