"""Composition root of the app: puts link, window, tray and first run together, and decides when it ends."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from client.api.launch import DaemonProgram
from client.api.snapshot import Snapshot
from gui.design import icons
from gui.design.theme import Theme
from gui.errors import GuiError
from gui.first_run.steps import ANOTHER_RUN, WHOLE, Step, is_needed
from gui.link.access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.link.link import Link
from gui.settings import Settings
from gui.signals import Signals
from gui.single import SingleApp
from gui.tray.quit_question import QuitQuestion
from gui.tray.tray import Tray, TrayActions
from gui.wording import languages

if TYPE_CHECKING:
    from client.paths import Paths
    from gui.first_run.wizard import FirstRun
    from gui.window.window import MainWindow

_UNDECIDED_MILLISECONDS = 300
"""For which the window waits for the daemon's first word, so as to open with it."""
_GREETING_MILLISECONDS = 4_000
"""For which the first run waits for it: a volunteer who has joined a run already is not greeted."""
_TRAYLESS_MILLISECONDS = 60_000
_MANIFEST = "run.toml"
"""In the folder of a run that was joined."""


@dataclass(frozen=True)
class Opening:
    """What the app opens with."""

    offer: str | None = None
    """A run that is proposed: a link, a file or ``embedded``."""
    hidden: bool = False
    """In the tray alone, as at login."""
    page: str = "now"


class App(QObject):
    """All of the app, for as long as it runs."""

    def __init__(
        self, qt: QApplication, link: Link, settings: Settings, single: SingleApp, opening: Opening
    ) -> None:
        super().__init__(qt)
        self._qt, self._settings, self._opening = qt, settings, opening
        self.link = link
        link.setParent(self)
        self.window: MainWindow | None = None
        self.first_run: FirstRun | None = None
        self._question: QuitQuestion | None = None
        self.tray = Tray(link, settings, TrayActions(self.show_page, self.toggle, self.quit), self)
        self.tray.availability_changed.connect(self._mind_tray)
        single.wanted.connect(self._heed)
        qt.aboutToQuit.connect(self._leave)
        self._undecided = QTimer(self, singleShot=True)
        self._undecided.timeout.connect(self._decide)

    def open(self) -> None:
        """Connect, and show what is to be seen first once the daemon has said a word, or takes long to."""
        may_greet = self._opening.offer is not None or not self._settings.first_run_done
        self.link.snapshot_changed.connect(self._decide_by)
        self._undecided.start(_GREETING_MILLISECONDS if may_greet else _UNDECIDED_MILLISECONDS)
        self.link.start()

    def show_page(self, name: str) -> None:
        """Bring the window up, with that page; the first run comes before it."""
        if self.first_run is not None:
            self.first_run.raise_()
            self.first_run.activateWindow()
            return
        self._window().show_page(name)
        self._window().bring_up()

    def toggle(self) -> None:
        """Hide the window where the volunteer works with it, else bring it up as it was."""
        if self.window is None or self.first_run is not None:
            self.show_page("now")
        elif self.window.isActiveWindow():
            self.window.hide()
        else:
            self.window.bring_up()

    def propose(self, offer: str) -> bool:
        """Have the volunteer look at that run, unless there is one to train already; whether they do."""
        if not is_needed(self.link.snapshot, self._settings.first_run_done, offered=True):
            return False
        self._greet(ANOTHER_RUN if self._settings.first_run_done else WHOLE)
        assert self.first_run is not None
        self.first_run.offer(offer)
        return True

    def join_run(self) -> None:
        """Have the volunteer choose a run."""
        self._greet(ANOTHER_RUN)

    def quit(self) -> None:
        """End the app, and training with it if the volunteer wants that."""
        if self._question is None:
            self._question = QuitQuestion(self.link, self._settings, self.window)
            self._question.decided.connect(self._end)
        self._question.ask()

    def _heed(self, page: str, offer: str) -> None:
        """Another start of the app has come to this one."""
        self._open_with(page or self._opening.page, offer)

    def _decide_by(self, _: Snapshot) -> None:
        if self._undecided.isActive():
            self._decide()

    def _decide(self) -> None:
        """Show the first run or the window, whichever is due; once."""
        self._undecided.stop()
        self.link.snapshot_changed.disconnect(self._decide_by)
        if not self._opening.hidden:
            self._open_with(self._opening.page, self._opening.offer or "")
        elif not self.tray.is_available:  # at login, the panel may come later
            QTimer.singleShot(_TRAYLESS_MILLISECONDS, self, self._leave_unseen)

    def _open_with(self, page: str, offer: str) -> None:
        """What is due: the offered run, the first run, or that page."""
        if offer and self.propose(offer):
            return
        if is_needed(self.link.snapshot, self._settings.first_run_done, offered=False):
            self._greet(WHOLE)
        else:
            self.show_page(page)

    def _leave_unseen(self) -> None:
        """Where no tray has come, nobody could find the app; the daemon goes on without it."""
        if not self.tray.is_available and self.window is None:
            self._end()

    def _greet(self, route: Sequence[Step]) -> None:
        from gui.first_run.wizard import FirstRun

        if self.first_run is None:
            self.first_run = FirstRun(self.link, self._settings, self.window, route=route)
            self.first_run.finished.connect(self._finish_greeting)
        self.first_run.show()
        self.first_run.raise_()
        self.first_run.activateWindow()

    def _finish_greeting(self, _: bool) -> None:
        assert self.first_run is not None
        self.first_run.deleteLater()
        self.first_run = None
        self.show_page("now")

    def _window(self) -> "MainWindow":
        from gui.window.window import MainWindow

        if self.window is None:
            self.window = MainWindow(self.link, self._settings)
            self.window.closing.connect(self._close)
            self.window.run_wanted.connect(self.join_run)
            self.window.sign_in_wanted.connect(self._sign_in)
            self.window.admission_wanted.connect(self._enter_gate)
        return self.window

    def _sign_in(self) -> None:
        self._greet((Step.SIGN_IN,))

    def _enter_gate(self) -> None:
        """Look at the joined run anew, whose screen has the way through its gate."""
        run = self.link.snapshot.run if self.link.snapshot else None
        if run is not None:
            self._greet(ANOTHER_RUN)
            assert self.first_run is not None
            self.first_run.offer(str(Path(run.folder) / _MANIFEST))

    def _close(self) -> None:
        """The window was closed: it stays in the tray, where there is one."""
        assert self.window is not None
        if self.tray.is_available and self._settings.at_closing == "tray":
            self.window.hide()
        else:
            self.quit()

    def _mind_tray(self, is_available: bool) -> None:
        """Where the tray has gone, the window is the only way to the app."""
        if not is_available and self.window is not None and self.window.isHidden():
            self.window.showMinimized()

    def _end(self) -> None:
        self._qt.exit()  # Qt's `quit` asks the windows first, and this one stays in the tray

    def _leave(self) -> None:
        """However it ends: by the menu, by a signal, or with the session."""
        self.link.stop()
        if self.window is not None:
            self.window.remember()
        self._settings.save()


def compose(
    paths: "Paths", program: DaemonProgram, opening: Opening, arguments: Sequence[str] = ("idlebrush",)
) -> App | None:
    """The app, put together but not open yet; nothing where another one of this user runs, which was told instead."""
    qt = QApplication(list(arguments))
    qt.setApplicationName("Idlebrush")
    qt.setDesktopFileName("idlebrush")
    qt.setQuitOnLastWindowClosed(False)
    settings = Settings(paths.config)
    languages.install(qt, settings.language)
    single = SingleApp(paths.runtime / "app", qt)
    if not single.claim("" if opening.hidden else opening.page, opening.offer or ""):
        return None
    Theme(qt, settings.appearance).apply(qt)
    qt.setWindowIcon(icons.app_icon())
    if sys.platform != "win32":
        Signals(qt)
    return App(qt, DaemonLink(DaemonAccess.of(paths, program)), settings, single, opening)


def run(paths: "Paths", program: DaemonProgram, opening: Opening) -> int:
    """Be the app until it ends; gives the exit status."""
    try:
        app = compose(paths, program, opening)
    except GuiError as error:
        return _say_why_not(error)
    if app is None:
        return 0
    app.open()
    return QApplication.exec()


def _say_why_not(error: GuiError) -> int:
    """Whoever has started it may see no terminal."""
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
