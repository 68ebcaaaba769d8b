"""What the menu offers in every state of client and link."""

from datetime import timedelta
from typing import Any

import pytest

from client.api.errors import DaemonFailed
from client.api.snapshot import Activity, ReasonView, Snapshot
from gui.link.state import LinkState
from gui.tray.menu_state import MenuState, Order, menu_state
from tests.client.snapshots import FULL, IDLE, NOW

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
        # order, can it be given, snooze, finish, is it finishing
        (IDLE, (Order.PAUSE, False, False, False, False)),
        (seen(Activity.STARTING), (Order.PAUSE, True, True, True, False)),
        (seen(Activity.TRAINING), (Order.PAUSE, True, True, True, False)),
        (seen(Activity.THROTTLED, IN_USE), (Order.PAUSE, True, True, True, False)),
        (seen(Activity.WAITING), (Order.PAUSE, True, True, True, False)),
        (seen(Activity.FINISHING), (Order.PAUSE, True, True, True, True)),
        (seen(Activity.PAUSED, IN_USE), (Order.PAUSE, True, True, False, False)),
        (seen(Activity.PAUSED, PAUSED), (Order.RESUME, True, True, False, False)),
        (seen(Activity.PAUSED, IN_USE, PAUSED), (Order.RESUME, True, True, False, False)),
        (seen(Activity.PAUSED, NEVER), (Order.PAUSE, False, False, False, False)),
        (seen(Activity.PAUSED, NOT_ASKED), (Order.PAUSE, False, False, False, False)),
        (seen(Activity.LEAVING, PAUSED), (Order.RESUME, True, True, False, False)),
        (seen(Activity.ATTENTION), (Order.RETRY, True, False, False, False)),
        (seen(Activity.COMPLETE), (Order.PAUSE, False, False, False, False)),
    ],
    ids=lambda value: value.activity if isinstance(value, Snapshot) else "offers",
)
def test_it_offers_what_makes_sense(
    snapshot: Snapshot, offered: tuple[Order, bool, bool, bool, bool]
) -> None:
    state = menu(snapshot)
    assert (
        state.order,
        state.can_order,
        state.can_snooze,
        state.can_finish,
        state.is_finishing,
    ) == offered
    assert state.can_choose_mode


def test_a_snooze_shows_its_end_and_can_be_resumed() -> None:
    until = NOW + timedelta(minutes=15)
    state = menu(seen(Activity.PAUSED, snoozed_until=until))
    assert (state.snoozed_until, state.order) == (until, Order.RESUME)


@pytest.mark.parametrize("activity", Activity)
def test_it_has_a_status_line_for_each_activity(activity: Activity) -> None:
    assert menu(seen(activity)).status


def test_it_shows_rate_and_run_mode_as_the_daemon_has_them() -> None:
    state = menu(seen(Activity.TRAINING, run_mode="always"))
    assert (state.status, state.rate, state.run_mode) == ("Training", "2.1 samples/s", "always")
    assert menu(seen(Activity.PAUSED, PAUSED)).rate == ""


@pytest.mark.parametrize(
    ("state", "order"),
    [
        (LinkState.CONNECTING, None),
        (LinkState.STARTING, None),
        (LinkState.ABSENT, Order.START),
        (LinkState.SILENT, Order.RESTART),
        (LinkState.OLD, Order.RESTART),
        (LinkState.FOREIGN, None),
        (LinkState.FAILED, Order.START),
    ],
)
def test_without_a_daemon_it_offers_to_get_one(state: LinkState, order: Order | None) -> None:
    for snapshot in (None, FULL):  # a daemon that hangs leaves its last one
        offered = menu(snapshot, state)
        assert offered.can_order == (order is not None)
        assert order is None or offered.order is order
        assert not any((offered.can_snooze, offered.can_finish, offered.can_choose_mode, offered.rate))
        assert offered.status


def test_the_status_line_says_why_there_is_no_daemon() -> None:
    error = DaemonFailed("It ended.", "Look into its log.")
    assert menu_state(None, LinkState.FAILED, error, NOW).status == "Idlebrush could not be started"
