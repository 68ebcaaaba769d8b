"""What is done about the environment next, as a table."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from client.environment.stages import RUNNING, SetupStage
from client.policy.policy import PauseReason
from client.service.environment.policy import (
    FRESH,
    PlanState,
    SetupAction,
    SetupFacts,
    SetupFailures,
    next_action,
    reason_to_hold,
    seconds_to_retry,
)

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
NONE: frozenset[str] = frozenset()
NEEDED = PlanState(NOW, NONE, leads_to_setup=True)
USELESS = PlanState(NOW, NONE, leads_to_setup=False, was_taken_back=True)
FACTS = SetupFacts(
    is_wanted=True,
    is_busy=False,
    stage=SetupStage.ABSENT,
    is_held=False,
    is_put_off=False,
    is_given_up=False,
    plan=None,
    now=NOW,
    gpus=NONE,
)
NOTHING, PLAN, SET_UP = SetupAction.NOTHING, SetupAction.PLAN, SetupAction.SET_UP
MAKE = SetupAction.MAKE_DISTRIBUTION


@pytest.mark.parametrize(
    ("changes", "action"),
    [
        ({}, PLAN),
        ({"is_wanted": False}, NOTHING),
        ({"is_wanted": False, "stage": SetupStage.FETCHING}, NOTHING),
        ({"is_busy": True}, NOTHING),
        ({"is_given_up": True}, NOTHING),
        ({"is_put_off": True}, NOTHING),
        ({"is_held": True}, NOTHING),
        ({"plan": NEEDED}, SET_UP),
        ({"lacks_distribution": True}, MAKE),
        ({"lacks_distribution": True, "is_wanted": False}, NOTHING),
        ({"lacks_distribution": True, "is_held": True}, NOTHING),
        ({"lacks_distribution": True, "plan": NEEDED}, MAKE),
        ({"lacks_distribution": True, "stage": SetupStage.INSTALLING}, MAKE),
        ({"plan": NEEDED, "is_held": True}, NOTHING),
        ({"plan": NEEDED.done()}, NOTHING),
        ({"plan": USELESS}, NOTHING),
        ({"plan": USELESS.wanted()}, SET_UP),
        ({"plan": NEEDED, "now": NOW + FRESH}, PLAN),
        ({"plan": NEEDED, "now": NOW - timedelta(seconds=1)}, PLAN),
        ({"plan": NEEDED.done(), "gpus": frozenset({"RTX 4070"})}, PLAN),
        ({"stage": SetupStage.READY, "plan": NEEDED.done()}, NOTHING),
        ({"stage": SetupStage.READY}, PLAN),
        ({"stage": SetupStage.FAILED, "plan": NEEDED}, SET_UP),
        ({"stage": SetupStage.FETCHING, "is_held": True}, NOTHING),
        ({"stage": SetupStage.INSTALLING, "is_held": True}, SET_UP),
        *(({"stage": stage}, SET_UP) for stage in RUNNING),
        *(({"stage": stage, "is_put_off": True}, NOTHING) for stage in RUNNING),
    ],
)
def test_the_next_step(changes: dict[str, object], action: SetupAction) -> None:
    assert next_action(replace(FACTS, **changes)) is action  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("paused", "codes", "may_fetch", "words"),
    [
        (False, (), None, ""),
        (False, (PauseReason.IN_USE,), 1, ""),
        (True, (PauseReason.METERED,), 0, "paused"),
        (False, (PauseReason.METERED,), 0, "metered"),
        (False, (), 0, "quota"),
    ],
)
def test_reasons_to_wait(
    paused: bool, codes: tuple[PauseReason, ...], may_fetch: int | None, words: str
) -> None:
    sentence = reason_to_hold(is_paused=paused, codes=codes, may_fetch=may_fetch)
    assert words in sentence
    assert bool(sentence) == bool(words)


def test_attempts_come_at_growing_intervals_up_to_an_hour() -> None:
    waits = [seconds_to_retry(failures, 1.0) for failures in range(1, 40)]
    assert waits[:3] == [60.0, 120.0, 240.0]
    assert waits == sorted(waits)
    assert waits[-1] == 3600.0
    assert seconds_to_retry(1, 0.0) == 30.0


def test_failures_put_the_next_attempt_off_or_end_all_attempts() -> None:
    one = SetupFailures().after(is_passing=True, now=NOW, draw=1.0)
    two = one.after(is_passing=True, now=NOW, draw=1.0)
    assert (one.retry_at, two.retry_at) == (NOW + timedelta(seconds=60), NOW + timedelta(seconds=120))
    assert two.is_put_off(NOW)
    assert not two.is_put_off(NOW + timedelta(seconds=120))
    last = two.after(is_passing=False, now=NOW, draw=1.0)
    assert (last.is_given_up, last.retry_at) == (True, None)
