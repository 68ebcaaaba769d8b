"""The way through the first run, as a table of what may follow what."""

from dataclasses import replace

import pytest

from client.api.candidate import CandidateStage
from client.api.snapshot import Snapshot
from gui.first_run.steps import (
    ANOTHER_RUN,
    WHOLE,
    Facts,
    FirstRunStep,
    Move,
    Obstacle,
    applying,
    facts_of,
    is_needed,
    may_go_back,
    obstacle,
    transition,
)
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, GATED, looking_at

READY = Facts(stage=CandidateStage.READY, is_known=True, fits=True, is_admitted=True)
JOINED = Facts(stage=CandidateStage.JOINED, is_known=True, fits=True, is_admitted=True, is_joined=True)


@pytest.mark.parametrize("needs_setup", [False, True])
def test_the_whole_way_is_five_screens_long_and_six_where_packages_are_missing(needs_setup: bool) -> None:
    step, seen = FirstRunStep.WELCOME, []
    while step is not FirstRunStep.DONE:
        seen.append(step)
        facts = JOINED if step is FirstRunStep.CONSENT else READY
        step = transition(step, Move.ON, replace(facts, needs_setup=needs_setup))
    expected = WHOLE if needs_setup else WHOLE[:-1]
    assert tuple(seen) == expected
    assert applying(WHOLE, replace(READY, needs_setup=needs_setup), FirstRunStep.RUN) == expected
    assert applying(WHOLE, READY, FirstRunStep.SETUP) == WHOLE


@pytest.mark.parametrize(
    ("step", "facts", "expected"),
    [
        (FirstRunStep.WELCOME, Facts(is_connected=False), None),
        (FirstRunStep.SIGN_IN, Facts(), None),
        (FirstRunStep.SIGN_IN, Facts(is_connected=False), Obstacle.NO_DAEMON),
        (FirstRunStep.SIGN_IN, Facts(is_signing_in=True), Obstacle.SIGNING_IN),
        (FirstRunStep.RUN, Facts(), Obstacle.NO_RUN),
        (FirstRunStep.RUN, Facts(stage=CandidateStage.LOOKING), Obstacle.INSPECTING),
        (FirstRunStep.RUN, Facts(stage=CandidateStage.FAILED), Obstacle.NO_CANDIDATE),
        (
            FirstRunStep.RUN,
            Facts(stage=CandidateStage.FAILED, is_known=True, fits=True, is_admitted=True),
            None,
        ),
        (FirstRunStep.RUN, Facts(stage=CandidateStage.READY, is_known=True), Obstacle.TOO_LARGE),
        (
            FirstRunStep.RUN,
            Facts(stage=CandidateStage.READY, is_known=True, fits=True),
            Obstacle.NOT_ADMITTED,
        ),
        (FirstRunStep.RUN, READY, None),
        (FirstRunStep.RUN, JOINED, None),
        (
            FirstRunStep.RUN,
            Facts(stage=CandidateStage.MEASURING, is_known=True, fits=True, is_admitted=True),
            None,
        ),
        (FirstRunStep.TIMES, READY, None),
        (FirstRunStep.TIMES, Facts(is_connected=False), Obstacle.NO_DAEMON),
        (FirstRunStep.CONSENT, READY, Obstacle.NOT_JOINED),
        (FirstRunStep.CONSENT, JOINED, None),
        (FirstRunStep.SETUP, JOINED, None),
        (FirstRunStep.SETUP, Facts(is_connected=False), None),
    ],
)
def test_what_stands_in_the_way(step: FirstRunStep, facts: Facts, expected: Obstacle | None) -> None:
    assert obstacle(step, facts) is expected
    if expected is None:
        assert transition(step, Move.ON, facts) is not step
    else:
        with pytest.raises(ValueError, match=expected.name):
            transition(step, Move.ON, facts)


@pytest.mark.parametrize(
    ("step", "facts", "route", "expected"),
    [
        (FirstRunStep.WELCOME, Facts(), WHOLE, False),
        (FirstRunStep.SIGN_IN, Facts(is_connected=False), WHOLE, True),
        (FirstRunStep.RUN, Facts(), WHOLE, True),
        (FirstRunStep.RUN, Facts(), ANOTHER_RUN, False),
        (FirstRunStep.CONSENT, READY, WHOLE, True),
        (FirstRunStep.CONSENT, Facts(stage=CandidateStage.FETCHING), WHOLE, False),
        (FirstRunStep.CONSENT, JOINED, WHOLE, False),
        (FirstRunStep.SETUP, JOINED, WHOLE, False),
        (FirstRunStep.SETUP, JOINED, (FirstRunStep.SETUP,), False),
        (FirstRunStep.DONE, JOINED, WHOLE, False),
    ],
)
def test_where_there_is_a_way_back(
    step: FirstRunStep, facts: Facts, route: tuple[FirstRunStep, ...], expected: bool
) -> None:
    assert may_go_back(step, facts, route) is expected
    if expected:
        assert transition(step, Move.BACK, facts, route) is route[route.index(step) - 1]
    else:
        with pytest.raises(ValueError, match=step.name):
            transition(step, Move.BACK, facts, route)


@pytest.mark.parametrize("step", WHOLE)
def test_every_screen_may_be_left(step: FirstRunStep) -> None:
    is_last = step is FirstRunStep.SETUP
    assert transition(step, Move.LEAVE, READY) is (FirstRunStep.DONE if is_last else FirstRunStep.LEFT)
    is_joined = is_last or step is FirstRunStep.CONSENT
    assert transition(step, Move.LEAVE, JOINED) is (FirstRunStep.DONE if is_joined else FirstRunStep.LEFT)


@pytest.mark.parametrize("end", [FirstRunStep.DONE, FirstRunStep.LEFT])
@pytest.mark.parametrize("move", Move)
def test_nothing_follows_the_ends(end: FirstRunStep, move: Move) -> None:
    with pytest.raises(ValueError, match="end"):
        transition(end, move, READY)


def test_another_run_begins_with_choosing_it() -> None:
    assert transition(FirstRunStep.RUN, Move.ON, READY, ANOTHER_RUN) is FirstRunStep.TIMES
    assert transition(FirstRunStep.CONSENT, Move.ON, JOINED, ANOTHER_RUN) is FirstRunStep.DONE


@pytest.mark.parametrize(
    ("snapshot", "done", "expected"),
    [
        (IDLE, False, True),
        (None, False, True),
        (IDLE, True, False),
        (FULL, False, False),
        (FULL, True, False),
    ],
)
def test_who_is_greeted(snapshot: Snapshot | None, done: bool, expected: bool) -> None:
    assert is_needed(snapshot, done) is expected


def test_a_gate_admits_its_members_only() -> None:
    assert GATED.gate is not None
    member = GATED.gate.model_copy(update={"is_member": True})
    assert facts_of(looking_at(EMBEDDED), True).is_admitted
    assert not facts_of(looking_at(GATED), True).is_admitted
    assert facts_of(looking_at(GATED, gate=member), True).is_admitted


def test_a_run_that_was_joined_before_counts_as_joined() -> None:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"digest": EMBEDDED.digest})
    snapshot = looking_at(EMBEDDED)
    assert not facts_of(snapshot, True).is_joined
    assert facts_of(snapshot.model_copy(update={"run": run}), True).is_joined
    assert facts_of(looking_at(EMBEDDED, stage=CandidateStage.JOINED), True).is_joined
