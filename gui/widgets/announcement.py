"""What is told to those who do not see it appear."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Have screen readers say it, wherever the focus is; of a window that is hidden nothing is said."""
    if widget.window().isVisible():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
