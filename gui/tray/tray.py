"""The tray: shows at a glance what the client does, and has its commands at hand."""

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
from gui.link.link import Link
from gui.settings import Settings
from gui.tray.announcer import Announcer
from gui.tray.face import TrayFace, face_of
from gui.tray.host import TrayHost
from gui.tray.menu import TrayMenu
from gui.tray.menu_state import MenuState, Order, menu_state
from gui.tray.notifications import News
from gui.tray.snoozes import Snooze, seconds
from gui.tray.tooltip import tooltip
from gui.wording.problems import words

if TYPE_CHECKING:
    from gui.tray.bubbles import Bubbles
    from gui.tray.session_bus import SessionBus

_SHOWN_MILLISECONDS = 10_000


def local_now() -> datetime:
    """With the system's zone."""
    return datetime.now().astimezone()


@dataclass(frozen=True)
class TrayActions:
    """What the tray has the app do."""

    show_page: Callable[[str], None]
    toggle: Callable[[], None]
    """Bring the window up, or hide it where it is before the volunteer's eyes."""
    quit: Callable[[], None]


class Tray(QObject):
    """There from the start; the icon comes as soon as some host would show it."""

    availability_changed = Signal(bool)
    """False only once no host has been there for some seconds: from then on the window is the only way."""

    def __init__(
        self,
        link: Link,
        settings: Settings,
        actions: TrayActions,
        parent: QObject | None = None,
        *,
        host: TrayHost | None = None,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        super().__init__(parent)
        self._link, self._actions, self._now = link, actions, now
        self.icon: QSystemTrayIcon | None = None
        self.menu = TrayMenu()
        self._face = TrayFace.WAITING
        self._state = MenuState("")
        self._news: News | None = None
        self._bubbles: Bubbles | None = None
        announcer = Announcer(link, settings, now, self)
        announcer.announced.connect(self.tell)
        self._connect_menu()
        link.changed.connect(self._redraw)
        link.snapshot_changed.connect(self._redraw)
        self._redraw()
        self._bus = self._session_bus()
        self._host = host or self._new_host()
        self._host.changed.connect(self._mind_host)
        self._host.start()

    @property
    def is_available(self) -> bool:
        """Whether the app can be reached through it."""
        return self._host.is_there

    def _session_bus(self) -> "SessionBus | None":
        if not sys.platform.startswith("linux"):
            return None
        from gui.tray.session_bus import SessionBus

        return SessionBus(self)

    def _new_host(self) -> TrayHost:
        if self._bus is None:
            return TrayHost(self)
        from gui.tray.watcher import Watcher

        return TrayHost(self, watcher=Watcher(self._bus, self))

    def tell(self, news: News) -> None:
        """Show it as a notification; a click opens its page."""
        if self._bus is None:
            self._tell_by_icon(news)
        else:
            self._bubbles = self._bubbles or self._new_bubbles(self._bus)
            self._bubbles.show(news, self.tr("Open"))

    def _new_bubbles(self, bus: "SessionBus") -> "Bubbles":
        from gui.tray.bubbles import Bubbles

        bubbles = Bubbles(bus, self)
        bubbles.clicked.connect(self._actions.show_page)
        bubbles.undelivered.connect(self._tell_by_icon)
        return bubbles

    def _tell_by_icon(self, news: News) -> None:
        if self.icon is not None:
            self._news = news
            self.icon.showMessage(news.title, news.text, tray_icon(self._face), _SHOWN_MILLISECONDS)

    def _connect_menu(self) -> None:
        menu = self.menu
        menu.ordered.connect(self._order)
        menu.snoozed.connect(self._snooze)
        menu.finish_chosen.connect(self._finish)
        menu.mode_chosen.connect(self._choose_mode)
        menu.page_chosen.connect(self._actions.show_page)
        menu.quit_chosen.connect(self._actions.quit)
        menu.aboutToShow.connect(self._redraw)

    def _redraw(self) -> None:
        """Say what has changed; the icon is drawn anew for another face alone."""
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

    def _mind_host(self, is_there: bool) -> None:
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
        # one of an earlier host may be of the other kind: which of them it is, Qt decides when it is made
        icon = QSystemTrayIcon(tray_icon(self._face), self)
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._activate)
        icon.messageClicked.connect(self._open_news)
        return icon

    def _activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        is_click = reason is QSystemTrayIcon.ActivationReason.Trigger
        if is_click and sys.platform != "darwin":  # where a click opens the menu
            self._actions.toggle()
        elif reason is QSystemTrayIcon.ActivationReason.MiddleClick and self._state.can_order:
            self._order(self._state.order)

    def _open_news(self) -> None:
        if self._news is not None:
            self._actions.show_page(self._news.page)

    def _order(self, order: Order) -> None:
        match order:
            case Order.PAUSE:
                self._ask(Pause())
            case Order.RESUME | Order.RETRY:
                self._ask(Resume())
            case Order.START | Order.RESTART:
                self._link.restart_daemon()

    def _snooze(self, snooze: Snooze) -> None:
        self._ask(Pause(seconds=seconds(snooze, self._now())))

    def _finish(self, wanted: bool) -> None:
        self._ask(Finish() if wanted else Resume())

    def _choose_mode(self, mode: str) -> None:
        self._ask(SetPreference(name="run-mode", value=mode))

    def _ask(self, request: AnyRequest) -> None:
        self._link.ask(request, failed=self._refuse)

    def _refuse(self, error: ClientError) -> None:
        """The menu has shown what was chosen already; the window, which would say why not, may be hidden."""
        self._redraw()
        what, remedy = words(error.code, error.what, error.remedy)
        self.tell(News(f"refused/{error.code}", what, remedy, "now"))
