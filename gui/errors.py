"""The app's own errors: one base class with what happened and the remedy, and a log of those that no code handles."""

import logging
import sys
from contextlib import suppress
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

_log = logging.getLogger(__name__)

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class GuiError(Exception):
    """Base of the app's own errors; errors of the daemon are `client.api.errors.ClientError`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy


def log_unhandled() -> None:
    """Log errors that no code handles, and Qt's own messages; both are printed to standard error as before."""
    before = sys.excepthook

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.critical("An error was not handled.", exc_info=(kind, error, trace))
        before(kind, error, trace)

    sys.excepthook = report
    qInstallMessageHandler(_log_message)


def _log_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    _log.log(_LEVELS.get(kind, logging.WARNING), "Qt, %s: %s", context.category, message)
    with suppress(OSError, ValueError):  # a terminal that is gone
        print(message, file=sys.stderr)
