"""One request to the daemon, over a connection of its own: a sign-in may keep that busy for minutes."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from client.api.connection import line_of
from client.api.errors import ClientError, DaemonSilent, RequestRefused
from client.api.requests import Answer, AnyRequest, EnterGate, Refused, SignIn
from gui.link.channel import Channel
from gui.link.link import Answered, Refusal

_NUMBER = 1
_SIGN_IN_SECONDS = 1_200.0
"""More than the codes of a sign-in are good for: the daemon says by itself when one has run out."""


class Asking(QObject):
    """Calls exactly one of both functions, once, unless whoever they belong to is gone by then."""

    settled = Signal()

    def __init__(
        self,
        channel: Channel,
        request: AnyRequest,
        seconds: float,
        done: Answered | None,
        failed: Refusal,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._done, self._failed = done, failed
        self._channel = channel
        channel.setParent(self)
        channel.received.connect(self._receive)
        channel.ended.connect(self._fail)
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._be_late)
        waits = _SIGN_IN_SECONDS if isinstance(request, (SignIn, EnterGate)) else seconds
        self._deadline.start(int(1000 * waits))
        channel.send(line_of(request, _NUMBER))

    def _receive(self, answer: Answer) -> None:
        if isinstance(answer, Refused):
            self._fail(RequestRefused(answer.code, answer.what, answer.remedy))
        elif answer.id == _NUMBER:
            self._settle(self._done, answer)

    def _be_late(self) -> None:
        self._fail(DaemonSilent())

    def _fail(self, error: ClientError) -> None:
        self._settle(self._failed, error)

    def _settle(self, tell: Callable[[Any], None] | None, what: object) -> None:
        if not self._deadline.isActive() and self._channel.is_closed:
            return
        self._deadline.stop()
        self._channel.close()
        self.settled.emit()
        self.deleteLater()
        if tell is not None:
            call(tell, what)


def call(tell: Callable[[Any], None], what: object) -> None:
    """Call it, unless the widget whose method it is has been closed meanwhile."""
    owner = getattr(tell, "__self__", None)
    if not isinstance(owner, QObject) or isValid(owner):
        tell(what)
