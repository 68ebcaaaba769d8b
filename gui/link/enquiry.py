"""A question whose answer is drawn: asked while somebody looks and a daemon is there, again, but not often."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from client.api.answers import Done, Status
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from gui.link.link import Link
from gui.link.state import LinkState


class _Question(QObject):
    """One that was asked, so that its answer is known from those to others."""

    settled = Signal(object, object)
    """Itself, and the `Done`, or the `ClientError` in its place."""

    def __init__(self, request: AnyRequest, parent: QObject) -> None:
        super().__init__(parent)
        self.request = request

    def take(self, answer: Done | Status) -> None:
        self.settled.emit(self, answer)
        self.deleteLater()

    def miss(self, error: ClientError) -> None:
        self.settled.emit(self, error)
        self.deleteLater()


class Enquiry(QObject):
    """Of the widget that draws the answer; a question other than the last is asked at once."""

    answered = Signal(object)
    """The `Done` to the latest question; answers to those before it are passed over."""
    failed = Signal(object)
    """The `ClientError` in its place."""

    def __init__(self, link: Link, drawn_by: QWidget, *, rest: int) -> None:
        """``rest``: milliseconds after an answer in which the same question is not asked again."""
        super().__init__(drawn_by)
        self._link, self._widget = link, drawn_by
        self._wanted: AnyRequest | None = None
        self._latest: _Question | None = None
        self._last: AnyRequest | None = None
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._consider)
        drawn_by.installEventFilter(self)
        link.changed.connect(self._consider)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is to come."""
        return self._latest is not None

    def want(self, request: AnyRequest, *, at_once: bool = False) -> None:
        """Have it answered, though it was answered before; at once, for a person who presses a button."""
        self._wanted = request
        if request != self._last:
            self._latest = None
        if at_once or request != self._last:
            self._rest.stop()
        self._consider()

    def forget(self) -> None:
        """Nothing is wanted any more, nor the answer that is to come."""
        self._wanted = self._latest = self._last = None
        self._rest.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Show:
            self._consider()
        return super().eventFilter(watched, event)

    @Slot()
    def _consider(self) -> None:
        request = self._wanted
        if request is None or self.is_waiting or self._rest.isActive():
            return
        if self._link.state is not LinkState.CONNECTED or not self._widget.isVisible():
            return
        self._wanted, self._last = None, request
        self._latest = question = _Question(request, self)
        question.settled.connect(self._settle)
        self._link.ask(request, question.take, question.miss)

    def _settle(self, question: _Question, outcome: Done | Status | ClientError) -> None:
        if question is not self._latest:
            return
        self._latest = None
        self._rest.start()
        if isinstance(outcome, ClientError):
            self.failed.emit(outcome)
        elif isinstance(outcome, Done):
            self.answered.emit(outcome)
        self._consider()
