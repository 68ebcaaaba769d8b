"""A snapshot always fits the control channel, whatever texts are in it."""

from datetime import timedelta

import pytest

from client.api.answers import Status
from client.api.candidate import CandidateStage, CandidateView
from client.api.snapshot import NoticeView, ProblemView, ReadingView, ReasonView
from client.service.channel.bounded import bounded
from core.messages.lines import encode
from tests.client.snapshots import FULL, NOW
from tests.gui.setup import environments as known


def test_what_is_short_stays_as_it_is() -> None:
    assert bounded(FULL) == FULL


@pytest.mark.parametrize("letter", ["x", "\x1b", "🖌", "\ud800", '"'])
def test_long_texts_are_cut_and_the_newest_notices_stay(letter: str) -> None:
    long = letter * 40_000
    notices = tuple(NoticeView(time=NOW + timedelta(seconds=age), text=long) for age in range(60))
    assert FULL.run
    crowded = FULL.model_copy(
        update={
            "headline": long,
            "reasons": (ReasonView(code="in_use", text=long),) * 4,
            "run": FULL.run.model_copy(update={"sample_prompts": ("🖌" * 200,) * 64}),
            "readings": (ReadingView(name="Screen", value=long, source=long),) * 14,
            "candidate": CandidateView(
                location=long,
                stage=CandidateStage.FAILED,
                title="🖌" * 200,
                description="🖌" * 4000,
                sample_prompts=("🖌" * 200,) * 64,
                problem=ProblemView(code="manifest", what=long, remedy=long),
            ),
            "problem": ProblemView(code="preference", what=long, remedy=long),
            "notices": notices,
        }
    )
    seen = bounded(crowded)
    encode(Status(id=2**31, snapshot=seen))
    assert seen.problem
    assert len(seen.problem.what) == 500
    assert seen.problem.what.endswith("…")
    assert "\x1b" not in seen.headline
    assert seen.notices
    assert seen.notices[-1].time == notices[-1].time


def test_long_texts_about_what_training_needs_are_cut() -> None:
    long = "x" * 40_000
    problem = ProblemView(code="setup", what=long, remedy=long)
    told = known.FAILED.model_copy(update={"why": long, "waiting": long, "problem": problem})
    seen = bounded(FULL.model_copy(update={"environment": told})).environment
    assert seen is not None
    assert seen.problem is not None
    texts = (seen.why, seen.waiting, seen.problem.what, seen.problem.remedy)
    assert {len(text) for text in texts} == {500}
    assert seen.stage is known.FAILED.stage
