"""When a newer version is looked for, fetched and installed, and whether it works, as tables."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from client.updates.deciding import (
    LONGEST_TRAINING,
    MOST_STARTS,
    TrialFacts,
    TrialVerdict,
    UpdateHold,
    UpdateSituation,
    hold_fetch,
    hold_installation,
    hold_look,
    hold_of,
    judge_trial,
    patience_with,
)
from client.updates.stages import UpdateStage, UpdateState
from tests.client.updates.test_stages import at, offer_of

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
CALM = UpdateSituation(now=NOW, is_on=True)
OFFER = offer_of("0.2.0")
HOUR = timedelta(hours=1)


def ago(hours: float) -> datetime:
    return NOW - timedelta(hours=hours)


@pytest.mark.parametrize(
    ("looked", "situation", "jitter", "expected"),
    [
        (None, CALM, 0.0, None),
        (ago(23.9), CALM, 0.0, UpdateHold.LOOKED),
        (ago(24.1), CALM, 0.0, None),
        (ago(29.9), CALM, 1.0, UpdateHold.LOOKED),
        (ago(30.1), CALM, 1.0, None),
        (ago(-48), CALM, 0.0, None),  # the clock was set back
        (None, replace(CALM, is_on=False), 0.0, UpdateHold.OFF),
        (None, replace(CALM, is_metered=True), 0.0, UpdateHold.METERED),
        (None, replace(CALM, on_battery=True, is_training=True, is_busy=True), 0.0, None),
    ],
)
def test_the_repository_is_asked_once_a_day(
    looked: datetime | None, situation: UpdateSituation, jitter: float, expected: UpdateHold | None
) -> None:
    assert hold_look(UpdateState(looked=looked), situation, jitter) == expected


@pytest.mark.parametrize(
    ("changes", "wanted", "expected"),
    [
        ({}, False, None),
        ({"allowance": 1_000}, False, None),
        ({"allowance": 999}, False, UpdateHold.QUOTA),
        ({"allowance": 0, "is_metered": True}, True, UpdateHold.METERED),
        ({"on_battery": True}, False, UpdateHold.BATTERY),
        ({"is_on": False}, False, UpdateHold.OFF),
        ({"is_on": False}, True, None),
        ({"is_of_system": True, "has_repository": True}, True, UpdateHold.PACKAGE_MANAGER),
        ({"is_of_system": True}, True, UpdateHold.BY_PACKAGE),
        ({"is_training": True, "is_busy": True}, False, None),
    ],
)
def test_a_package_is_fetched_within_the_limits(
    changes: dict[str, object], wanted: bool, expected: UpdateHold | None
) -> None:
    state = at(UpdateStage.OFFERED, is_wanted=wanted)
    assert hold_fetch(state, OFFER, replace(CALM, **changes)) == expected  # type: ignore[arg-type]
    assert hold_of(state, replace(CALM, **changes)) == expected  # type: ignore[arg-type]


def test_what_is_updated_by_hand_is_not_fetched() -> None:
    by_hand = OFFER.model_copy(update={"is_by_hand": True})
    assert hold_fetch(at(UpdateStage.OFFERED), by_hand, CALM) is UpdateHold.BY_HAND


@pytest.mark.parametrize(
    ("changes", "state", "expected"),
    [
        ({}, {}, None),
        ({"is_training": True}, {}, UpdateHold.TRAINING),
        ({"is_training": True}, {"is_wanted": True}, None),
        ({"is_busy": True}, {"is_wanted": True}, UpdateHold.BUSY),
        ({"on_battery": True}, {}, UpdateHold.BATTERY),
        ({"on_battery": True}, {"is_wanted": True}, None),
        ({"is_metered": True, "allowance": 0}, {}, None),  # the package is here
        ({"is_on": False}, {}, UpdateHold.OFF),
        ({}, {"not_before": NOW + HOUR}, UpdateHold.PUT_OFF),
        ({}, {"not_before": NOW - HOUR}, None),
        ({}, {"not_before": NOW + 48 * HOUR}, None),  # the clock was set back
    ],
)
def test_a_version_is_installed_while_nobody_waits(
    changes: dict[str, object], state: dict[str, object], expected: UpdateHold | None
) -> None:
    situation = replace(CALM, **changes)  # type: ignore[arg-type]
    assert hold_installation(at(UpdateStage.FETCHED).model_copy(update=state), situation) == expected


@pytest.mark.parametrize("stage", set(UpdateStage) - {UpdateStage.OFFERED, UpdateStage.FETCHED})
def test_nothing_waits_in_other_stages(stage: UpdateStage) -> None:
    assert hold_of(at(stage), replace(CALM, is_on=False)) is None


NONE = TrialFacts(running=timedelta(), trained=timedelta(), epochs=0, worked_before=True)
BEFORE = replace(NONE, worked_before=False)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (NONE, TrialVerdict.OPEN),
        (replace(NONE, epochs=1), TrialVerdict.HEALTHY),
        (replace(NONE, epochs=1, trained=9 * HOUR), TrialVerdict.HEALTHY),
        (replace(NONE, has_failed=True), TrialVerdict.UNHEALTHY),
        (replace(NONE, trained=HOUR / 2), TrialVerdict.UNHEALTHY),
        (replace(NONE, trained=HOUR / 3), TrialVerdict.OPEN),
        (replace(NONE, trained=3 * HOUR, epoch=HOUR), TrialVerdict.OPEN),
        (replace(NONE, trained=4 * HOUR, epoch=HOUR), TrialVerdict.UNHEALTHY),
        (replace(NONE, running=25 * HOUR), TrialVerdict.HEALTHY),  # there was nothing to train
        (replace(NONE, running=25 * HOUR, trained=HOUR / 3), TrialVerdict.OPEN),
        (replace(NONE, running=167 * HOUR, trained=HOUR / 3), TrialVerdict.OPEN),
        (replace(NONE, running=168 * HOUR, trained=HOUR / 3), TrialVerdict.HEALTHY),  # it left the run
        (replace(NONE, running=168 * HOUR, has_failed=True), TrialVerdict.UNHEALTHY),
        # Training did not work before either: of the machine's limits, its driver or its device.
        (replace(BEFORE, has_failed=True), TrialVerdict.OPEN),
        (replace(BEFORE, trained=13 * HOUR), TrialVerdict.OPEN),
        (replace(BEFORE, running=168 * HOUR, has_failed=True, trained=13 * HOUR), TrialVerdict.HEALTHY),
        (replace(BEFORE, starts=MOST_STARTS + 1), TrialVerdict.UNHEALTHY),
        (replace(NONE, starts=MOST_STARTS), TrialVerdict.OPEN),
        (replace(NONE, starts=MOST_STARTS + 1), TrialVerdict.UNHEALTHY),
    ],
)
def test_a_new_version_is_judged(facts: TrialFacts, expected: TrialVerdict) -> None:
    assert judge_trial(facts) is expected


def test_patience_has_a_limit() -> None:
    assert patience_with(timedelta(days=30)) == LONGEST_TRAINING
    assert patience_with(timedelta(seconds=1)) == HOUR / 2
