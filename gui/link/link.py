"""The app's connection to the daemon, on the event loop: its latest snapshot, requests, and what to do without it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from client.api.answers import Done, Status
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from gui.link.state import LinkState

Answered = Callable[[Done | Status], None]
Refusal = Callable[[ClientError], None]


class Link(QObject):
    """See `gui.link.state` for its states; every signal comes on the thread of the event loop."""

    changed = Signal(object)
    """The new `LinkState`."""
    snapshot_changed = Signal(object)
    """The latest `Snapshot`."""
    refused = Signal(object)
    """A `ClientError` of a request that nobody else takes care of."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = LinkState.CONNECTING
        self.snapshot: Snapshot | None = None
        """None where no daemon is connected; that of one which hangs stays."""
        self.error: ClientError | None = None
        """Why the daemon cannot be reached, where there is more to say of it than the state."""

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        """Send a request; exactly one of both is called later, once; without ``failed``, `refused` tells."""
        raise NotImplementedError

    def start(self) -> None:
        """Connect, starting a daemon if there is none."""
        raise NotImplementedError

    def stop(self) -> None:
        """Let go of the daemon, which goes on."""
        raise NotImplementedError

    def restart_daemon(self) -> None:
        """End the daemon, by force where it does not answer, and start another."""
        raise NotImplementedError
