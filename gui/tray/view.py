"""The content of the tray, as pure functions of the snapshot and the state of the link: icon, tooltip, menu."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.commands import snooze_seconds
from client.api.errors import ClientError
from client.api.snapshot import Activity, Snapshot
from gui.link.link import LinkState
from gui.window.trouble import TroubleAction, trouble
from gui.wording.activity import headline, rate

NAME = "Idlebrush"
_LONGEST = 127
"""Number of characters of a tooltip that Windows shows."""
translate = QCoreApplication.translate
RUN_MODES = ("always", "preferences", "never")
_BY_THE_VOLUNTEER = {"paused", "snoozed"}
_NOT_TO_RESUME = {"never", "not_asked"}
"""Reasons under which pausing has no effect, and that resuming does not remove."""
_OVER = {Activity.OFF, Activity.COMPLETE}
_IN_AN_EPOCH = {
    Activity.STARTING,
    Activity.TRAINING,
    Activity.THROTTLED,
    Activity.FINISHING,
    Activity.WAITING,
}


class TrayFace(Enum):
    """Faces of the tray icon, which differ in shape; each has a file of its name in the assets."""

    TRAINING = auto()
    THROTTLED = auto()
    PAUSED = auto()
    WAITING = auto()  # for peers, or for an operation
    ATTENTION = auto()
    OFF = auto()


_OF_ACTIVITY = {
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
_OF_LINK = {
    LinkState.CONNECTING: TrayFace.WAITING,
    LinkState.STARTING: TrayFace.WAITING,
    LinkState.ABSENT: TrayFace.OFF,
    LinkState.SILENT: TrayFace.ATTENTION,
    LinkState.OLD: TrayFace.ATTENTION,
    LinkState.FOREIGN: TrayFace.ATTENTION,
    LinkState.FAILED: TrayFace.ATTENTION,
}


def face_of(snapshot: Snapshot | None, state: LinkState) -> TrayFace:
    """Return the face of the icon; if the daemon does not answer, the link's state decides."""
    if state is not LinkState.CONNECTED:
        return _OF_LINK[state]
    return _OF_ACTIVITY[snapshot.activity] if snapshot else TrayFace.WAITING


def status_line(snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime) -> str:
    """Return the client's activity in one line, or the reason why it is unknown."""
    if found := trouble(state, error):
        return found.text
    return headline(snapshot, now) if snapshot else NAME


def tooltip(snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime) -> str:
    """Return the activity, its reason and the training speed, one line each."""
    lines = [NAME, status_line(snapshot, state, error, now)]
    if snapshot is not None and state is LinkState.CONNECTED:
        lines.append(rate(snapshot))
    text = "\n".join(line for line in dict.fromkeys(lines) if line)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class SnoozeChoice(Enum):
    """Snooze times, by their form on the command line."""

    QUARTER = "15m"
    HOUR = "1h"
    TOMORROW = "tomorrow"


def snooze_length(snooze: SnoozeChoice, now: datetime) -> float:
    """Return the length of a snooze in seconds; ``tomorrow`` ends in the morning."""
    return snooze_seconds(snooze.value, now)


def snooze_words(snooze: SnoozeChoice) -> str:
    """Return the name of a snooze in a menu."""
    return {
        SnoozeChoice.QUARTER: translate("Snooze", "15 minutes"),
        SnoozeChoice.HOUR: translate("Snooze", "1 hour"),
        SnoozeChoice.TOMORROW: translate("Snooze", "Until tomorrow"),
    }[snooze]


class MenuCommand(Enum):
    """The first command of the menu."""

    PAUSE = auto()
    RESUME = auto()
    RETRY = auto()  # start the trainer again after repeated failures
    START = auto()  # start a daemon
    RESTART = auto()


@dataclass(frozen=True)
class MenuState:
    """The variable content of the menu."""

    status: str
    rate: str = ""
    """The training speed; empty if nothing is trained."""
    command: MenuCommand = MenuCommand.PAUSE
    can_command: bool = False
    can_snooze: bool = False
    snoozed_until: datetime | None = None
    can_finish: bool = False
    """True if the epoch can be finished, or finishing can be undone."""
    is_finishing: bool = False
    can_choose_mode: bool = False
    run_mode: str = ""
    """The run mode, of `RUN_MODES`; empty if unknown."""


def menu_state(
    snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime
) -> MenuState:
    """Return the state of the menu; ``now`` is aware, and times are compared in its zone."""
    status = status_line(snapshot, state, error, now)
    if snapshot is None or state is not LinkState.CONNECTED:
        return _without_daemon(status, state, error)
    is_alive = snapshot.run is not None and snapshot.activity not in _OVER
    is_barred = any(reason.code in _NOT_TO_RESUME for reason in snapshot.reasons)
    can_pause = is_alive and not is_barred
    return MenuState(
        status=status,
        rate=rate(snapshot),
        command=_command(snapshot),
        can_command=can_pause,
        can_snooze=can_pause and snapshot.activity is not Activity.ATTENTION,
        snoozed_until=snapshot.snoozed_until if can_pause else None,
        can_finish=can_pause and snapshot.activity in _IN_AN_EPOCH,
        is_finishing=snapshot.activity is Activity.FINISHING,
        can_choose_mode=True,
        run_mode=snapshot.run_mode,
    )


def _without_daemon(status: str, state: LinkState, error: ClientError | None) -> MenuState:
    found = trouble(state, error)
    match found.help if found else TroubleAction.NONE:
        case TroubleAction.START:
            return MenuState(status, command=MenuCommand.START, can_command=True)
        case TroubleAction.RESTART:
            return MenuState(status, command=MenuCommand.RESTART, can_command=True)
    return MenuState(status)


def _command(snapshot: Snapshot) -> MenuCommand:
    if snapshot.activity is Activity.ATTENTION:
        return MenuCommand.RETRY
    is_paused = any(reason.code in _BY_THE_VOLUNTEER for reason in snapshot.reasons)
    return MenuCommand.RESUME if is_paused or snapshot.snoozed_until is not None else MenuCommand.PAUSE
