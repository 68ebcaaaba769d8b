"""What screen readers take our own widgets for: to Qt they are filler, whose name and description nobody is told."""

from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget

Role = QAccessible.Role

_ROLE = "accessible-role"
_PRESS = "Press"


def set_role(widget: QWidget, role: Role) -> None:
    """Call it before anything else is told of the widget: Qt asks what it is just once."""
    _install()
    widget.setProperty(_ROLE, role.value)


@cache
def _install() -> None:
    QAccessible.installFactory(_interface)


def _interface(_class: str, of: QObject) -> QAccessibleInterface | None:
    """None: Qt knows best."""
    role = of.property(_ROLE) if isinstance(of, QWidget) else None
    if not isinstance(of, QWidget) or role is None:
        return None
    return _Choice(of, Role(role)) if isinstance(of, QAbstractButton) else QAccessibleWidget(of, Role(role))


class _Choice(QAccessibleWidget):
    """One of several that exclude each other: Qt takes tool buttons for check boxes, which could be cleared."""

    def __init__(self, button: QAbstractButton, role: Role) -> None:
        super().__init__(button, role)
        self._button = button

    def state(self) -> QAccessible.State:
        state = super().state()
        state.checkable = True
        state.checked = self._button.isChecked()
        return state

    def actionNames(self) -> list[str]:  # noqa: N802
        return [_PRESS, *super().actionNames()]

    def doAction(self, name: str) -> None:  # noqa: N802
        if name == _PRESS:
            self._button.click()
        else:
            super().doAction(name)
