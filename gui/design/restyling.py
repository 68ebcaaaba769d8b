"""Has the widgets that are there take on other colours: in turns, those that are seen first."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


def restyle(app: QApplication, palette: QPalette, sheet: str) -> Generator[None, None, None]:
    """The first step is for whatever is made from now on, each other one for a widget that is there."""
    widgets = app.allWidgets()
    seen = [widget for widget in widgets if _is_seen(widget)]
    with _unpainted([widget for widget in seen if widget.isWindow()]):
        app.setPalette(palette)
        # Qt has worked out the old sheet for each widget. Unless it has forgotten that, it works out the new one
        # for all of them within this call, and for each as often as it has ancestors.
        app.style().unpolish(app)
        app.setStyleSheet(sheet)
        yield
        yield from _polish(seen)
    yield from _polish(set(widgets) - set(seen))


def _is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def _polish(widgets: Iterable[QWidget]) -> Iterator[None]:
    for widget in filter(isValid, widgets):
        widget.style().polish(widget)
        yield


@contextmanager
def _unpainted(windows: Sequence[QWidget]) -> Iterator[None]:
    """Half in the old colours and half in the new ones, nobody is to see them."""
    for window in windows:
        window.setUpdatesEnabled(False)
    try:
        yield
    finally:
        for window in filter(isValid, windows):
            window.setUpdatesEnabled(True)
