"""Where Tab leads, and screen readers go on: in the order in which layouts show widgets, whenever each was made."""

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
    elif not is_stop:  # one that places what is in it by itself
        for inner in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            yield from _stops(inner)


def _widgets_in(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        if (widget := item.widget()) is not None:
            yield widget
        elif (inner := item.layout()) is not None:
            yield from _widgets_in(inner)


def _order(parent: QWidget, laid_out: list[QWidget]) -> None:
    """Screen readers are told of children as they are stacked; side by side, that cannot be seen."""
    if [child for child in parent.children() if child in laid_out] != laid_out:
        for widget in laid_out:
            widget.raise_()
