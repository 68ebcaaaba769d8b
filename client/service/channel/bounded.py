"""Cuts a snapshot down to what fits one line of the control channel: no long text may lock front ends out."""

from client.api.candidate import CandidateView
from client.api.environment import EnvironmentView
from client.api.snapshot import (
    GenerationView,
    NoticeView,
    ProblemView,
    ReadingView,
    RunView,
    Snapshot,
)
from core.excerpt import excerpt, shortened
from core.messages.lines import MAX_LINE

_LONGEST = MAX_LINE - 1024
"""Largest size of a snapshot in bytes; the rest of the line is for the answer around it."""
_READING = 160
"""Longest text of a reading in characters; there are many readings."""
_PROMPTS = 16
_CANDIDATE_PROMPTS = 4
_MOST_NEWS, _NEWS = 8, 1000
"""Messages of an organiser, and the longest in characters."""
_DESCRIPTION = 1000
"""Longest description in characters."""


def bounded(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with its texts cut, and with as many of its notices, the newest, as there is room for.

    Where there is not even room without any, readings go as well.
    """
    snapshot = _cut(snapshot)
    while snapshot.notices and _is_long(snapshot):
        snapshot = snapshot.model_copy(update={"notices": snapshot.notices[1:]})
    while snapshot.readings and _is_long(snapshot):
        snapshot = snapshot.model_copy(update={"readings": snapshot.readings[:-1]})
    return snapshot


def _is_long(snapshot: Snapshot) -> bool:
    return len(snapshot.model_dump_json().encode()) > _LONGEST


def _cut(snapshot: Snapshot) -> Snapshot:
    return snapshot.model_copy(
        update={
            "headline": excerpt(snapshot.headline),
            "reasons": tuple(
                item.model_copy(update={"text": excerpt(item.text), "about": excerpt(item.about)})
                for item in snapshot.reasons
            ),
            "run": snapshot.run and _cut_run(snapshot.run),
            "runs": tuple(
                item.model_copy(update={"title": excerpt(item.title, _READING)}) for item in snapshot.runs
            ),
            "candidate": snapshot.candidate and _cut_candidate(snapshot.candidate),
            "readings": tuple(map(_cut_reading, snapshot.readings)),
            "generations": tuple(map(_cut_generation, snapshot.generations)),
            "environment": snapshot.environment and _cut_environment(snapshot.environment),
            "problem": snapshot.problem and _cut_problem(snapshot.problem),
            "notices": tuple(
                NoticeView(time=item.time, text=excerpt(item.text)) for item in snapshot.notices
            ),
        }
    )


def _cut_run(run: RunView) -> RunView:
    news = tuple(
        item.model_copy(update={"text": shortened(item.text, _NEWS)}) for item in run.news[:_MOST_NEWS]
    )
    return run.model_copy(update={"sample_prompts": run.sample_prompts[:_PROMPTS], "news": news})


def _cut_candidate(candidate: CandidateView) -> CandidateView:
    """Bound a candidate's texts; its description has no control characters, so its paragraphs stay."""
    plan, problem = candidate.plan, candidate.problem
    return candidate.model_copy(
        update={
            "location": excerpt(candidate.location),
            "description": shortened(candidate.description, _DESCRIPTION),
            "sample_prompts": candidate.sample_prompts[:_CANDIDATE_PROMPTS],
            "plan": plan and plan.model_copy(update={"text": excerpt(plan.text)}),
            "problem": problem and _cut_problem(problem),
        }
    )


def _cut_environment(environment: EnvironmentView) -> EnvironmentView:
    plan, problem = environment.plan, environment.problem
    return environment.model_copy(
        update={
            "why": excerpt(environment.why),
            "waiting": excerpt(environment.waiting),
            "plan": plan and plan.model_copy(update={"why": excerpt(plan.why)}),
            "problem": problem and _cut_problem(problem),
        }
    )


def _cut_reading(reading: ReadingView) -> ReadingView:
    return ReadingView(
        name=excerpt(reading.name, _READING),
        value=excerpt(reading.value, _READING),
        source=excerpt(reading.source, _READING),
    )


def _cut_generation(generation: GenerationView) -> GenerationView:
    return generation.model_copy(update={"prompt": excerpt(generation.prompt, _READING)})


def _cut_problem(problem: ProblemView) -> ProblemView:
    return ProblemView(code=problem.code, what=excerpt(problem.what), remedy=excerpt(problem.remedy))
