"""Stand-ins for what the first run waits for: a slow daemon and the system's browser."""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from client.api.answers import Done
from client.api.commands import SignIn
from client.api.errors import ClientError
from client.api.protocol import Request
from client.api.requests import AnyRequest
from gui.link.link import Answered, Refusal
from tests.gui.stand_in_link import StandInLink


class SlowDaemon:
    """Answers requests of one kind when the test says so."""

    def __init__(self, link: StandInLink, kind: type[Request] = SignIn) -> None:
        self._ask, self._kind = link.ask, kind
        self._done: Answered | None = None
        self._failed: Refusal | None = None
        link.ask = self.ask  # type: ignore[method-assign]

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        if isinstance(request, self._kind):
            self._done, self._failed = done, failed
            self._ask(request)
        else:
            self._ask(request, done, failed)

    def succeed(self) -> None:
        self.answer(Done(id=0))

    def answer(self, answer: Done) -> None:
        assert self._done is not None
        self._done(answer)

    def refuse(self, error: ClientError) -> None:
        assert self._failed is not None
        self._failed(error)


class _Browser(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@contextlib.contextmanager
def browser(scheme: str = "https") -> Iterator[list[str]]:
    """The addresses of that scheme that the system's browser is sent to meanwhile."""
    standing_in = _Browser()
    # PySide's stubs ask for bytes, and it takes nothing but a text.
    QDesktopServices.setUrlHandler(scheme, standing_in, "open")  # type: ignore[arg-type]
    try:
        yield standing_in.opened
    finally:
        QDesktopServices.unsetUrlHandler(scheme)
