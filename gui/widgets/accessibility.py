"""Tab order and announcements for people who use the keyboard or a screen reader."""

from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def announce(widget: QWidget, text: str) -> None:
    """Let screen readers read a text aloud, wherever the focus is; nothing is read for a hidden window."""
    if widget.window().isVisible():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def follow_layout(root: QWidget) -> None:
    """Set the Tab order to the order of the layouts; call it again after adding widgets."""
    stops = list(_stops(root))
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    is_stop = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    if is_stop:
        yield widget
    content = widget.widget() if isinstance(widget, QScrollArea) else None
    if content is not None:
        yield from _stops(content)
    elif (layout := widget.layout()) is not None:
        laid_out = list(_widgets_in(layout))
        _order(widget, laid_out)
        for inner in laid_out:
            yield from _stops(inner)
    elif not is_stop:  # a widget that places its children itself
        for inner in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            yield from _stops(inner)


def _widgets_in(layout: QLayout) -> Iterator[QWidget]:
    """Return the layout's widgets in its order.

    Layout items are not touched: they are no QObjects, so Python can hold one whose C++ object was replaced.
    """
    owner = layout.parentWidget()
    children: list[QWidget | QLayout] = [each for each in layout.children() if isinstance(each, QLayout)]
    if owner is not None:
        children += owner.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    places = [(layout.indexOf(each), each) for each in children]
    for _, child in sorted((pair for pair in places if pair[0] >= 0), key=itemgetter(0)):
        if isinstance(child, QLayout):
            yield from _widgets_in(child)
        else:
            yield child


def _order(parent: QWidget, laid_out: list[QWidget]) -> None:
    """Stack the widgets in layout order, in which screen readers list them; side by side, stacking is invisible."""
    if [child for child in parent.children() if child in laid_out] != laid_out:
        for widget in laid_out:
            widget.raise_()
