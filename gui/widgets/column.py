"""How a page stands in the window: a column that scrolls; what does not fit side by side in it is stacked."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.scroll import VerticalScroll

_WIDEST = 1040
"""Logical pixels; wider ones are hard to take in."""
_PAIRED_FROM = 640
"""Width in which two cards stand side by side."""


class Column(VerticalScroll):
    """In the middle of the page; what it holds goes to `body`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        page, sheet = QWidget(), QWidget()
        sheet.setMaximumWidth(_WIDEST)
        row = QHBoxLayout(page)
        row.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.XXL)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(sheet, 10_000)  # all there is, up to its greatest width
        row.addStretch(1)
        self.body = QVBoxLayout(sheet)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(Space.L)
        super().__init__(page, parent)


class Row(QWidget):
    """Widgets side by side where they fit, else one below the other."""

    def __init__(
        self,
        *parts: QWidget,
        stretches: Sequence[int] = (),
        spacing: int = Space.M,
        fits_from: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """``fits_from``: width in which they are taken to fit; None: that of all of them."""
        super().__init__(parent)
        self._parts, self._fits_from = parts, fits_from
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(spacing)
        for part, stretch in zip(parts, stretches or [0] * len(parts), strict=True):
            self._line.addWidget(part, stretch)
        if not any(stretches):
            self._line.addStretch()  # together at the leading end

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        fits = event.size().width() >= (self._side_by_side if self._fits_from is None else self._fits_from)
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._line.direction() is not direction:
            self._line.setDirection(direction)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._side_by_side, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        widths = [max(part.minimumWidth(), part.minimumSizeHint().width()) for part in self._shown]
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    @property
    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]

    @property
    def _side_by_side(self) -> int:
        widths = [max(part.minimumWidth(), part.sizeHint().width()) for part in self._shown]
        return sum(widths) + self._line.spacing() * max(0, len(widths) - 1)


class Pair(Row):
    """Two cards that share the width, or stand one below the other in a narrow window."""

    def __init__(
        self,
        first: QWidget,
        second: QWidget,
        stretches: tuple[int, int] = (1, 1),
        fits_from: int = _PAIRED_FROM,
    ) -> None:
        super().__init__(first, second, stretches=stretches, spacing=Space.L, fits_from=fits_from)


class Head(Row):
    """The title of a page, and at its other end what is chosen for all of the page."""

    def __init__(self, title: QWidget, *choices: QWidget) -> None:
        super().__init__(title, Row(*choices), stretches=(1, 0))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
