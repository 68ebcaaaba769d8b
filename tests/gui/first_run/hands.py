"""Actions of a person in the first run: finding widgets by their text and pressing keys."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun


def button(within: QWidget, text: str) -> QAbstractButton:
    """The visible button that says this, or has it for its name."""
    found = [
        each
        for each in within.findChildren(QAbstractButton)
        if each.isVisible() and text in (each.text(), each.accessibleName())
    ]
    assert len(found) == 1, f"{len(found)} buttons say {text!r}; there are {sayings(within)}"
    return found[0]


def sayings(within: QWidget) -> list[str]:
    """All that can be read."""
    shown = [each for each in within.findChildren(QWidget) if each.isVisible()]
    return [each.text() for each in shown if isinstance(each, QLabel | QAbstractButton) and each.text()]


def says(within: QWidget, text: str) -> bool:
    return any(text in shown for shown in sayings(within))


def press(within: QWidget, text: str) -> None:
    """Press the button with that text by the keyboard."""
    pressed = button(within, text)
    assert pressed.isEnabled(), f"{text!r} cannot be pressed"
    pressed.setFocus()
    QTest.keyClick(pressed, Qt.Key.Key_Space)


def go_to(first_run: FirstRun, step: FirstRunStep) -> None:
    """Press the primary button of each screen until that step is reached."""
    while first_run.step is not step:
        press(first_run, first_run.screen_shown.primary_text())


def is_at(first_run: FirstRun, step: FirstRunStep) -> bool:
    """Asked again each time: a type checker takes a property that was compared once for settled."""
    return first_run.step is step


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the focus"
    return widget
