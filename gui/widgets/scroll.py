"""A page that is longer than the window: it scrolls up and down, never sideways."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.design.tokens import Space


class VerticalScroll(QScrollArea):
    """Around its content, which is as wide as the window allows; what gets the focus comes into view."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802
        moved = super().focusNextPrevChild(next)
        reached = self.focusWidget()
        if moved and reached is not None:
            self.ensureWidgetVisible(reached, Space.XL, Space.XL)
        return moved

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        # Content that has grown too wide to be squeezed would be cut off.
        content = self.widget()
        if content is not None and watched is content and event.type() is QEvent.Type.LayoutRequest:
            self.setMinimumWidth(content.minimumSizeHint().width())
        return super().eventFilter(watched, event)
