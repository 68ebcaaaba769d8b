"""What the tray's menu offers: a pure function of what the daemon does and of how the app stands with it."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from client.api.errors import ClientError
from client.api.snapshot import Activity, Snapshot
from gui.link.state import LinkState
from gui.tray.tooltip import standing
from gui.window.trouble import Help, trouble
from gui.wording.activity import rate

RUN_MODES = ("always", "preferences", "never")
_BY_THE_VOLUNTEER = {"paused", "snoozed"}
_NOT_TO_RESUME = {"never", "not_asked"}
"""Reasons that a pause would not add to, and that resuming does not set aside."""
_OVER = {Activity.OFF, Activity.COMPLETE}
_IN_AN_EPOCH = {
    Activity.STARTING,
    Activity.TRAINING,
    Activity.THROTTLED,
    Activity.FINISHING,
    Activity.WAITING,
}


class Order(Enum):
    """What the first of the menu's commands does."""

    PAUSE = auto()
    RESUME = auto()
    RETRY = auto()  # what could not be kept going is tried again
    START = auto()  # a daemon
    RESTART = auto()


@dataclass(frozen=True)
class MenuState:
    """All that changes in the menu."""

    status: str
    rate: str = ""
    """Empty where nothing is trained."""
    order: Order = Order.PAUSE
    can_order: bool = False
    can_snooze: bool = False
    snoozed_until: datetime | None = None
    can_finish: bool = False
    """Also whether finishing can be taken back."""
    is_finishing: bool = False
    can_choose_mode: bool = False
    run_mode: str = ""
    """One of `RUN_MODES`; empty: not known."""


def menu_state(
    snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime
) -> MenuState:
    """The menu now; ``now`` is aware, and its zone is the one that times are compared in."""
    status = standing(snapshot, state, error, now)
    if snapshot is None or state is not LinkState.CONNECTED:
        return _without_daemon(status, state, error)
    is_alive = snapshot.run is not None and snapshot.activity not in _OVER
    is_barred = any(reason.code in _NOT_TO_RESUME for reason in snapshot.reasons)
    can_pause = is_alive and not is_barred
    return MenuState(
        status=status,
        rate=rate(snapshot),
        order=_order(snapshot),
        can_order=can_pause,
        can_snooze=can_pause and snapshot.activity is not Activity.ATTENTION,
        snoozed_until=snapshot.snoozed_until if can_pause else None,
        can_finish=can_pause and snapshot.activity in _IN_AN_EPOCH,
        is_finishing=snapshot.activity is Activity.FINISHING,
        can_choose_mode=True,
        run_mode=snapshot.run_mode,
    )


def _without_daemon(status: str, state: LinkState, error: ClientError | None) -> MenuState:
    found = trouble(state, error)
    match found.help if found else Help.NONE:
        case Help.START:
            return MenuState(status, order=Order.START, can_order=True)
        case Help.RESTART:
            return MenuState(status, order=Order.RESTART, can_order=True)
    return MenuState(status)


def _order(snapshot: Snapshot) -> Order:
    if snapshot.activity is Activity.ATTENTION:
        return Order.RETRY
    is_paused = any(reason.code in _BY_THE_VOLUNTEER for reason in snapshot.reasons)
    return Order.RESUME if is_paused or snapshot.snoozed_until is not None else Order.PAUSE
