"""The way through the first run, as a table of what may follow what."""

import pytest

from client.api.prospect import ProspectStage
from client.api.snapshot import Snapshot
from gui.first_run.steps import (
    ANOTHER_RUN,
    WHOLE,
    Facts,
    Hindrance,
    Move,
    Step,
    facts_of,
    hindrance,
    is_needed,
    may_go_back,
    transition,
)
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.prospects import EMBEDDED, GATED, looking_at

READY = Facts(stage=ProspectStage.READY, is_known=True, fits=True, is_admitted=True)
JOINED = Facts(stage=ProspectStage.JOINED, is_known=True, fits=True, is_admitted=True, is_joined=True)


def test_the_whole_way_is_five_screens_long() -> None:
    step, seen = Step.WELCOME, []
    while step is not Step.DONE:
        seen.append(step)
        step = transition(step, Move.ON, JOINED if step is Step.CONSENT else READY)
    assert tuple(seen) == WHOLE


@pytest.mark.parametrize(
    ("step", "facts", "expected"),
    [
        (Step.WELCOME, Facts(is_connected=False), None),
        (Step.SIGN_IN, Facts(), None),
        (Step.SIGN_IN, Facts(is_connected=False), Hindrance.NO_DAEMON),
        (Step.SIGN_IN, Facts(is_signing_in=True), Hindrance.SIGNING_IN),
        (Step.RUN, Facts(), Hindrance.NO_RUN),
        (Step.RUN, Facts(stage=ProspectStage.LOOKING), Hindrance.LOOKING),
        (Step.RUN, Facts(stage=ProspectStage.FAILED), Hindrance.NO_PROSPECT),
        (Step.RUN, Facts(stage=ProspectStage.FAILED, is_known=True, fits=True, is_admitted=True), None),
        (Step.RUN, Facts(stage=ProspectStage.READY, is_known=True), Hindrance.TOO_LARGE),
        (Step.RUN, Facts(stage=ProspectStage.READY, is_known=True, fits=True), Hindrance.NOT_ADMITTED),
        (Step.RUN, READY, None),
        (Step.RUN, JOINED, None),
        (
            Step.RUN,
            Facts(stage=ProspectStage.MEASURING, is_known=True, fits=True, is_admitted=True),
            None,
        ),
        (Step.TIMES, READY, None),
        (Step.TIMES, Facts(is_connected=False), Hindrance.NO_DAEMON),
        (Step.CONSENT, READY, Hindrance.NOT_JOINED),
        (Step.CONSENT, JOINED, None),
    ],
)
def test_what_stands_in_the_way(step: Step, facts: Facts, expected: Hindrance | None) -> None:
    assert hindrance(step, facts) is expected
    if expected is None:
        assert transition(step, Move.ON, facts) is not step
    else:
        with pytest.raises(ValueError, match=expected.name):
            transition(step, Move.ON, facts)


@pytest.mark.parametrize(
    ("step", "facts", "route", "expected"),
    [
        (Step.WELCOME, Facts(), WHOLE, False),
        (Step.SIGN_IN, Facts(is_connected=False), WHOLE, True),
        (Step.RUN, Facts(), WHOLE, True),
        (Step.RUN, Facts(), ANOTHER_RUN, False),
        (Step.CONSENT, READY, WHOLE, True),
        (Step.CONSENT, Facts(stage=ProspectStage.BRINGING), WHOLE, False),
        (Step.CONSENT, JOINED, WHOLE, False),
        (Step.DONE, JOINED, WHOLE, False),
    ],
)
def test_where_there_is_a_way_back(step: Step, facts: Facts, route: tuple[Step, ...], expected: bool) -> None:
    assert may_go_back(step, facts, route) is expected
    if expected:
        assert transition(step, Move.BACK, facts, route) is route[route.index(step) - 1]
    else:
        with pytest.raises(ValueError, match=step.name):
            transition(step, Move.BACK, facts, route)


@pytest.mark.parametrize("step", WHOLE)
def test_every_screen_may_be_left(step: Step) -> None:
    assert transition(step, Move.LEAVE, READY) is Step.LEFT
    expected = Step.DONE if step is Step.CONSENT else Step.LEFT
    assert transition(step, Move.LEAVE, JOINED) is expected


@pytest.mark.parametrize("end", [Step.DONE, Step.LEFT])
@pytest.mark.parametrize("move", Move)
def test_nothing_follows_the_ends(end: Step, move: Move) -> None:
    with pytest.raises(ValueError, match="end"):
        transition(end, move, READY)


def test_another_run_begins_with_choosing_it() -> None:
    assert transition(Step.RUN, Move.ON, READY, ANOTHER_RUN) is Step.TIMES
    assert transition(Step.CONSENT, Move.ON, JOINED, ANOTHER_RUN) is Step.DONE


@pytest.mark.parametrize(
    ("snapshot", "done", "offered", "expected"),
    [
        (IDLE, False, False, True),
        (None, False, False, True),
        (IDLE, True, False, False),
        (IDLE, True, True, True),
        (FULL, False, False, False),
        (FULL, False, True, False),
    ],
)
def test_who_is_greeted(snapshot: Snapshot | None, done: bool, offered: bool, expected: bool) -> None:
    assert is_needed(snapshot, done, offered) is expected


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
    assert facts_of(looking_at(EMBEDDED, stage=ProspectStage.JOINED), True).is_joined
