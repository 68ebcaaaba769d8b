"""How front ends see the environment, and what a run without one says: tables."""

from dataclasses import replace

import pytest

from client.api.errors import SetupError
from client.environment.progress import SetupProgress
from client.environment.stages import SetupFailure, SetupStage, SetupState
from client.service.environment.view import SetupSituation, headline_without, view_of
from tests.client.snapshots import NOW

FAILURE = SetupFailure(code="setup", what="The digest differs.", remedy="Tell its publisher.")
FAILED = SetupState(stage=SetupStage.FAILED, failure=FAILURE)
NOTHING = SetupSituation(
    state=SetupState(),
    is_usable=False,
    is_wanted=True,
    is_paused=False,
    hold="",
    is_working=False,
    is_planning=False,
    progress=None,
    retry_at=None,
    problem=None,
    plan=None,
)
FETCHING = SetupProgress(
    stage=SetupStage.FETCHING, name="torch", done=1, total=2, waiting="The server is away."
)


def test_a_set_up_under_way_is_shown_by_its_progress() -> None:
    seen = view_of(
        replace(NOTHING, is_working=True, progress=FETCHING, state=FAILED, retry_at=NOW, hold="Held.")
    )
    assert (seen.stage, seen.package, seen.done, seen.total) == (SetupStage.FETCHING, "torch", 1, 2)
    assert (seen.waiting, seen.problem, seen.retry_at) == ("The server is away.", None, None)


@pytest.mark.parametrize(
    ("changes", "waiting"),
    [
        ({"hold": "Held."}, "Held."),
        ({"hold": "Held.", "is_wanted": False}, ""),
        ({"hold": "Held.", "state": SetupState(stage=SetupStage.READY)}, ""),
        ({}, ""),
    ],
)
def test_a_reason_to_wait_is_shown_before_anything_is_started(
    changes: dict[str, object], waiting: str
) -> None:
    assert view_of(replace(NOTHING, **changes)).waiting == waiting  # type: ignore[arg-type]


def test_the_newest_error_is_shown() -> None:
    assert view_of(NOTHING).problem is None
    problem = view_of(replace(NOTHING, state=FAILED)).problem
    assert problem is not None
    assert (problem.code, problem.what, problem.remedy) == ("setup", FAILURE.what, FAILURE.remedy)
    of_plan = view_of(replace(NOTHING, state=FAILED, problem=SetupError("No list.", "Wait."))).problem
    assert of_plan is not None
    assert of_plan.what == "No list."


@pytest.mark.parametrize(
    ("changes", "needs_volunteer", "words"),
    [
        ({"is_wanted": False}, True, "is not installed"),
        ({"state": FAILED}, True, "The digest differs."),
        ({"state": FAILED, "retry_at": NOW}, False, "is being installed"),
        ({"is_paused": True}, False, "you paused"),
        ({"is_working": True}, False, "is being installed"),
    ],
)
def test_a_run_without_an_environment_says_what_it_needs(
    changes: dict[str, object], needs_volunteer: bool, words: str
) -> None:
    asks, headline = headline_without(view_of(replace(NOTHING, **changes)))  # type: ignore[arg-type]
    assert asks is needs_volunteer
    assert words in headline
    assert headline.startswith("Attention: " if needs_volunteer else "Waiting: ")
