"""The window: its navigation, its pages, and messages about the daemon above them."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.background import EventLoopTurns
from gui.design import icons
from gui.design.tokens import Space
from gui.link.link import AppLink, LinkState
from gui.settings import AppSettings
from gui.widgets.banner import Banner, BannerKind
from gui.window.navigation import Navigation
from gui.window.pages import PAGES, AppPage, PageEntry
from gui.window.status import LinkBanner, SetupBanner, StatusChip
from gui.wording.codes import problem_words

_SIZE = (1080, 720)
_SMALLEST = (640, 480)
_NARROW_BELOW = 820
"""Width in logical pixels below which the navigation shows icons only."""
_REST_MILLISECONDS = 40
"""Wait before the next page, or its modules, are prepared."""


class MainWindow(QMainWindow):
    """Opens with one page; the others are created while the user is idle, or when they are first shown."""

    closing = Signal()
    """Emitted when the user has closed the window; the app decides whether to hide it or to quit."""
    run_wanted = Signal()
    """Emitted when the volunteer wants to choose a run."""
    sign_in_wanted = Signal()
    admission_wanted = Signal()
    """Emitted when the volunteer wants to sign in to the joined run."""
    setup_wanted = Signal()
    """Emitted when the volunteer wants to have the packages for training installed."""

    def __init__(self, link: AppLink, settings: AppSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link, self._settings = link, settings
        self._pages: dict[str, AppPage] = {}
        self._ahead = EventLoopTurns(self, rest=_REST_MILLISECONDS)
        self.setWindowTitle("Idlebrush")
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(*_SMALLEST)
        self._navigation = Navigation(PAGES, self)
        self._navigation.chosen.connect(self.show_page)
        self._status = StatusChip(self)
        self._status.clicked.connect(self._show_now)
        self._navigation.add_foot(self._status)
        self._trouble, self._banner = LinkBanner(link, self), Banner(self)
        self._setup = SetupBanner(link, self)
        self._setup.wanted.connect(self.setup_wanted)
        self._stack = QStackedWidget(self)
        self.setCentralWidget(self._arranged())
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        self.resize(*_SIZE)
        self.restoreGeometry(settings.geometry)
        link.changed.connect(self._show_link)
        link.snapshot_changed.connect(self._show_snapshot)
        link.refused.connect(self.show_error)
        self._show_link(link.state)
        self.show_page(PAGES[0].name)

    @property
    def page(self) -> AppPage:
        """The shown page."""
        shown = self._stack.currentWidget()
        assert isinstance(shown, AppPage)
        return shown

    def show_page(self, name: str) -> None:
        """Show a page; the first page if another version of the app asks for an unknown one."""
        entry = next((entry for entry in PAGES if entry.name == name), PAGES[0])
        self._navigation.choose(entry.name)
        self._setup.set_quiet(entry.name == "now")
        self._stack.setCurrentWidget(self._made(entry))
        if self.isVisible():
            self._refresh()

    def show_preference(self, name: str) -> None:
        """Show a preference on its page."""
        self.show_page("preferences")
        from gui.preferences.page import PreferencesPage

        page = self.page
        assert isinstance(page, PreferencesPage)
        page.show_preference(name)

    def show_error(self, error: ClientError) -> None:
        """Show the error of a request that the volunteer made."""
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self._banner.show_message(BannerKind.ERROR, what, remedy)

    def show_notice(self, text: str) -> None:
        """Show a sentence above the page until it is dismissed."""
        self._banner.show_message(BannerKind.INFO, text)

    def show_in_front(self) -> None:
        """Show the window in front of others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def remember(self) -> None:
        """Store the geometry for the next start."""
        self._settings.geometry = self.saveGeometry()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        self.remember()
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication) and app.isSavingSession():
            # A window that refuses to close now would hold up the logout.
            event.accept()
            return
        event.ignore()
        self.closing.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if not event.spontaneous():  # a hidden window is not redrawn
            self._refresh()
            QTimer.singleShot(_REST_MILLISECONDS, self, self._make_ahead)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_BELOW
        self._navigation.narrow(is_narrow)
        self._status.narrow(is_narrow)

    def _arranged(self) -> QWidget:
        whole = QWidget(self)
        column = QVBoxLayout()
        column.setSpacing(0)
        notices = QVBoxLayout()
        notices.setContentsMargins(Space.XL, Space.L, Space.XL, 0)
        notices.setSpacing(Space.S)
        for widget in (self._trouble, self._setup, self._banner):
            notices.addWidget(widget)
        column.addLayout(notices)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._navigation)
        row.addLayout(column, 1)
        return whole

    def _make_ahead(self) -> None:
        self._ahead.begin(self._make_all())

    def _make_all(self) -> Iterator[None]:
        """Create the other pages in steps, because each takes hundredths of a second and would delay a click."""
        for entry in PAGES:
            if entry.name not in self._pages:
                entry.load()
                yield
                self._made(entry)
                yield

    def _made(self, entry: PageEntry) -> AppPage:
        page = self._pages.get(entry.name)
        if page is not None:
            return page
        page = entry.make(self._link, self._settings, self)
        page.setObjectName("page")
        self._pages[entry.name] = page
        self._stack.addWidget(page)
        self._connect(page)
        return page

    def _connect(self, page: AppPage) -> None:
        """Connect the page's signals to other pages and to the app."""
        page.run_wanted.connect(self.run_wanted)
        page.sign_in_wanted.connect(self.sign_in_wanted)
        page.admission_wanted.connect(self.admission_wanted)
        page.page_wanted.connect(self.show_page)
        page.preference_wanted.connect(self.show_preference)

    def _refresh(self) -> None:
        self.page.show_snapshot(self._link.snapshot)
        self.page.shown()

    def _show_now(self) -> None:
        self.show_page("now")

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        self._status.show_state(snapshot, self._link.state)
        if self.isVisible():
            self.page.show_snapshot(snapshot)

    def _show_link(self, state: LinkState) -> None:
        self._status.show_state(self._link.snapshot, state)
        if self._pages:
            self.page.show_snapshot(self._link.snapshot)
