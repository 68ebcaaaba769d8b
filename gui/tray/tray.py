"""The tray: an icon that shows the client's state, and a menu with its commands."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from gui.design.icons import tray_icon
from gui.link.link import AppLink
from gui.settings import AppSettings
from gui.tray.host import TrayHost
from gui.tray.menu import TrayMenu
from gui.tray.notifications import Announcer, News
from gui.tray.view import (
    MenuCommand,
    MenuState,
    SnoozeChoice,
    TrayFace,
    face_of,
    menu_state,
    snooze_length,
    tooltip,
)
from gui.wording.codes import problem_words

if TYPE_CHECKING:
    from gui.tray.session_bus import DesktopNotifications, SessionBus

_SHOWN_MILLISECONDS = 10_000


def local_now() -> datetime:
    """Return the local time with its zone."""
    return datetime.now().astimezone()


@dataclass(frozen=True)
class TrayActions:
    """Actions of the app for the tray."""

    show_page: Callable[[str], None]
    toggle: Callable[[], None]
    """Show the window, or hide it if it is active."""
    quit: Callable[[], None]
    sees_setup: Callable[[], bool]
    """Return true if the volunteer is looking at the screen about the packages for training."""


class Tray(QObject):
    """The tray; its icon is created as soon as a host would show it."""

    availability_changed = Signal(bool)
    """Emitted with False once no host was found for some seconds; then only the window reaches the app."""

    def __init__(
        self,
        link: AppLink,
        settings: AppSettings,
        actions: TrayActions,
        parent: QObject | None = None,
        *,
        host: TrayHost | None = None,
        now: Callable[[], datetime] = local_now,
        platform: str = sys.platform,
    ) -> None:
        super().__init__(parent)
        self._link, self._actions, self._now, self._platform = link, actions, now, platform
        self.icon: QSystemTrayIcon | None = None
        self.menu = TrayMenu()
        self._face = TrayFace.WAITING
        self._state = MenuState("")
        self._news: News | None = None
        self._bubbles: DesktopNotifications | None = None
        self.announcer = Announcer(link, settings, now, actions.sees_setup, self)
        self.announcer.announced.connect(self.notify)
        self._connect_menu()
        link.changed.connect(self._redraw)
        link.snapshot_changed.connect(self._redraw)
        self._redraw()
        self._bus = self._session_bus()
        self._host = host or self._new_host()
        self._host.changed.connect(self._handle_host_change)
        self._host.start()

    @property
    def is_available(self) -> bool:
        """True if the app can be reached by the tray."""
        return self._host.is_there

    def _session_bus(self) -> "SessionBus | None":
        """Return the bus by which Linux shows notifications; other systems show them by Qt's own tray."""
        if not self._platform.startswith("linux"):
            return None
        from gui.tray.session_bus import SessionBus

        return SessionBus(self)

    def _new_host(self) -> TrayHost:
        if self._bus is None:
            return TrayHost(self)
        from gui.tray.session_bus import TrayWatcher

        return TrayHost(self, watcher=TrayWatcher(self._bus, self))

    def notify(self, news: News) -> None:
        """Show a notification; a click opens its page."""
        if self._bus is None:
            self._notify_by_icon(news)
        else:
            self._bubbles = self._bubbles or self._new_bubbles(self._bus)
            self._bubbles.show(news, self.tr("Open"))

    def _new_bubbles(self, bus: "SessionBus") -> "DesktopNotifications":
        from gui.tray.session_bus import DesktopNotifications

        bubbles = DesktopNotifications(bus, self)
        bubbles.clicked.connect(self._actions.show_page)
        bubbles.undelivered.connect(self._notify_by_icon)
        return bubbles

    def _notify_by_icon(self, news: News) -> None:
        if self.icon is not None:
            self._news = news
            self.icon.showMessage(news.title, news.text, tray_icon(self._face), _SHOWN_MILLISECONDS)

    def _connect_menu(self) -> None:
        menu = self.menu
        menu.commanded.connect(self._carry_out_command)
        menu.snoozed.connect(self._snooze)
        menu.finish_chosen.connect(self._finish)
        menu.mode_chosen.connect(self._choose_mode)
        menu.page_chosen.connect(self._actions.show_page)
        menu.quit_chosen.connect(self._actions.quit)
        menu.aboutToShow.connect(self._redraw)

    def _redraw(self) -> None:
        """Update menu, tooltip and icon; the icon only when the face changes."""
        snapshot, state, error, now = self._link.snapshot, self._link.state, self._link.error, self._now()
        self._state = menu_state(snapshot, state, error, now)
        self.menu.show_state(self._state, now)
        face, before = face_of(snapshot, state), self._face
        self._face = face
        if self.icon is None:
            return
        if face is not before:
            self.icon.setIcon(tray_icon(face))
        tip = tooltip(snapshot, state, error, now)
        if tip != self.icon.toolTip():
            self.icon.setToolTip(tip)

    def _handle_host_change(self, is_there: bool) -> None:
        if self.icon is not None:
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None
        if is_there:
            self.icon = self._new_icon()
            self._redraw()
            self.icon.show()
        self.availability_changed.emit(is_there)

    def _new_icon(self) -> QSystemTrayIcon:
        # Qt chooses the kind of icon when it is created, and a new host may need another kind
        icon = QSystemTrayIcon(tray_icon(self._face), self)
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._activate)
        icon.messageClicked.connect(self._open_news)
        return icon

    def _activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        is_click = reason is QSystemTrayIcon.ActivationReason.Trigger
        if is_click and self._platform != "darwin":  # on macOS, a click opens the menu
            self._actions.toggle()
        elif reason is QSystemTrayIcon.ActivationReason.MiddleClick and self._state.can_command:
            self._carry_out_command(self._state.command)

    def _open_news(self) -> None:
        if self._news is not None:
            self._actions.show_page(self._news.page)

    def _carry_out_command(self, command: MenuCommand) -> None:
        match command:
            case MenuCommand.PAUSE:
                self._ask(Pause())
            case MenuCommand.RESUME | MenuCommand.RETRY:
                self._ask(Resume())
            case MenuCommand.START | MenuCommand.RESTART:
                self._link.restart_daemon()

    def _snooze(self, snooze: SnoozeChoice) -> None:
        self._ask(Pause(seconds=snooze_length(snooze, self._now())))

    def _finish(self, wanted: bool) -> None:
        self._ask(Finish() if wanted else Resume())

    def _choose_mode(self, mode: str) -> None:
        self._ask(SetPreference(name="run-mode", value=mode))

    def _ask(self, request: AnyRequest) -> None:
        self._link.ask(request, failed=self._refuse)

    def _refuse(self, error: ClientError) -> None:
        """Undo the menu's choice and notify, because the window with its banner may be hidden."""
        self._redraw()
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self.notify(News(f"refused/{error.code}", what, remedy, "now"))
