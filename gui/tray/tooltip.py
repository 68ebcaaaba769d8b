"""What the tray icon says when somebody points at it."""

from datetime import datetime

from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.link.state import LinkState
from gui.window.trouble import trouble
from gui.wording.activity import headline, rate

NAME = "Idlebrush"
_LONGEST = 127
"""Letters that Windows shows."""


def standing(snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime) -> str:
    """In one line, what the client does or why the app does not know that."""
    if found := trouble(state, error):
        return found.text
    return headline(snapshot, now) if snapshot else NAME


def tooltip(snapshot: Snapshot | None, state: LinkState, error: ClientError | None, now: datetime) -> str:
    """What it does with the reason, and how fast it trains; a line each."""
    lines = [NAME, standing(snapshot, state, error, now)]
    if snapshot is not None and state is LinkState.CONNECTED:
        lines.append(rate(snapshot))
    text = "\n".join(line for line in dict.fromkeys(lines) if line)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
