"""Each step of inspecting a run is accepted or refused at each stage."""

from itertools import product

from client.api.candidate import CandidateStage as Stage
from client.api.errors import JoinError
from client.service.candidates.candidate import CandidateStep, transition

ALLOWED = {
    Stage.LOOKING: {CandidateStep.FOUND: Stage.READY, CandidateStep.FAILED: Stage.FAILED},
    Stage.READY: {CandidateStep.MEASURE: Stage.MEASURING, CandidateStep.JOIN: Stage.FETCHING},
    Stage.MEASURING: {
        CandidateStep.MEASURED: Stage.READY,
        CandidateStep.FAILED: Stage.READY,
        CandidateStep.JOIN: Stage.FETCHING,
    },
    Stage.FETCHING: {CandidateStep.FETCHED: Stage.JOINED, CandidateStep.FAILED: Stage.FAILED},
    Stage.JOINED: {},
    Stage.FAILED: {CandidateStep.JOIN: Stage.FETCHING},
}


def refusal(stage: Stage, step: CandidateStep) -> str | None:
    """The remedy in the words of the refusal; None if the step leads on."""
    try:
        transition(stage, step)
    except JoinError as refused:
        return refused.what and refused.remedy
    return None


def test_every_allowed_step_leads_on() -> None:
    found = {stage: {step: transition(stage, step) for step in steps} for stage, steps in ALLOWED.items()}
    assert found == ALLOWED


def test_every_other_step_is_refused_in_words() -> None:
    others = [(stage, step) for stage, step in product(Stage, CandidateStep) if step not in ALLOWED[stage]]
    assert [pair for pair in others if not refusal(*pair)] == []
