"""The volunteer's choices take effect at once and persist for the daemons that follow."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.api.errors import StateError
from client.service.kept.choices import VolunteerChoices
from tests.client.full_disk import SmallDisk
from tests.moved_clock import MovedClock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
Life = Callable[[], VolunteerChoices]


@pytest.fixture
def clock() -> MovedClock[datetime]:
    return MovedClock(NOON)


@pytest.fixture
def life(tmp_path: Path, clock: MovedClock[datetime]) -> Life:
    """The next daemon's life, with what was said in the one before and saved at its end."""
    lives: list[VolunteerChoices] = []

    def begin() -> VolunteerChoices:
        if lives:
            lives[-1].save()
        lives.append(VolunteerChoices(tmp_path / "state.json", pytest.fail, clock))
        return lives[-1]

    return begin


def test_at_first_nothing_was_chosen(life: Life) -> None:
    choices = life()
    assert choices.run_folder is None
    assert not choices.consented
    assert not choices.paused
    assert choices.snoozed_until(NOON) is None


def test_joining_is_consent_and_ends_every_pause(life: Life, tmp_path: Path) -> None:
    choices = life()
    choices.pause(None)
    choices.join(tmp_path)
    for later in (choices, life()):
        assert later.run_folder == tmp_path
        assert later.consented
        assert not later.paused
    later.leave()
    after = life()
    assert after.run_folder is None
    assert after.consented


def test_consent_to_the_environment_and_its_pause_persist(life: Life) -> None:
    choices = life()
    assert not choices.wants_environment
    choices.want_environment(True)
    choices.pause_setup(True)
    later = life()
    assert (later.wants_environment, later.setup_paused) == (True, True)
    later.want_environment(True)
    assert not life().setup_paused, "who asks again goes on"


def test_a_pause_lasts_until_resumed(life: Life) -> None:
    life().pause(None)
    assert life().paused
    life().resume()
    assert not life().paused


def test_a_pause_for_a_time_outlives_the_daemon_and_ends(life: Life, clock: MovedClock[datetime]) -> None:
    life().pause(HOUR)
    clock.now += HOUR / 2
    assert life().snoozed_until(clock.now) == NOON + HOUR
    assert not life().paused
    clock.now += HOUR
    assert life().snoozed_until(clock.now) is None


def test_a_pause_for_no_time_at_all_is_none(life: Life, clock: MovedClock[datetime]) -> None:
    choices = life()
    choices.pause(timedelta())
    assert not choices.paused
    assert choices.snoozed_until(clock.now) is None


def test_an_epoch_that_was_to_be_the_last_one_stays_so_until_resumed(life: Life) -> None:
    life().finish()
    assert life().paused
    assert life().finished
    life().resume()
    assert not life().finished


def test_crashes_are_counted_on_by_the_next_daemon_until_the_volunteer_asks_to_try_again(
    life: Life, clock: MovedClock[datetime]
) -> None:
    life().crashed()
    clock.now += HOUR
    life().crashed()
    clock.now += HOUR
    assert life().crashes(clock.now) == [7200.0, 3600.0]
    assert life().crashes(NOON) == [0.0, 0.0], "a clock that was set back"
    life().resume()
    assert life().crashes(clock.now) == []


def test_a_full_disk_is_reported_and_what_was_chosen_holds_all_the_same(
    small_disk: SmallDisk, clock: MovedClock[datetime]
) -> None:
    choices = VolunteerChoices(small_disk.folder / "state.json", pytest.fail, clock)
    with small_disk.full():
        choices.pause(None)
        with pytest.raises(StateError, match="could not be saved"):
            choices.save()
    assert choices.paused
    choices.save()
    assert VolunteerChoices(small_disk.folder / "state.json", pytest.fail, clock).paused
