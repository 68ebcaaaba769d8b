"""The cards with the swarm's current epoch and with the figures."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Space, Type, mix
from gui.now.view import EpochView, NowFact
from gui.widgets.cards import Card, Figure
from gui.widgets.labels import Tone, body, caption, strong
from gui.wording import amounts

_SIZE = 168
_STEPS = 1000
_MINE, _OTHERS = 14.0, 8.0
"""Widths of the strokes for the own part and for the whole."""
_TOP = 90 * 16
_WHOLE = 360 * 16
"""A full circle in Qt's sixteenths of a degree, anticlockwise from three o'clock."""
_COLUMNS = 2


class EpochRing(QProgressBar):
    """Shows progress clockwise from the top, in all languages."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fraction, self._own = 0.0, 0.0
        self.setRange(0, _STEPS)
        self.setFixedSize(_SIZE, _SIZE)
        self.setAccessibleName(self.tr("Progress of the epoch"))

    def set_progress(self, fraction: float, own: float, described: str) -> None:
        """Set progress and own part as shares of the target, 0 to 1; ``described`` is the accessible description."""
        self._fraction, self._own = min(max(fraction, 0.0), 1.0), min(max(own, 0.0), 1.0)
        self.setValue(round(self._fraction * _STEPS))
        self.setAccessibleDescription(described)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_SIZE, _SIZE)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = current().palette
        stroke = colours.accent if self.isEnabled() else colours.control
        self._arc(painter, colours.line, _OTHERS, 1.0)
        self._arc(painter, mix(stroke, colours.raised, 0.45), _OTHERS, self._fraction)
        self._arc(painter, stroke, _MINE, self._own)
        painter.setPen(QColor(colours.ink if self.isEnabled() else colours.faint))
        painter.setFont(fonts.figures(fonts.heading(Type.DISPLAY)))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, amounts.percent(self._fraction))

    def _arc(self, painter: QPainter, colour: str, width: float, share: float) -> None:
        if share <= 0:
            return
        pen = QPen(QColor(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        inset = _MINE / 2
        area = QRectF(QPointF(inset, inset), QPointF(self.width() - inset, self.height() - inset))
        painter.drawArc(area, _TOP, -round(_WHOLE * share))


class EpochCard(Card):
    """Shows an `EpochView`; without one, a sentence that it will appear."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._ring = EpochRing(self)
        self._gathered, self._mine, self._remaining = strong(), body(), caption()
        self._mine.set_tone(Tone.ACCENT)
        self._waits = body(self.tr("The swarm's progress appears here once training has started."))
        self._waits.set_tone(Tone.SOFT)
        words = QVBoxLayout()
        words.setSpacing(Space.XS)
        words.addStretch()
        for label in (self._gathered, self._mine, self._remaining):
            words.addWidget(label)
        words.addStretch()
        row = QHBoxLayout()
        row.setSpacing(Space.XL)
        row.addWidget(self._ring, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        self.body.addWidget(self._waits)
        self.body.addLayout(row)
        self.show_view(None)

    def show_view(self, view: EpochView | None) -> None:
        self._ring.setVisible(view is not None)
        self._waits.setVisible(view is None)
        if view is None:
            self.set_title(self.tr("Epoch"))
            self._show_texts("", "", "")
            return
        self.set_title(view.title)
        self._show_texts(view.gathered, view.mine, view.remaining)
        self._ring.set_progress(view.fraction, view.own, f"{view.gathered}. {view.mine}.")

    def _show_texts(self, *texts: str) -> None:
        for label, text in zip((self._gathered, self._mine, self._remaining), texts, strict=True):
            label.setText(text)
            label.setVisible(bool(text))


class FactsCard(Card):
    """Shows all facts as figures in two columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.L)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.body.addLayout(self._grid)
        self._figures: list[Figure] = []

    def show_facts(self, facts: Sequence[NowFact]) -> None:
        while len(self._figures) < len(facts):
            place = len(self._figures)
            self._figures.append(Figure(parent=self))
            self._grid.addWidget(self._figures[-1], place // _COLUMNS, place % _COLUMNS)
        for place, figure in enumerate(self._figures):
            figure.setVisible(place < len(facts))
            if place < len(facts):
                figure.set_label(facts[place].label)
                figure.set_value(facts[place].value, facts[place].unit)
