"""Screen readers learn the name of every usable part of a page, and Tab follows the reading order."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from docs.pictures import app_state, setup_state
from docs.pictures.app_scenes import window
from gui.gallery.page import GalleryPage
from gui.window.pages import PAGES
from gui.window.window import MainWindow

_MOST = 60
"""Parts that are looked at of each: those of a long list are all alike."""
_NAMED = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.List,
    QAccessible.Role.RadioButton,
    QAccessible.Role.Slider,
    QAccessible.Role.SpinBox,
    QAccessible.Role.Table,
}


_SCENES = {
    **{entry.name: (entry.name, app_state.training) for entry in PAGES},
    "own pictures": ("gallery", app_state.training),
    "installation": ("now", setup_state.under_way),
    "failed installation": ("now", setup_state.failed),
}


@pytest.fixture(params=_SCENES)
def shown(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The window with each of the pages."""
    is_own = request.param == "own pictures"
    made = window(tmp_path, *_SCENES[request.param])
    assert isinstance(made, MainWindow)
    qtbot.addWidget(made)
    made.show()
    if is_own:
        assert isinstance(made.page, GalleryPage)
        own = made.page.own
        made.page.choice.findChildren(QRadioButton)[1].click()
        qtbot.waitUntil(lambda: bool(own.cards))
    return made


def seen(part: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield that part and all visible parts within it."""
    yield part
    for place in range(min(part.childCount(), _MOST)):
        child = part.child(place)
        if child is not None and not child.state().invisible:
            yield from seen(child)


def described(part: QAccessibleInterface) -> str:
    return f"{part.role().name} of {type(part.object()).__name__}"


def unnamed(page: QAccessibleInterface) -> list[str]:
    """Return the usable parts that have no name."""
    return [
        described(part)
        for part in seen(page)
        if (part.role() in _NAMED or part.state().focusable) and not part.text(QAccessible.Text.Name)
    ]


def unheard(page: QAccessibleInterface) -> list[str]:
    """Return the focusable parts that count as filler, which screen readers skip along with their names."""
    return [
        described(part)
        for part in seen(page)
        if part.state().focusable and part.role() is QAccessible.Role.Client
    ]


def test_whatever_can_be_used_has_a_name_and_is_reached_as_one_reads(shown: MainWindow, qtbot: QtBot) -> None:
    page = seen_by_readers(shown.page)
    assert page.childCount()
    assert unnamed(page) == []
    assert unheard(page) == []
    assert stops(shown.page)
    qtbot.waitUntil(lambda: not leaps_up(shown.page))


def seen_by_readers(widget: QWidget) -> QAccessibleInterface:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface


def leaps_up(page: QWidget) -> list[tuple[QRect, QRect]]:
    """Return the pairs of areas between which Tab leads back up the page."""
    areas = [QRect(stop.mapTo(page, QPoint()), stop.size()) for stop in stops(page)]
    return [(before, after) for before, after in pairwise(areas) if after.bottom() < before.top()]


def stops(page: QWidget) -> list[QWidget]:
    """Return the widgets of the page that Tab reaches, in order."""
    found, widget = [], page.nextInFocusChain()
    while widget is not None and widget is not page:
        takes_it = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
        if takes_it and widget.isEnabled() and page.isAncestorOf(widget) and widget.isVisible():
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found
