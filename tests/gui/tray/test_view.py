"""Tables of what the tray shows: icon, tooltip, menu and snoozes."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from client.api.errors import DaemonFailed
from client.api.snapshot import Activity, ReasonView, Snapshot
from gui.link.link import LinkState
from gui.tray.view import (
    MenuCommand,
    MenuState,
    SnoozeChoice,
    TrayFace,
    face_of,
    menu_state,
    snooze_length,
    snooze_words,
    tooltip,
)
from tests.client.snapshots import FULL, IDLE, NOW

FACES = {
    Activity.OFF: TrayFace.OFF,
    Activity.STARTING: TrayFace.WAITING,
    Activity.TRAINING: TrayFace.TRAINING,
    Activity.THROTTLED: TrayFace.THROTTLED,
    Activity.PAUSED: TrayFace.PAUSED,
    Activity.FINISHING: TrayFace.TRAINING,
    Activity.WAITING: TrayFace.WAITING,
    Activity.ATTENTION: TrayFace.ATTENTION,
    Activity.LEAVING: TrayFace.PAUSED,
    Activity.COMPLETE: TrayFace.OFF,
}


@pytest.mark.parametrize("activity", Activity)
def test_each_activity_has_its_face(activity: Activity) -> None:
    snapshot = FULL.model_copy(update={"activity": activity})
    assert face_of(snapshot, LinkState.CONNECTED) is FACES[activity]


@pytest.mark.parametrize(
    ("state", "face"),
    [
        (LinkState.CONNECTING, TrayFace.WAITING),
        (LinkState.STARTING, TrayFace.WAITING),
        (LinkState.ABSENT, TrayFace.OFF),
        (LinkState.SILENT, TrayFace.ATTENTION),
        (LinkState.OLD, TrayFace.ATTENTION),
        (LinkState.FOREIGN, TrayFace.ATTENTION),
        (LinkState.FAILED, TrayFace.ATTENTION),
    ],
)
def test_what_a_daemon_last_reported_counts_for_nothing_once_it_does_not_answer(
    state: LinkState, face: TrayFace
) -> None:
    assert face_of(FULL, state) is face
    assert face_of(None, state) is face


def test_it_waits_for_the_first_snapshot() -> None:
    assert face_of(None, LinkState.CONNECTED) is TrayFace.WAITING


TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "reasons": ()})


def test_it_tells_the_rate() -> None:
    assert tooltip(TRAINING, LinkState.CONNECTED, None, NOW) == "Idlebrush\nTraining\n2.1 samples/s"


def test_it_tells_the_reason() -> None:
    in_use = ReasonView(code="in_use", text="You are using the computer.")
    paused = FULL.model_copy(update={"activity": Activity.PAUSED, "reasons": (in_use,)})
    text = tooltip(paused, LinkState.CONNECTED, None, NOW)
    assert text == "Idlebrush\nPaused: you are using the computer"


def test_it_tells_nothing_old_of_a_daemon_that_hangs() -> None:
    assert tooltip(TRAINING, LinkState.SILENT, None, NOW) == "Idlebrush\nIdlebrush does not answer"


def test_it_is_as_short_as_windows_wants_it() -> None:
    waiting = FULL.model_copy(update={"activity": Activity.WAITING, "headline": "Waiting: " + "x" * 300})
    text = tooltip(waiting, LinkState.CONNECTED, None, NOW)
    assert len(text) == 127
    assert text.endswith("…")


def test_each_lasts_as_long_as_it_says() -> None:
    now = datetime(2026, 3, 1, 14, 30).astimezone()
    assert snooze_length(SnoozeChoice.QUARTER, now) == 900
    assert snooze_length(SnoozeChoice.HOUR, now) == 3600
    morning = now + timedelta(seconds=snooze_length(SnoozeChoice.TOMORROW, now))
    assert (morning.day, morning.hour, morning.minute) == (2, 6, 0)


def test_each_has_words_of_its_own() -> None:
    assert len({snooze_words(snooze) for snooze in SnoozeChoice}) == len(SnoozeChoice)


IN_USE = ReasonView(code="in_use", text="You are using the computer.")
PAUSED = ReasonView(code="paused", text="You paused it until you resume.")
NEVER = ReasonView(code="never", text="You chose never to train.")
NOT_ASKED = ReasonView(code="not_asked", text="You have not agreed to train yet.")


def seen(activity: Activity, *reasons: ReasonView, **changes: Any) -> Snapshot:
    return FULL.model_copy(
        update={"activity": activity, "reasons": reasons, "snoozed_until": None, "problem": None, **changes}
    )


def menu(snapshot: Snapshot | None, state: LinkState = LinkState.CONNECTED) -> MenuState:
    return menu_state(snapshot, state, None, NOW)


@pytest.mark.parametrize(
    ("snapshot", "offered"),
    [
        # command, can it be given, snooze, finish, is it finishing
        (IDLE, (MenuCommand.PAUSE, False, False, False, False)),
        (seen(Activity.STARTING), (MenuCommand.PAUSE, True, True, True, False)),
        (seen(Activity.TRAINING), (MenuCommand.PAUSE, True, True, True, False)),
        (seen(Activity.THROTTLED, IN_USE), (MenuCommand.PAUSE, True, True, True, False)),
        (seen(Activity.WAITING), (MenuCommand.PAUSE, True, True, True, False)),
        (seen(Activity.FINISHING), (MenuCommand.PAUSE, True, True, True, True)),
        (seen(Activity.PAUSED, IN_USE), (MenuCommand.PAUSE, True, True, False, False)),
        (seen(Activity.PAUSED, PAUSED), (MenuCommand.RESUME, True, True, False, False)),
        (seen(Activity.PAUSED, IN_USE, PAUSED), (MenuCommand.RESUME, True, True, False, False)),
        (seen(Activity.PAUSED, NEVER), (MenuCommand.PAUSE, False, False, False, False)),
        (seen(Activity.PAUSED, NOT_ASKED), (MenuCommand.PAUSE, False, False, False, False)),
        (seen(Activity.LEAVING, PAUSED), (MenuCommand.RESUME, True, True, False, False)),
        (seen(Activity.ATTENTION), (MenuCommand.RETRY, True, False, False, False)),
        (seen(Activity.COMPLETE), (MenuCommand.PAUSE, False, False, False, False)),
    ],
    ids=lambda value: value.activity if isinstance(value, Snapshot) else "offers",
)
def test_it_offers_what_makes_sense(
    snapshot: Snapshot, offered: tuple[MenuCommand, bool, bool, bool, bool]
) -> None:
    state = menu(snapshot)
    assert (
        state.command,
        state.can_command,
        state.can_snooze,
        state.can_finish,
        state.is_finishing,
    ) == offered
    assert state.can_choose_mode


def test_a_snooze_shows_its_end_and_can_be_resumed() -> None:
    until = NOW + timedelta(minutes=15)
    state = menu(seen(Activity.PAUSED, snoozed_until=until))
    assert (state.snoozed_until, state.command) == (until, MenuCommand.RESUME)


@pytest.mark.parametrize("activity", Activity)
def test_it_has_a_status_line_for_each_activity(activity: Activity) -> None:
    assert menu(seen(activity)).status


def test_it_shows_rate_and_run_mode_as_the_daemon_has_them() -> None:
    state = menu(seen(Activity.TRAINING, run_mode="always"))
    assert (state.status, state.rate, state.run_mode) == ("Training", "2.1 samples/s", "always")
    assert menu(seen(Activity.PAUSED, PAUSED)).rate == ""


@pytest.mark.parametrize(
    ("state", "command"),
    [
        (LinkState.CONNECTING, None),
        (LinkState.STARTING, None),
        (LinkState.ABSENT, MenuCommand.START),
        (LinkState.SILENT, MenuCommand.RESTART),
        (LinkState.OLD, MenuCommand.RESTART),
        (LinkState.FOREIGN, None),
        (LinkState.FAILED, MenuCommand.START),
    ],
)
def test_without_a_daemon_it_offers_to_get_one(state: LinkState, command: MenuCommand | None) -> None:
    for snapshot in (None, FULL):  # a daemon that hangs leaves its last one
        offered = menu(snapshot, state)
        assert offered.can_command == (command is not None)
        assert command is None or offered.command is command
        assert not any((offered.can_snooze, offered.can_finish, offered.can_choose_mode, offered.rate))
        assert offered.status


def test_the_status_line_says_why_there_is_no_daemon() -> None:
    error = DaemonFailed("It ended.", "Look into its log.")
    assert menu_state(None, LinkState.FAILED, error, NOW).status == "Idlebrush could not be started"
