"""The stages of an update follow from events, also after a process was killed in any of them."""

from datetime import UTC, datetime, timedelta

import pytest

from client.api.errors import UpdateError
from client.installed import InstallChannel
from client.updates.offers import UpdateOffer
from client.updates.stages import (
    FIRST_RETRY,
    LONGEST_RETRY,
    MOST_ATTEMPTS,
    UNDER_WAY,
    UpdateEvent,
    UpdateStage,
    UpdateState,
    answered,
    problem_of,
    recovered,
    transition,
)

LOST = UpdateError("It did not stay.", "Tell us.")
WHEN = datetime(2026, 11, 27, tzinfo=UTC)


def offer_of(version: str, size: int = 1_000) -> UpdateOffer:
    return UpdateOffer(
        version=version,
        channel=InstallChannel.TARBALL,
        commit="0" * 40,
        address="http://127.0.0.1/package",
        size=size,
        sha256="0" * 64,
        notes={"en": "Faster."},
    )


def at(stage: UpdateStage, version: str = "0.2.0", **fields: object) -> UpdateState:
    return UpdateState(stage=stage, offer=offer_of(version), previous="0.1.0", looked=WHEN).model_copy(
        update=fields
    )


@pytest.mark.parametrize("stage", list(UpdateStage))
def test_what_is_not_in_the_table_is_refused(stage: UpdateStage) -> None:
    possible = 0
    for event in UpdateEvent:
        try:
            transition(stage, event)
            possible += 1
        except ValueError as error:
            assert event.name in str(error)  # noqa: PT017 - each event is one or the other
    assert possible, "no stage is an end"


def test_an_update_that_works_goes_through_all_stages() -> None:
    events = [
        UpdateEvent.FOUND,
        UpdateEvent.FETCH,
        UpdateEvent.FETCHED,
        UpdateEvent.UNPACK,
        UpdateEvent.UNPACKED,
        UpdateEvent.ANSWERED,
        UpdateEvent.HEALTHY,
    ]
    stage = UpdateStage.CURRENT
    for event in events:
        stage = transition(stage, event)
    assert stage is UpdateStage.CURRENT


@pytest.mark.parametrize(
    ("stage", "version", "expected"),
    [
        # The version before the update starts, and nothing was switched.
        (UpdateStage.CURRENT, "0.1.0", UpdateStage.CURRENT),
        (UpdateStage.OFFERED, "0.1.0", UpdateStage.OFFERED),
        (UpdateStage.FETCHING, "0.1.0", UpdateStage.OFFERED),
        (UpdateStage.FETCHED, "0.1.0", UpdateStage.FETCHED),
        (UpdateStage.UNPACKING, "0.1.0", UpdateStage.FETCHED),
        (UpdateStage.HANDING_OVER, "0.1.0", UpdateStage.FETCHED),
        # The version before the update starts although the new one was in use: it was put back.
        (UpdateStage.ON_TRIAL, "0.1.0", UpdateStage.REJECTED),
        (UpdateStage.TAKING_BACK, "0.1.0", UpdateStage.REJECTED),
        (UpdateStage.REJECTED, "0.1.0", UpdateStage.REJECTED),
        # The new version starts.
        (UpdateStage.HANDING_OVER, "0.2.0", UpdateStage.ON_TRIAL),
        (UpdateStage.ON_TRIAL, "0.2.0", UpdateStage.ON_TRIAL),
        (UpdateStage.CURRENT, "0.2.0", UpdateStage.CURRENT),
        # It was installed by hand meanwhile.
        (UpdateStage.OFFERED, "0.2.0", UpdateStage.CURRENT),
        (UpdateStage.REJECTED, "0.2.0", UpdateStage.CURRENT),
        # A version that is newer still was installed by hand.
        (UpdateStage.ON_TRIAL, "0.3.0", UpdateStage.CURRENT),
        (UpdateStage.HANDING_OVER, "0.3.0", UpdateStage.CURRENT),
    ],
)
def test_a_daemon_takes_up_what_a_killed_process_left(
    stage: UpdateStage, version: str, expected: UpdateStage
) -> None:
    state = recovered(at(stage), version, LOST, WHEN)
    assert state.stage is expected
    assert state.stage not in UNDER_WAY
    assert state.looked == WHEN
    if expected is UpdateStage.REJECTED and stage is not UpdateStage.REJECTED:
        assert state.rejected == ("0.2.0",)
        assert state.problem == problem_of(LOST)


def test_a_hand_over_that_is_interrupted_again_and_again_is_given_up() -> None:
    state = at(UpdateStage.HANDING_OVER)
    for _ in range(MOST_ATTEMPTS - 1):
        state = recovered(state, "0.1.0", LOST, WHEN)
        assert state.stage is UpdateStage.FETCHED
        state = state.model_copy(update={"stage": UpdateStage.HANDING_OVER})
    assert recovered(state, "0.1.0", LOST, WHEN).rejected == ("0.2.0",)


def test_a_package_that_is_lost_again_and_again_is_given_up() -> None:
    state = at(UpdateStage.FETCHED)
    for attempt in range(1, MOST_ATTEMPTS):
        lost = state.lost(LOST, WHEN)
        assert (lost.stage, lost.attempts) == (UpdateStage.OFFERED, attempt)
        assert lost.found(offer_of("0.2.0")).attempts == attempt, "a look finds the same version"
        assert lost.found(offer_of("0.3.0")).attempts == 0
        state = lost.model_copy(update={"stage": UpdateStage.FETCHED})
    given_up = state.lost(LOST, WHEN)
    assert (given_up.rejected, given_up.problem) == (("0.2.0",), problem_of(LOST))


def test_a_download_that_fails_again_and_again_waits_longer_each_time_and_goes_on() -> None:
    state, waits = at(UpdateStage.FETCHING), []
    for _ in range(40):
        failed = state.failed(UpdateEvent.FAILED, LOST, WHEN)
        assert failed.stage is UpdateStage.OFFERED
        assert failed.retry_at is not None
        waits.append(failed.retry_at - WHEN)
        state = failed.model_copy(update={"stage": UpdateStage.FETCHING})
    assert [wait / FIRST_RETRY for wait in waits[:6]] == [1, 2, 4, 8, 16, 24]
    assert set(waits[6:]) == {LONGEST_RETRY}


@pytest.mark.parametrize(
    ("now", "waits"),
    [
        (WHEN, True),
        (WHEN + FIRST_RETRY, False),
        (WHEN - timedelta(days=400), False),  # the clock was set back
    ],
)
def test_a_step_that_failed_waits_its_time(now: datetime, waits: bool) -> None:
    assert at(UpdateStage.FETCHED, retry_at=WHEN + FIRST_RETRY).is_put_off(now) == waits


def test_a_version_that_was_rejected_is_not_offered_again() -> None:
    state = at(UpdateStage.FETCHED).broken(LOST)
    assert state.stage is UpdateStage.REJECTED
    assert state.found(offer_of("0.2.0")) == state
    assert state.found(None) == state
    newer = state.found(offer_of("0.3.0"))
    assert newer.stage is UpdateStage.OFFERED
    assert newer.problem is None
    assert newer.rejected == ("0.2.0",)


def test_an_offer_that_is_gone_is_forgotten() -> None:
    assert at(UpdateStage.FETCHED).found(None).stage is UpdateStage.CURRENT
    assert at(UpdateStage.OFFERED).found(None).offer is None


def test_a_package_that_is_here_stays_until_there_is_a_newer_one() -> None:
    here = at(UpdateStage.FETCHED)
    assert here.found(offer_of("0.2.0")) == here
    assert here.found(offer_of("0.2.1")).stage is UpdateStage.OFFERED


def test_a_version_on_trial_makes_way_for_a_newer_one_alone() -> None:
    on_trial = at(UpdateStage.ON_TRIAL)
    newer = on_trial.found(offer_of("0.3.0"))
    assert (newer.stage, newer.offer) == (UpdateStage.OFFERED, offer_of("0.3.0"))
    assert recovered(newer, "0.2.0", LOST, WHEN) == newer
    for offer in (None, offer_of("0.2.0"), offer_of("0.1.0")):
        assert on_trial.found(offer) == on_trial
    rejecting = at(UpdateStage.ON_TRIAL, rejected=("0.3.0",))
    assert rejecting.found(offer_of("0.3.0")) == rejecting


@pytest.mark.parametrize("stage", UNDER_WAY)
def test_a_look_disturbs_nothing_that_is_under_way(stage: UpdateStage) -> None:
    assert at(stage).found(offer_of("0.9.0")) == at(stage)


def test_a_trial_begins_from_nothing() -> None:
    state = answered(at(UpdateStage.HANDING_OVER, trained_seconds=9.0, starts=3, attempts=1, is_wanted=True))
    assert (state.trained_seconds, state.starts, state.attempts, state.is_wanted) == (0.0, 0, 0, False)


def test_a_daemon_that_starts_again_and_again_is_counted() -> None:
    state = recovered(recovered(at(UpdateStage.ON_TRIAL), "0.2.0", LOST, WHEN), "0.2.0", LOST, WHEN)
    assert state.starts == 2


def test_a_record_of_another_version_is_read() -> None:
    document = at(UpdateStage.ON_TRIAL).model_dump_json()[:-1] + ', "of_a_later_version": 1}'
    assert UpdateState.model_validate_json(document) == at(UpdateStage.ON_TRIAL)
