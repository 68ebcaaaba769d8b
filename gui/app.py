"""Composition root of the app: builds link, window, tray and first run, and decides when the app ends."""

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, qVersion
from PySide6.QtWidgets import QApplication, QMessageBox

from client.api.errors import ClientError
from client.api.launch import DaemonProgram
from client.api.snapshot import Snapshot
from gui.application import IdlebrushApplication, SystemSignals
from gui.design import icons
from gui.design.theme import Theme
from gui.errors import GuiError, log_unhandled
from gui.first_run.steps import ANOTHER_RUN, WHOLE, FirstRunStep, is_needed
from gui.garbage import GarbageCollector
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.link.link import AppLink
from gui.offers import OfferDialog, OfferRoute, notice, route_of, understood
from gui.settings import AppSettings
from gui.single import SingleApp
from gui.tray.quit import QuitQuestion
from gui.tray.tray import Tray, TrayActions
from gui.updates.restart import VersionWatch, start_successor
from gui.wording import languages

if TYPE_CHECKING:
    from client.paths import Paths
    from gui.first_run.wizard import FirstRun
    from gui.window.window import MainWindow

_log = logging.getLogger(__name__)

_UNDECIDED_MILLISECONDS = 300
"""Wait for the daemon's first answer before the window opens without one."""
_FIRST_RUN_MILLISECONDS = 4_000
"""Wait for the daemon's first answer before the first run opens; a volunteer with a run does not see it."""
_TRAYLESS_MILLISECONDS = 60_000
_MANIFEST = "run.toml"
"""File name of the manifest in the folder of a joined run."""


@dataclass(frozen=True)
class Opening:
    """The first window of the app, and a proposed run."""

    offer: str | None = None
    """A proposed run: a link, a file or ``embedded``."""
    hidden: bool = False
    """True opens only the tray icon, as at login."""
    page: str = "now"


class DesktopApp(QObject):
    """The app: owns the link, the tray, the window and the first run."""

    def __init__(
        self, qt: QApplication, link: AppLink, settings: AppSettings, single: SingleApp, opening: Opening
    ) -> None:
        super().__init__(qt)
        self._qt, self._settings, self._opening = qt, settings, opening
        self.link = link
        link.setParent(self)
        self.window: MainWindow | None = None
        self.first_run: FirstRun | None = None
        self._former_first_run: FirstRun | None = None
        """The first run that has ended. Python owns it: without this reference it would end within its own signal."""
        self._question: QuitQuestion | None = None
        self._offer_dialog: OfferDialog | None = None
        self._later_offer = ""
        """Offer that waits until a sign-in is over."""
        actions = TrayActions(self.show_page, self.toggle, self.quit, self._sees_setup)
        self.tray = Tray(link, settings, actions, self)
        self.tray.availability_changed.connect(self._handle_tray_change)
        single.wanted.connect(self._handle_second_start)
        single.end_wanted.connect(self._end)
        qt.aboutToQuit.connect(self._leave)
        self.successor = ""
        """Program of another version, which the app is to be replaced by once it has ended; empty: none."""
        self._single = single
        VersionWatch(link, version("idlebrush"), self).restart_wanted.connect(self._make_way)
        self._undecided = QTimer(self, singleShot=True)
        self._undecided.timeout.connect(self._decide)

    def open(self) -> None:
        """Connect, and show the first window after the daemon's first answer or after a short wait."""
        may_show_first_run = self._opening.offer is not None or not self._settings.first_run_done
        self.link.snapshot_changed.connect(self._decide_by)
        self._undecided.start(_FIRST_RUN_MILLISECONDS if may_show_first_run else _UNDECIDED_MILLISECONDS)
        self.link.start()

    def show_page(self, name: str) -> None:
        """Show the window with that page; while the first run is open, show the first run."""
        if self.first_run is not None:
            self.first_run.raise_()
            self.first_run.activateWindow()
            return
        self._window().show_page(name)
        self._window().show_in_front()

    def toggle(self) -> None:
        """Hide the window if it is active, or show it."""
        if self.window is None or self.first_run is not None:
            self.show_page("now")
        elif self.window.isActiveWindow():
            self.window.hide()
        else:
            self.window.show_in_front()

    def propose(self, text: str) -> None:
        """Answer a run that is offered from outside; ``text``: a link, a file or ``embedded``."""
        if self.first_run is not None and not self.first_run.takes_offers:
            self._later_offer = text
            self.show_page("now")
            return
        offer, snapshot = understood(text), self.link.snapshot
        match route_of(offer, snapshot, is_choosing=self.first_run is not None):
            case OfferRoute.PREVIEW:
                self._preview(text if isinstance(offer, ClientError) else offer.location)
            case OfferRoute.FRONT:
                self._show_first_run(ANOTHER_RUN)
            case OfferRoute.NOTICE:
                self.show_page("now")
                self._window().show_notice(notice(snapshot))
            case OfferRoute.QUESTION | OfferRoute.REFUSAL:
                self._asking().show_offer(offer, snapshot)

    def _preview(self, location: str) -> None:
        """Show the preview of a run, with the way to join it."""
        self._show_first_run(ANOTHER_RUN if self._settings.first_run_done else WHOLE)
        assert self.first_run is not None
        self.first_run.offer(location)

    def _asking(self) -> OfferDialog:
        """Return the dialog about an offer, in front of the window that is shown."""
        self.show_page("now")
        if self._offer_dialog is None:
            self._offer_dialog = OfferDialog(self.first_run or self.window)
            self._offer_dialog.look_wanted.connect(self._preview)
            self._offer_dialog.finished.connect(self._end_asking)
        return self._offer_dialog

    def _end_asking(self, _: int) -> None:
        assert self._offer_dialog is not None
        self._offer_dialog.deleteLater()
        self._offer_dialog = None

    def join_run(self) -> None:
        """Let the volunteer choose a run."""
        self._show_first_run(ANOTHER_RUN)

    def quit(self) -> None:
        """End the app, and training as well if the volunteer wants that."""
        if self._question is None:
            self._question = QuitQuestion(self.link, self._settings, self.window)
            self._question.decided.connect(self._end)
        self._question.ask()

    def _handle_second_start(self, page: str, offer: str) -> None:
        """Handle a second start of the app."""
        _log.info("The app was started a second time; this one comes to the front.")
        self._show(page or self._opening.page, offer)

    def open_offer(self, text: str) -> None:
        """Answer a link or a file that the system hands to the running app."""
        self._show(self._opening.page, text)

    def _show(self, page: str, offer: str) -> None:
        """Show that offer or page; before the daemon's first answer, make it what the app opens with."""
        if self._undecided.isActive():
            self._opening = replace(
                self._opening, offer=offer or self._opening.offer, hidden=False, page=page
            )
        else:
            self._open_with(page, offer)

    def _decide_by(self, _: Snapshot) -> None:
        if self._undecided.isActive():
            self._decide()

    def _decide(self) -> None:
        """Show the first run or the window, once."""
        self._undecided.stop()
        self.link.snapshot_changed.disconnect(self._decide_by)
        if not self._opening.hidden:
            self._open_with(self._opening.page, self._opening.offer or "")
        elif not self.tray.is_available:  # at login, the panel may come later
            QTimer.singleShot(_TRAYLESS_MILLISECONDS, self, self._leave_unseen)

    def _open_with(self, page: str, offer: str) -> None:
        """Show the proposed run, the first run, or that page."""
        if offer:
            self.propose(offer)
        elif is_needed(self.link.snapshot, self._settings.first_run_done):
            self._show_first_run(WHOLE)
        else:
            self.show_page(page)

    def _leave_unseen(self) -> None:
        """End the app if there is no tray and no window, because it could not be reached; the daemon continues."""
        if not self.tray.is_available and self.window is None:
            self._end()

    def _show_first_run(self, route: Sequence[FirstRunStep]) -> None:
        from gui.first_run.wizard import FirstRun

        if self.first_run is None:
            self.first_run = FirstRun(self.link, self._settings, self.window, route=route)
            self.first_run.finished.connect(self._end_first_run)
        self.first_run.show()
        self.first_run.raise_()
        self.first_run.activateWindow()

    def _end_first_run(self, _: bool) -> None:
        assert self.first_run is not None
        if self._offer_dialog is not None:  # it may be a child of the first run
            self._offer_dialog.reject()
        self.first_run.deleteLater()
        self._former_first_run, self.first_run = self.first_run, None
        self.show_page("now")
        offer, self._later_offer = self._later_offer, ""
        if offer:
            self.propose(offer)

    def _window(self) -> "MainWindow":
        from gui.window.window import MainWindow

        if self.window is None:
            self.window = MainWindow(self.link, self._settings)
            self.window.closing.connect(self._close)
            self.window.run_wanted.connect(self.join_run)
            self.window.sign_in_wanted.connect(self._sign_in)
            self.window.admission_wanted.connect(self._enter_gate)
            self.window.setup_wanted.connect(self._set_up)
        return self.window

    def _sign_in(self) -> None:
        self._show_first_run((FirstRunStep.SIGN_IN,))

    def _set_up(self) -> None:
        self._show_first_run((FirstRunStep.SETUP,))

    def _sees_setup(self) -> bool:
        first_run = self.first_run
        return first_run is not None and first_run.isActiveWindow() and first_run.shows_setup

    def _enter_gate(self) -> None:
        """Inspect the joined run again, so that the volunteer can sign in to it."""
        run = self.link.snapshot.run if self.link.snapshot else None
        if run is not None:
            self._show_first_run(ANOTHER_RUN)
            assert self.first_run is not None
            self.first_run.offer(str(Path(run.folder) / _MANIFEST))

    def _close(self) -> None:
        """Hide a closed window in the tray if there is a tray, or quit."""
        assert self.window is not None
        if self.tray.is_available and self._settings.at_closing == "tray":
            self.window.hide()
        else:
            self.quit()

    def _handle_tray_change(self, is_available: bool) -> None:
        """Show a hidden window minimized when the tray disappears, because it is then the only way to the app."""
        _log.info("The desktop %s tray icons.", "shows" if is_available else "shows no")
        if not is_available and self.window is not None and self.window.isHidden():
            self.window.showMinimized()

    def _make_way(self, program: str) -> None:
        """End for the app of another version, as the daemon has been updated."""
        self.successor = program
        self._end()

    def replace(self) -> None:
        """Start the app of the other version, if there is one, as this one was shown."""
        if self.successor:
            is_hidden = self.window is None or not self.window.isVisible()
            self._single.close()
            start_successor(self.successor, ("--background",) if is_hidden else ())

    def _end(self) -> None:
        self._qt.exit()  # Qt's `quit` asks the windows first, and this one stays in the tray

    def _leave(self) -> None:
        """Save the state of the app when it ends by the menu, a signal, or the end of the session."""
        self.link.stop()
        if self.window is not None:
            self.window.remember()
        self._settings.save()


def compose(paths: "Paths", program: DaemonProgram, opening: Opening) -> DesktopApp | None:
    """Return the app, built but not open yet; None if another instance runs, which was notified instead."""
    qt = IdlebrushApplication(["idlebrush"])
    GarbageCollector(qt)
    qt.setApplicationName("Idlebrush")
    qt.setDesktopFileName("idlebrush")
    qt.setQuitOnLastWindowClosed(False)
    settings = AppSettings(paths.config)
    languages.install(qt, settings.language)
    single = SingleApp(paths.runtime / "app", qt)
    if not single.claim("" if opening.hidden else opening.page, opening.offer or ""):
        return None
    Theme(qt, settings.appearance).apply(qt)
    qt.setWindowIcon(icons.app_icon())
    SystemSignals(qt)
    app = DesktopApp(qt, DaemonLink(DaemonAccess.of(paths, program)), settings, single, opening)
    qt.opened.connect(app.open_offer)
    return app


def run(paths: "Paths", program: DaemonProgram, opening: Opening) -> int:
    """Run the app until it ends; returns the exit status."""
    log_unhandled()
    _log.info("App started as process %d with Qt %s.", os.getpid(), qVersion())
    try:
        app = compose(paths, program, opening)
    except GuiError as error:
        _log.error("The app cannot start: %s", error)
        return _report(error)
    if app is None:
        _log.info("The app runs already, and was asked to come to the front.")
        return 0
    _log.info("It draws on %s.", QApplication.platformName())
    app.open()
    status = QApplication.exec()
    app.replace()
    _log.info("App ended with exit status %d.", status)
    return status


def _report(error: GuiError) -> int:
    """Report the error on stderr and in a dialog, because the user may see no terminal."""
    print(error, file=sys.stderr)
    qt = QApplication.instance()
    assert isinstance(qt, QApplication)
    Theme(qt).apply(qt)
    box = QMessageBox(QMessageBox.Icon.Warning, QApplication.applicationName(), error.what)
    box.setInformativeText(error.remedy)
    box.finished.connect(QApplication.quit)
    box.open()
    QApplication.exec()
    return 1
