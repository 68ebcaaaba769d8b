"""One request to the daemon, over a connection of its own: a sign-in may keep that busy for minutes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from client.api.answers import Answer, Refused
from client.api.connection import line_of
from client.api.errors import ClientError, DaemonSilent, RequestRefused
from client.api.requests import AnyRequest
from gui.link.channel import Channel
from gui.link.link import Answered, Refusal

_NUMBER = 1


class Asking(QObject):
    """Calls exactly one of both functions, once, unless whoever they belong to is gone by then."""

    settled = Signal()

    def __init__(
        self,
        channel: Channel,
        request: AnyRequest,
        seconds: float | None,
        done: Answered | None,
        failed: Refusal,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._done, self._failed = done, failed
        self._is_settled = False
        self._channel = channel
        channel.setParent(self)
        channel.received.connect(self._receive)
        channel.ended.connect(self._fail)
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._be_late)
        if seconds is not None:
            self._deadline.start(int(1000 * seconds))
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
        if self._is_settled:
            return
        self._is_settled = True
        self._deadline.stop()
        self._channel.close()
        self.settled.emit()
        self.deleteLater()
        if tell is not None:
            call(tell, what)


def call(tell: Callable[[Any], None], what: object) -> None:
    """Call it, unless the widget whose method it is has been closed meanwhile."""
    method = tell.func if isinstance(tell, partial) else tell
    owner = getattr(method, "__self__", None)
    if not isinstance(owner, QObject) or isValid(owner):
        tell(what)
