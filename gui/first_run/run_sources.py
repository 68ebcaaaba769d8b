"""The sources of a candidate run: the embedded run, a list, a link or a file, with a card to choose each."""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QDir, QEvent, QPoint, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from client.api.offer import LONGEST
from client.api.runs import LOCAL_SWARM, LocalSwarmView, SwarmObstacle
from gui.design import icons, theme
from gui.design.focus import RADIUS
from gui.design.tokens import Radius, Space
from gui.first_run.candidate_view import EMBEDDED
from gui.widgets.buttons import PrimaryButton
from gui.widgets.labels import FaultNote, Tone, body, caption, strong
from gui.widgets.switches import Switch

_ICON = 22


class RunSource(Enum):
    """The source of a run, in the order of the choices on the screen."""

    EMBEDDED = 0
    LIST = 1
    LINK = 2
    FILE = 3


def source_of(location: str) -> RunSource:
    """Return the source to which a location belongs."""
    if location in EMBEDDED:
        return RunSource.EMBEDDED
    return RunSource.LINK if is_link(location) else RunSource.FILE


def is_link(text: str) -> bool:
    """Return true if the text looks like a join link or a web address; the daemon reports its errors."""
    return text.strip().lower().startswith(("idlebrush:", "https://", "http://"))


def of_link(text: str) -> str:
    """Return the link in a typed or pasted text, without the line breaks that messengers add; empty if it is none."""
    joined = "".join(text.split())
    return joined if is_link(joined) and len(joined) <= LONGEST else ""


def of_drop(urls: Iterable[QUrl]) -> str:
    """Return the one file or address that was dropped; empty if there is none or several."""
    found = [
        QDir.toNativeSeparators(url.toLocalFile()) if url.isLocalFile() else url.toString() for url in urls
    ]
    if len(found) != 1 or len(found[0]) > LONGEST:
        return ""
    return found[0] if Path(found[0]).is_absolute() or is_link(found[0]) else ""


class ChoiceCard(QRadioButton):
    """One choice as a card with icon, title and text; keyboard and screen reader treat it as a radio button."""

    def __init__(self, icon: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RADIUS, int(Radius.CARD))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._icon = icon
        self._mark = QLabel(self)
        self._words = QVBoxLayout()
        self._words.setSpacing(Space.XS)
        self._words.addWidget(strong(title, self))
        note = caption(text, self)
        note.set_tone(Tone.SOFT)
        self._words.addWidget(note)
        self._words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
        row.setSpacing(Space.M)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._words, 1)
        for label in self.findChildren(QLabel):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._draw_mark)
        self._draw_mark()

    def sizeHint(self) -> QSize:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.minimumSize()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colours = theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = (
            colours.accent
            if self.isChecked()
            else colours.control
            if self.underMouse()
            else colours.line_strong
        )
        width = 2 if self.isChecked() else 1
        painter.setPen(QPen(QColor(edge), width))
        painter.setBrush(QColor(colours.tint if self.isChecked() else colours.raised))
        area = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(area, Radius.CARD, Radius.CARD)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_mark()

    def _draw_mark(self) -> None:
        colours = theme.current().palette
        colour = colours.accent if self.isChecked() else colours.soft
        self._mark.setPixmap(icons.pixmap(self._icon, _ICON, colour, self.devicePixelRatioF()))


class SourcePanel(QWidget):
    given = Signal(str)
    """Emitted with a location for the daemon to inspect."""

    def show_location(self, location: str) -> None:
        """Show a location that was given before or elsewhere."""


class EmbeddedPanel(SourcePanel):
    """Describes the embedded run, and offers a swarm on this computer for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_swarm, self._wants_swarm = False, True
        self.swarm = Switch(self.tr("Try it with a swarm"), self)
        self.swarm.clicked.connect(self._choose)
        self._about = caption("", self)
        self._about.set_tone(Tone.SOFT)
        text = self.tr(
            "This run learns in minutes rather than months. It learns things, colours, numbers and "
            "places, and to combine them in pictures that it never saw, such as a fox on a green "
            "square. No other computer takes part, and no data leaves this computer."
        )
        note = body(text, self)
        note.set_tone(Tone.SOFT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        for widget in (note, self.swarm, self._about):
            column.addWidget(widget)
        self.show_swarm(None)

    @property
    def location(self) -> str:
        """Location of the embedded run as it is chosen here: with a swarm, unless there can be none."""
        return LOCAL_SWARM if self._has_swarm and self._wants_swarm else "embedded"

    def show_location(self, location: str) -> None:
        self._wants_swarm = location == LOCAL_SWARM
        self._draw()

    def show_swarm(self, swarm: LocalSwarmView | None) -> None:
        """Show whether this computer can have a swarm; None: this is not known."""
        self._has_swarm = swarm is not None and swarm.obstacle is None
        self._about.setText(self._words(swarm.obstacle if swarm is not None else None))
        self.swarm.setVisible(swarm is not None)
        self._about.setVisible(swarm is not None)
        self._draw()

    def _draw(self) -> None:
        self.swarm.setEnabled(self._has_swarm)
        self.swarm.setChecked(self._has_swarm and self._wants_swarm)

    def _words(self, obstacle: SwarmObstacle | None) -> str:
        match obstacle:
            case SwarmObstacle.SYSTEM:
                return self.tr("On Windows, a swarm on this computer is not possible yet.")
            case SwarmObstacle.PACKAGES:
                return self.tr(
                    "A swarm on this computer is possible once the packages for training are installed."
                )
            case SwarmObstacle.CORES:
                return self.tr("A swarm on this computer needs a second processor core.")
            case SwarmObstacle.RAM:
                return self.tr("A swarm on this computer needs more RAM than is free now.")
            case None:
                return self.tr(
                    "This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, "
                    "and a second computer's trainer. All of it stays here, and you can remove it at any time."
                )

    def _choose(self, is_wanted: bool) -> None:
        self._wants_swarm = is_wanted
        self.given.emit(self.location)


class LinkPanel(SourcePanel):
    """Accepts join links and web addresses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("idlebrush:join?…")
        self.field.setAccessibleName(self.tr("Link to the run"))
        self.field.setClearButtonEnabled(True)
        self.field.returnPressed.connect(self._submit)
        self.field.textEdited.connect(self._hide_fault)
        look = PrimaryButton(self.tr("Show the run"), self)
        look.clicked.connect(self._submit)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.field, 1)
        row.addWidget(look)
        self.fault = FaultNote(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(row)
        column.addWidget(self.fault)

    def show_location(self, location: str) -> None:
        if not self.field.text():
            self.field.setText(location)

    def _submit(self) -> None:
        location = of_link(self.field.text())
        if location:
            self.given.emit(location)
        else:
            self.fault.say(
                self.tr("This is not a link to a run. Links to runs begin with idlebrush: or https://")
            )

    def _hide_fault(self) -> None:
        self.fault.hide()


class FilePanel(SourcePanel):
    """Accepts the file of a manifest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.browse = PrimaryButton(self.tr("Choose a file…"), self, icon="folder")
        self.browse.clicked.connect(self._browse)
        self._path = body(self.tr("Or drop it anywhere on this screen."), self)
        self._path.set_tone(Tone.SOFT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self.browse)
        row.addWidget(self._path, 1, Qt.AlignmentFlag.AlignVCenter)

    def show_location(self, location: str) -> None:
        self._path.setText(location)

    def _browse(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a run's description"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters(
            [self.tr("Descriptions of runs (*.idlebrush *.toml)"), self.tr("All files (*)")]
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._give)
        dialog.open()

    def _give(self, path: str) -> None:
        self.given.emit(QDir.toNativeSeparators(path))
