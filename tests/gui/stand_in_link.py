"""A link without a daemon: shows what it is told to, records what it is asked, and answers by a table."""

from client.api.answers import Done
from client.api.errors import ClientError
from client.api.protocol import Request
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from gui.link.link import Answered, AppLink, LinkState, Refusal


class StandInLink(AppLink):
    """Answers at once: with what `answers` holds for the kind of request, else with an empty `Done`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[AnyRequest] = []
        self.answers: dict[type[Request], Done | ClientError] = {}
        self.restarts = 0
        self.is_deaf = False
        """True if it answers nothing."""
        self.failed: Refusal | None = None
        """The callback for a failure of the first request that it did not answer."""

    def show(self, snapshot: Snapshot | None, state: LinkState = LinkState.CONNECTED) -> None:
        """Have the daemon be in that state."""
        self.snapshot = snapshot
        if state is not self.state:
            self.state = state
            self.changed.emit(state)
        if snapshot is not None:
            self.snapshot_changed.emit(snapshot)

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        self.asked.append(request)
        if self.is_deaf:
            self.failed = self.failed or failed
            return
        answer = self.answers.get(type(request), Done(id=0))
        if isinstance(answer, ClientError):
            (failed or self.refused.emit)(answer)
        elif done is not None:
            done(answer)

    def start(self) -> None:
        self.show(self.snapshot)

    def stop(self) -> None:
        self.show(None, LinkState.ABSENT)

    def restart_daemon(self) -> None:
        self.restarts += 1
