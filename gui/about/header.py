"""The first lines of About: the mark, the versions, and what one may want to do with them."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.about.components import Installation
from gui.design.icons import logo
from gui.design.tokens import Space
from gui.web_address import website
from gui.widgets.announcement import announce
from gui.widgets.buttons import QuietButton
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import Tone, body, caption, heading
from gui.widgets.tab_order import follow_layout

_LOGO = 64


class Header(QWidget):
    """See `gui.about.page`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._logo = QLabel(self)
        self._logo.setFixedSize(_LOGO, _LOGO)
        self._version = body("", self)
        self._version.set_tone(Tone.SOFT)
        self.copy = QuietButton("", self, icon="copy")
        self.copy.setEnabled(False)
        self.website = QuietButton(self.tr("Website of the run"), self, icon="external")
        self._versions: dict[str, QLabel] = {}
        self._lay_out()
        self.show_copied(copied=False)
        self._paint_logo()

    def show_installation(self, installed: Installation) -> None:
        self.copy.setEnabled(True)
        if installed.version:
            self._version.setText(self.tr("Version {version}").format(version=installed.version))
        for name, version in (
            ("Python", installed.python),
            ("Qt", installed.qt),
            ("PyTorch", installed.version_of("torch")),
            ("hivemind", installed.version_of("hivemind")),
        ):
            self._show(name, version)
        self._show(self.tr("System"), installed.system)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self.website.setVisible(bool(website(snapshot.run if snapshot else None)))
        if snapshot is not None:
            self._show(self.tr("In the background"), snapshot.version)

    def show_copied(self, *, copied: bool) -> None:
        """Whether the details are on the clipboard now."""
        self.copy.set_icon("check" if copied else "copy")
        self.copy.setText(self.tr("Copied") if copied else self.tr("Copy details for a bug report"))
        if copied:
            announce(self.copy, self.copy.text())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_logo()

    def _show(self, name: str, version: str) -> None:
        """A line of the table, which appears with its first value."""
        if name not in self._versions and version:
            value = self._versions[name] = body("", self)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            row = self._table.rowCount()
            self._table.addWidget(caption(name, self), row, 0, Qt.AlignmentFlag.AlignBaseline)
            self._table.addWidget(value, row, 1, Qt.AlignmentFlag.AlignBaseline)
            follow_layout(self)
        if version:
            self._versions[name].setText(version)

    def _paint_logo(self) -> None:
        self._logo.setPixmap(logo(_LOGO, self.devicePixelRatioF()))

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(heading("Idlebrush", self))
        words.addWidget(self._version)
        words.addWidget(self._motto())
        first = QHBoxLayout()
        first.setSpacing(Space.L)
        first.addWidget(self._logo, 0, Qt.AlignmentFlag.AlignTop)
        first.addLayout(words, 1)
        self._table = QGridLayout()
        self._table.setHorizontalSpacing(Space.L)
        self._table.setVerticalSpacing(2)
        self._table.setColumnStretch(1, 1)
        buttons = FlowLayout(spacing=Space.S)
        buttons.addWidget(self.copy)
        buttons.addWidget(self.website)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addLayout(first)
        column.addLayout(self._table)
        column.addLayout(buttons)

    def _motto(self) -> QLabel:
        return body(self.tr("Idle computers together train a model that draws what it is told to."), self)
