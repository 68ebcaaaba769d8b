"""The app's connection to the daemon: its states, its latest snapshot and its requests."""

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal

from client.api.answers import Done, Status
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot

Answered = Callable[[Done | Status], None]
Refusal = Callable[[ClientError], None]


class LinkState(Enum):
    """States of the link; the daemon's activity is known only while connected."""

    CONNECTING = auto()
    STARTING = auto()  # the app has started a daemon, which does not answer yet
    CONNECTED = auto()
    ABSENT = auto()  # no daemon runs, and none is started until the volunteer wants it
    SILENT = auto()  # it does not answer
    OLD = auto()  # it has another version, and must be restarted
    FOREIGN = auto()  # it belongs to another user
    FAILED = auto()  # it cannot be started


class LinkEvent(Enum):
    """Events of the connection."""

    TRIED = auto()  # the app connects again
    LAUNCHED = auto()  # a daemon was started
    ANSWERED = auto()  # a snapshot has come
    ENDED = auto()  # no daemon listens, or the connection has ended
    MUTED = auto()  # an answer is overdue
    OUTDATED = auto()  # an answer, or its absence, shows another version
    REFUSED = auto()  # the daemon belongs to another user
    COLLAPSED = auto()  # a daemon that was started has ended at once


_WHATEVER_WAS = {
    LinkEvent.TRIED: LinkState.CONNECTING,
    LinkEvent.LAUNCHED: LinkState.STARTING,
    LinkEvent.ANSWERED: LinkState.CONNECTED,
    LinkEvent.MUTED: LinkState.SILENT,
    LinkEvent.OUTDATED: LinkState.OLD,
    LinkEvent.REFUSED: LinkState.FOREIGN,
    LinkEvent.COLLAPSED: LinkState.FAILED,
}
_ILLEGAL = {(LinkState.CONNECTED, LinkEvent.LAUNCHED), (LinkState.CONNECTED, LinkEvent.COLLAPSED)}


def transition(state: LinkState, event: LinkEvent) -> LinkState:
    """Return the next state. Raise ValueError for an event that cannot happen in this state."""
    if (state, event) in _ILLEGAL:
        raise ValueError(f"{event.name} cannot happen while {state.name}.")
    if event is LinkEvent.ENDED:
        # A started daemon is waited for; a daemon that failed to start cannot end.
        return state if state in (LinkState.STARTING, LinkState.FAILED) else LinkState.ABSENT
    return _WHATEVER_WAS[event]


class AppLink(QObject):
    """Base of links; `LinkState` names its states, and every signal is emitted on the event loop's thread."""

    changed = Signal(object)
    """Emitted with the new `LinkState`."""
    snapshot_changed = Signal(object)
    """Emitted with the latest `Snapshot`."""
    refused = Signal(object)
    """Emitted with the `ClientError` of a request without its own handler."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = LinkState.CONNECTING
        self.snapshot: Snapshot | None = None
        """The latest snapshot; None if no daemon is connected, unless a connected one hangs."""
        self.error: ClientError | None = None
        """The reason why the daemon cannot be reached, if more is known than the state."""

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        """Send a request; ``done`` or ``failed`` is called once later. Without ``failed``, `refused` is emitted."""
        raise NotImplementedError

    def start(self) -> None:
        """Connect, starting a daemon if there is none."""
        raise NotImplementedError

    def stop(self) -> None:
        """Disconnect; the daemon continues."""
        raise NotImplementedError

    def restart_daemon(self) -> None:
        """End the daemon, by force if it does not answer, and start another."""
        raise NotImplementedError
