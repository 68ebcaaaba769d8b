"""What the tray icon shows: a pure function of what the daemon does and of how the app stands with it."""

from enum import Enum, auto

from client.api.snapshot import Activity, Snapshot
from gui.link.state import LinkState


class TrayFace(Enum):
    """Told apart by shape; each has a drawing of its name among the assets."""

    TRAINING = auto()
    THROTTLED = auto()
    PAUSED = auto()
    WAITING = auto()  # for peers, or for what takes a moment
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
    """What a daemon does that does not answer, nobody knows: then the link alone counts."""
    if state is not LinkState.CONNECTED:
        return _OF_LINK[state]
    return _OF_ACTIVITY[snapshot.activity] if snapshot else TrayFace.WAITING
