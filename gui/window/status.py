"""The state of the daemon in the window: a chip in the navigation and a banner above the page."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from client.api.environment import ResumeSetup
from client.api.snapshot import Activity, Snapshot
from gui.design import icons
from gui.design.tokens import Space
from gui.link.link import AppLink, LinkState
from gui.tray.view import TrayFace, face_of
from gui.widgets.accessibility import announce
from gui.widgets.banner import Banner, BannerKind
from gui.window.trouble import Trouble, TroubleAction, action_words, setup_trouble, trouble
from gui.wording.activity import activity_name, rate

_ICON = 24


class StatusChip(QPushButton):
    """Shows the state by icon and text; a click opens the page Now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status-chip")
        self._face: TrayFace | None = None
        self._says = self._speed = ""
        self._mark = QLabel(self)
        self._words = QLabel(self)
        self._words.setObjectName("status-words")
        self._rate = QLabel(self)
        self._rate.setObjectName("status-rate")
        for label in (self._mark, self._words, self._rate):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lines = QVBoxLayout()
        lines.setSpacing(0)
        lines.addWidget(self._words)
        lines.addWidget(self._rate)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        row.setSpacing(Space.S)
        row.addWidget(self._mark)
        row.addLayout(lines, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.show_state(None, LinkState.CONNECTING)

    def show_state(self, snapshot: Snapshot | None, state: LinkState) -> None:
        """Draw the state; unchanged parts are not redrawn."""
        is_known = snapshot is not None and state is LinkState.CONNECTED
        words = activity_name(snapshot.activity) if snapshot and is_known else self._without_daemon(state)
        self._speed = rate(snapshot) if snapshot and is_known else ""
        if words != self._says:
            self._says = words
            announce(self, words)
        self._rate.setVisible(bool(self._speed) and not self._is_narrow)
        self._fit()
        self.setAccessibleName(f"{words} {self._speed}".strip())
        self.setToolTip(self.accessibleName())
        face = face_of(snapshot, state)
        if face is not self._face:
            self._face = face
            self._redraw()

    def _without_daemon(self, state: LinkState) -> str:
        """Return the state in words if the daemon does not answer; the banner above the page says more."""
        if state in (LinkState.CONNECTING, LinkState.STARTING):
            return activity_name(Activity.STARTING)
        return self.tr("Not running") if state is LinkState.ABSENT else activity_name(Activity.ATTENTION)

    def narrow(self, is_narrow: bool) -> None:
        """Show the icon only."""
        self._words.setVisible(not is_narrow)
        self._rate.setVisible(not is_narrow and bool(self._speed))

    @property
    def _is_narrow(self) -> bool:
        return self._words.isHidden()

    def sizeHint(self) -> QSize:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten texts that do not fit; tooltip and screen readers have the full text."""
        room = max(0, self.width() - _ICON - 3 * Space.S)
        for label, text in ((self._words, self._says), (self._rate, self._speed)):
            label.setText(label.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and self._face is not None:
            self._redraw()

    def _redraw(self) -> None:
        assert self._face is not None
        self._mark.setPixmap(
            icons.tray_icon(self._face).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF())
        )


class SetupBanner(Banner):
    """Reports that training lacks packages, with a button; hidden where it lacks none, or no daemon answers."""

    wanted = Signal()
    """Emitted when the volunteer wants to have them installed."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._is_quiet = False
        self._shown: Trouble | None = None
        link.changed.connect(self._show)
        link.snapshot_changed.connect(self._show)
        self._show()

    def set_quiet(self, is_quiet: bool) -> None:
        """Hide it where the page itself shows the installation, or show it again."""
        self._is_quiet = is_quiet
        self._show()

    def _show(self, _: object = None) -> None:
        is_shown = self._link.state is LinkState.CONNECTED and not self._is_quiet
        problem = setup_trouble(self._link.snapshot) if is_shown else None
        if problem == self._shown:
            return
        self._shown = problem
        if problem is None:
            self.hide()
            return
        kind = BannerKind.INFO if problem.is_passing else BannerKind.WARNING
        action = action_words(problem.help) or None
        self.show_message(kind, problem.text, problem.detail, action, self._help, dismissable=False)

    def _help(self) -> None:
        if self._shown is not None and self._shown.help is TroubleAction.RESUME_SETUP:
            self._link.ask(ResumeSetup())
        else:
            self.wanted.emit()


class LinkBanner(Banner):
    """Reports a daemon that does not answer, with a button; hidden while it answers."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        link.changed.connect(self._show_state)
        self._show_state(link.state)

    def _show_state(self, state: LinkState) -> None:
        problem = trouble(state, self._link.error)
        if problem is None:
            self.hide()
            return
        kind = BannerKind.INFO if problem.is_passing else BannerKind.WARNING
        action = action_words(problem.help) or None
        self.show_message(kind, problem.text, problem.detail, action, self._help, dismissable=False)

    def _help(self) -> None:
        problem = trouble(self._link.state, self._link.error)
        if problem is not None and problem.help is TroubleAction.RESTART:
            self._link.restart_daemon()
        else:
            self._link.start()
