"""Computers as the daemon shows them, for tests of front ends."""

from datetime import datetime, timedelta

from client.api.protocol import ProblemView
from client.api.remote.computers import ComputerReach, ComputerView
from client.api.remote.control import ControllerView, PairingStage, PairingView, RemoteControlView
from client.api.snapshot import Activity, ReasonView, Snapshot
from tests.client.snapshots import FULL, NOW

assert FULL.contribution is not None
TRAINING = FULL.model_copy(
    update={
        "activity": Activity.TRAINING,
        "reasons": (),
        "snoozed_until": None,
        "run_mode": "preferences",
        "problem": None,
        "contribution": FULL.contribution.model_copy(update={"compute_seconds_today": 3600.0}),
    }
)
PAUSED = TRAINING.model_copy(
    update={"activity": Activity.PAUSED, "reasons": (ReasonView(code="paused", text="You paused it."),)}
)


def computer(name: str = "Desktop", snapshot: Snapshot | None = TRAINING) -> ComputerView:
    """A computer that answers."""
    return ComputerView(
        name=name,
        address="192.168.1.8:47320",
        fingerprint="ab-cd",
        reach=ComputerReach.CONNECTED,
        since=NOW,
        snapshot=snapshot,
        seen=NOW,
    )


def away(name: str = "Desktop", hours: float = 3.0) -> ComputerView:
    """A computer that does not answer any more."""
    why = ProblemView(
        code="computer_away", what=f"{name} cannot be reached at x.", remedy="Check that it is on."
    )
    since = NOW - timedelta(hours=hours)
    return computer(name).model_copy(
        update={"reach": ComputerReach.AWAY, "since": since, "why": why, "seen": since}
    )


def pairing(
    stage: PairingStage = PairingStage.OPEN, paired: str = "", expires: datetime = NOW
) -> PairingView:
    """A code in that stage."""
    return PairingView(stage=stage, expires=expires, attempts_left=3, paired=paired)


def control(*controllers: ControllerView, code: PairingView | None = None) -> RemoteControlView:
    """Remote control that is on."""
    return RemoteControlView(
        name="Laptop",
        is_on=True,
        port=47_320,
        addresses=("192.168.1.7:47320", "[fd00::7]:47320"),
        fingerprint="ftze-jazc-ug7v-7g6c-4lbn-zhtv",
        pairing=code,
        controllers=controllers,
    )


def own(remote: RemoteControlView) -> Snapshot:
    """A snapshot of this computer."""
    return TRAINING.model_copy(update={"remote": remote})
