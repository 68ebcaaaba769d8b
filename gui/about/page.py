"""The page About: versions, what others see of a volunteer, licences, and details for a report of a fault."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.about.components import Installation, installation
from gui.about.header import Header
from gui.about.licence_card import LicenceCard
from gui.about.privacy_card import PrivacyCard
from gui.about.report import report
from gui.background import Background
from gui.link.link import Link
from gui.web_address import open_page, website
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.column import Column
from gui.widgets.tab_order import follow_layout
from gui.window.page import Page

_COPIED_MS = 4_000


class AboutPage(Page):
    """What is installed is looked up once, when it is first shown."""

    name = "about"

    def __init__(
        self,
        link: Link,
        parent: QWidget | None = None,
        *,
        home: Path | None = None,
        browse: Callable[[str], bool] = open_page,
    ) -> None:
        """``home``: the user's folder, which reports do not name."""
        super().__init__(link, parent)
        self._home, self._browse = home or Path.home(), browse
        self._background = Background(self)
        self._installed: Installation | None = None
        self._snapshot: Snapshot | None = None
        self.banner, self.header = Banner(self), Header(self)
        self.privacy, self.licences = PrivacyCard(self), LicenceCard(self)
        self._lay_out()
        self._copied = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._copied.timeout.connect(self._forget_copied)
        self.header.copy.clicked.connect(self._copy_report)
        self.header.website.clicked.connect(self._open_website)

    def _lay_out(self) -> None:
        column = Column(self)
        for part in (self.banner, self.header, self.privacy, self.licences):
            column.body.addWidget(part)
        column.body.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(column)
        follow_layout(self)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Of a daemon that is not connected nothing is said."""
        self._snapshot = snapshot
        self.privacy.show_snapshot(snapshot)
        self.header.show_snapshot(snapshot)
        self._compare()

    def shown(self) -> None:
        if self._installed is None:
            self._background.run(installation, self._take)

    def _take(self, installed: Installation) -> None:
        self._installed = installed
        self.header.show_installation(installed)
        self.licences.show_components(installed.components)
        self._compare()

    def _compare(self) -> None:
        """App and daemon are of one version, unless one was updated while the other ran."""
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
