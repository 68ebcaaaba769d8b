"""Where Tab leads: from widget to widget in the order in which layouts show them, whenever each was made."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def follow_layout(root: QWidget) -> None:
    """Once all of it is laid out, and again when something was added."""
    stops = list(_stops(root))
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    content = widget.widget() if isinstance(widget, QScrollArea) else None
    if content is not None:
        yield from _stops(content)
    elif (layout := widget.layout()) is not None:
        yield from _stops_in(layout)


def _stops_in(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        if (widget := item.widget()) is not None:
            yield from _stops(widget)
        elif (inner := item.layout()) is not None:
            yield from _stops_in(inner)
