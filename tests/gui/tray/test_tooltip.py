"""The tooltip: what the client does, why, and how fast."""

from client.api.snapshot import Activity, ReasonView
from gui.link.state import LinkState
from gui.tray.tooltip import tooltip
from tests.client.snapshots import FULL, NOW

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "reasons": ()})


def test_it_tells_the_rate() -> None:
    assert tooltip(TRAINING, LinkState.CONNECTED, None, NOW) == "Idlebrush\nTraining\n2.1 samples/s"


def test_it_tells_the_reason() -> None:
    in_use = ReasonView(code="in_use", text="You are using the computer.")
    paused = FULL.model_copy(update={"activity": Activity.PAUSED, "reasons": (in_use,)})
    said = tooltip(paused, LinkState.CONNECTED, None, NOW)
    assert said == "Idlebrush\nPaused: you are using the computer"


def test_it_tells_nothing_old_of_a_daemon_that_hangs() -> None:
    assert tooltip(TRAINING, LinkState.SILENT, None, NOW) == "Idlebrush\nIdlebrush does not answer"


def test_it_is_as_short_as_windows_wants_it() -> None:
    waiting = FULL.model_copy(update={"activity": Activity.WAITING, "headline": "Waiting: " + "x" * 300})
    said = tooltip(waiting, LinkState.CONNECTED, None, NOW)
    assert len(said) == 127
    assert said.endswith("…")
