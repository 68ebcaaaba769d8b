"""Each step of inspecting a run is accepted or refused at each stage."""

import pytest

from client.api.candidate import CandidateStage as Stage
from client.api.errors import JoinError
from client.service.candidates.candidate import CandidateStep, transition

ALLOWED = {
    Stage.LOOKING: {CandidateStep.FOUND: Stage.READY, CandidateStep.FAILED: Stage.FAILED},
    Stage.READY: {CandidateStep.MEASURE: Stage.MEASURING, CandidateStep.JOIN: Stage.BRINGING},
    Stage.MEASURING: {
        CandidateStep.MEASURED: Stage.READY,
        CandidateStep.FAILED: Stage.READY,
        CandidateStep.JOIN: Stage.BRINGING,
    },
    Stage.BRINGING: {CandidateStep.BROUGHT: Stage.JOINED, CandidateStep.FAILED: Stage.FAILED},
    Stage.JOINED: {},
    Stage.FAILED: {CandidateStep.JOIN: Stage.BRINGING},
}


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("step", CandidateStep)
def test_every_step_leads_on_or_is_refused_in_words(stage: Stage, step: CandidateStep) -> None:
    if step in ALLOWED[stage]:
        assert transition(stage, step) is ALLOWED[stage][step]
        return
    with pytest.raises(JoinError) as refused:
        transition(stage, step)
    assert refused.value.what
    assert refused.value.remedy
