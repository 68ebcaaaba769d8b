"""The icon's face for every state of client and link."""

import pytest

from client.api.snapshot import Activity
from gui.link.state import LinkState
from gui.tray.face import TrayFace, face_of
from tests.client.snapshots import FULL

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
def test_what_a_daemon_last_said_counts_for_nothing_once_it_does_not_answer(
    state: LinkState, face: TrayFace
) -> None:
    assert face_of(FULL, state) is face
    assert face_of(None, state) is face


def test_it_waits_for_the_first_snapshot() -> None:
    assert face_of(None, LinkState.CONNECTED) is TrayFace.WAITING
