"""The list of log lines: level, time and text in each row, as fast with thousands of lines as with ten."""

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.design import fonts
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space, Type
from gui.log.lines import LINE_ROLE, Level, LogLine, LogModel

translate = QCoreApplication.translate
_Index = QModelIndex | QPersistentModelIndex

_ICONS = {Level.DEBUG: "minus", Level.INFO: "info", Level.WARNING: "warning", Level.ERROR: "error"}
_COLOURS = {Level.DEBUG: "faint", Level.INFO: "faint", Level.WARNING: "ochre", Level.ERROR: "vermilion"}
_ICON = 16
_PADDING = 5


def level_name(level: Level) -> str:
    """Return the name of a level."""
    return {
        Level.DEBUG: translate("Log", "Detail"),
        Level.INFO: translate("Log", "Info"),
        Level.WARNING: translate("Log", "Warning"),
        Level.ERROR: translate("Log", "Error"),
    }[level]


def time_text(line: LogLine) -> str:
    """Return a line's local time to the second, in the same form for all languages; empty if it has none."""
    if line.time is None:
        return ""
    local = line.time.astimezone()
    return (
        f"{local:%m-%d}\u2002{local:%H:%M:%S}"  # a space that Windows may not encode is no part of a format
    )


class LogView(QListView):
    """Shows the lines; it follows new lines until the user scrolls away from the end."""

    left_end = Signal(bool)
    """Emitted with True when the user scrolls away from the end, and False at the end."""

    def __init__(self, model: LogModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_LogRow(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Lines of the log"))
        self._log = model
        self.verticalScrollBar().actionTriggered.connect(self._emit_left_end)

    def chosen(self) -> list[LogLine]:
        """Return the selected lines in order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._log.line(row) for row in rows]

    def _emit_left_end(self) -> None:
        bar = self.verticalScrollBar()
        self.left_end.emit(bar.sliderPosition() < bar.maximum())


class _LogRow(QStyledItemDelegate):
    """Paints a line; the part that does not fit is shown in full elsewhere."""

    def __init__(self, view: LogView) -> None:
        super().__init__(view)
        self._code, self._small = fonts.code(), fonts.figures(fonts.text(Type.CAPTION))
        self._widths: tuple[int, int] = (0, 0)
        self._marks: dict[tuple[Level, str, float], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        height = max(QFontMetrics(self._code).height(), QFontMetrics(self._small).height(), _ICON)
        return QSize(0, height + 2 * _PADDING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: LogLine = index.data(LINE_ROLE)
        palette, area = current().palette, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(palette.tint))
        at = area.left() + Space.M
        mark = QRect(at, area.top() + (area.height() - _ICON) // 2, _ICON, _ICON)
        painter.drawPixmap(
            _mirrored(option, mark), self._mark(line.level, painter.device().devicePixelRatio())
        )
        at += _ICON + Space.S
        for width, font, colour, text in (
            (self._columns()[0], self._small, getattr(palette, _COLOURS[line.level]), level_name(line.level)),
            (self._columns()[1], self._small, palette.faint, time_text(line)),
            (area.right() - at, self._code, palette.ink, line.text),
        ):
            column = QRect(at, area.top(), min(width, area.right() - Space.S - at), area.height())
            self._write(painter, option, column, font, colour, text)
            at += width + Space.M

    def _write(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        area: QRect,
        font: QFont,
        colour: str,
        text: str,
    ) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # logs are written in this direction
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        leading = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
        painter.drawText(_mirrored(option, area), leading | Qt.AlignmentFlag.AlignVCenter, shown)

    def _columns(self) -> tuple[int, int]:
        """Return the widths of the columns for level and time."""
        if self._widths == (0, 0):
            metrics = QFontMetrics(self._small)
            level = max(metrics.horizontalAdvance(level_name(level)) for level in Level)
            self._widths = level, metrics.horizontalAdvance("00-00\u200200:00:00") + Space.S
        return self._widths

    def _mark(self, level: Level, scale: float) -> QPixmap:
        colour = getattr(current().palette, _COLOURS[level])
        key = (level, colour, scale)
        if key not in self._marks:
            self._marks[key] = pixmap(_ICONS[level], _ICON, colour, scale)
        return self._marks[key]


def _mirrored(option: QStyleOptionViewItem, area: QRect) -> QRect:
    return QStyle.visualRect(option.direction, option.rect, area)
