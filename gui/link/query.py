"""Repeated queries for a widget: sent while the widget is visible and a daemon is connected, at most at intervals."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from client.api.answers import Done, Status
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from gui.link.link import AppLink, LinkState


class _SentQuery(QObject):
    """One sent query, so that its answer is not mistaken for another."""

    settled = Signal(object, object)
    """Emitted with itself, and the `Done` or the `ClientError`."""

    def __init__(self, request: AnyRequest, parent: QObject) -> None:
        super().__init__(parent)
        self.request = request

    def take(self, answer: Done | Status) -> None:
        self.settled.emit(self, answer)
        self.deleteLater()

    def fail(self, error: ClientError) -> None:
        self.settled.emit(self, error)
        self.deleteLater()


class WidgetQuery(QObject):
    """Sends the queries of one widget; a changed query is sent at once."""

    answered = Signal(object)
    """Emitted with the `Done` for the latest query; answers to earlier queries are ignored."""
    failed = Signal(object)
    """Emitted with the `ClientError` for the latest query."""

    def __init__(self, link: AppLink, drawn_by: QWidget, *, rest: int) -> None:
        """Repeat a query no earlier than ``rest`` milliseconds after its answer."""
        super().__init__(drawn_by)
        self._link, self._widget = link, drawn_by
        self._pending: AnyRequest | None = None
        self._latest: _SentQuery | None = None
        self._last: AnyRequest | None = None
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._send_if_due)
        drawn_by.installEventFilter(self)
        link.changed.connect(self._send_if_due)

    @property
    def is_waiting(self) -> bool:
        """True if an answer is pending."""
        return self._latest is not None

    def query(self, request: AnyRequest, *, at_once: bool = False) -> None:
        """Send a query, even if it was answered before; ``at_once`` skips the interval."""
        self._pending = request
        if request != self._last:
            self._latest = None
        if at_once or request != self._last:
            self._rest.stop()
        self._send_if_due()

    def forget(self) -> None:
        """Drop the query and its pending answer."""
        self._pending = self._latest = self._last = None
        self._rest.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Show:
            self._send_if_due()
        return super().eventFilter(watched, event)

    @Slot()
    def _send_if_due(self) -> None:
        request = self._pending
        if request is None or self.is_waiting or self._rest.isActive():
            return
        if self._link.state is not LinkState.CONNECTED or not self._widget.isVisible():
            return
        self._pending, self._last = None, request
        self._latest = question = _SentQuery(request, self)
        question.settled.connect(self._settle)
        self._link.ask(request, question.take, question.fail)

    def _settle(self, question: _SentQuery, outcome: Done | Status | ClientError) -> None:
        if question is not self._latest:
            return
        self._latest = None
        self._rest.start()
        if isinstance(outcome, ClientError):
            self.failed.emit(outcome)
        elif isinstance(outcome, Done):
            self.answered.emit(outcome)
        self._send_if_due()
