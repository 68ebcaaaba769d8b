"""The page About: versions, privacy, licences, and details for a bug report."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.about.installation import InstalledVersions, installation, report
from gui.about.licences import LicenceCard
from gui.about.privacy import PrivacyCard
from gui.background import Background
from gui.design.icons import logo
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.updates.card import UpdateCard
from gui.web_address import handbook, open_page, website
from gui.widgets.accessibility import announce, follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.labels import Tone, body, caption, heading
from gui.widgets.layouts import FlowLayout, PageColumn
from gui.window.pages import AppPage

_LOGO = 64
_COPIED_MS = 4_000


class AboutHeader(QWidget):
    """The head of the page: logo, versions, and buttons to copy them and to open the run's website and handbook."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._logo = QLabel(self)
        self._logo.setFixedSize(_LOGO, _LOGO)
        self._version = body("", self)
        self._version.set_tone(Tone.SOFT)
        self.copy = QuietButton("", self, icon="copy")
        self.copy.setEnabled(False)
        self.website = QuietButton(self.tr("Website of the run"), self, icon="external")
        self.handbook = QuietButton(self.tr("Handbook"), self, icon="external")
        self._versions: dict[str, QLabel] = {}
        self._lay_out()
        self.show_copied(copied=False)
        self._paint_logo()

    def show_installation(self, installed: InstalledVersions) -> None:
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
        for button in (self.website, self.handbook):
            button.setVisible(bool(website(snapshot.run if snapshot else None)))
        if snapshot is not None:
            self._show(self.tr("In the background"), snapshot.version)

    def show_copied(self, *, copied: bool) -> None:
        """Show on the button whether the details were copied to the clipboard."""
        self.copy.set_icon("check" if copied else "copy")
        self.copy.setText(self.tr("Copied") if copied else self.tr("Copy details for a bug report"))
        if copied:
            announce(self.copy, self.copy.text())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_logo()

    def _show(self, name: str, version: str) -> None:
        """Show a version in the table; its row is added with its first value."""
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
        buttons.addWidget(self.handbook)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addLayout(first)
        column.addLayout(self._table)
        column.addLayout(buttons)

    def _motto(self) -> QLabel:
        return body(
            self.tr("Idle computers together train a model that draws pictures or writes text."), self
        )


class AboutPage(AppPage):
    """Shows the installation, which is read once, when the page is first shown."""

    name = "about"

    def __init__(
        self,
        link: AppLink,
        parent: QWidget | None = None,
        *,
        home: Path | None = None,
        browse: Callable[[str], bool] = open_page,
    ) -> None:
        """Build the page; its reports do not contain the path ``home``, the user's folder.

        ``browse`` opens a web address and returns whether that was possible.
        """
        super().__init__(link, parent)
        self._home, self._browse = home or Path.home(), browse
        self._background = Background(self)
        self._installed: InstalledVersions | None = None
        self._snapshot: Snapshot | None = None
        self.banner, self.header = Banner(self), AboutHeader(self)
        self.updates = UpdateCard(link, self)
        self.privacy, self.licences = PrivacyCard(self), LicenceCard(self)
        self._lay_out()
        self._copied = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._copied.timeout.connect(self._forget_copied)
        self.header.copy.clicked.connect(self._copy_report)
        self.header.website.clicked.connect(self._open_website)
        self.header.handbook.clicked.connect(self._open_handbook)

    def _lay_out(self) -> None:
        column = PageColumn(self)
        for part in (self.banner, self.header, self.updates, self.privacy, self.licences):
            column.body.addWidget(part)
        column.body.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(column)
        follow_layout(self)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show what the snapshot holds; without a daemon, privacy is described in general."""
        self._snapshot = snapshot
        self.privacy.show_snapshot(snapshot)
        self.header.show_snapshot(snapshot)
        self.updates.show_snapshot(snapshot)
        self._compare()

    def shown(self) -> None:
        if self._installed is None:
            self._background.run(installation, self._take)

    def _take(self, installed: InstalledVersions) -> None:
        self._installed = installed
        self.header.show_installation(installed)
        self.licences.show_components(installed.components)
        self._compare()

    def _compare(self) -> None:
        """Warn if app and daemon have different versions, as after an update of a running installation."""
        if self._installed is None or self._snapshot is None or not self._installed.version:
            return
        if self._snapshot.version == self._installed.version:
            self.banner.hide()
        elif self.banner.isHidden():
            self.banner.show_message(
                BannerKind.WARNING,
                self.tr("Another version is running in the background"),
                self.tr(
                    "The app is version {app}, its background part version {daemon}. Restart that part so "
                    "that both match."
                ).format(app=self._installed.version, daemon=self._snapshot.version),
                self.tr("Restart"),
                self.link.restart_daemon,
                dismissable=False,
            )

    def _copy_report(self) -> None:
        if self._installed is not None:
            QGuiApplication.clipboard().setText(report(self._installed, self._snapshot, self._home))
            self.header.show_copied(copied=True)
            self._copied.start()

    def _forget_copied(self) -> None:
        self.header.show_copied(copied=False)

    def _open_website(self) -> None:
        self._browse(website(self._snapshot.run if self._snapshot else None))

    def _open_handbook(self) -> None:
        self._browse(handbook(self._snapshot.run if self._snapshot else None))
