"""The line above everything that says why the daemon cannot be reached, with the button that helps."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from gui.link.link import Link
from gui.link.state import LinkState
from gui.widgets.banner import Banner, BannerKind
from gui.window.trouble import Help, help_words, trouble

_PASSING_MILLISECONDS = 700
"""After which it is told that a daemon is still starting: usually it has started by then."""


class LinkBanner(Banner):
    """Shows itself while there is trouble, and hides once a daemon answers."""

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._passing = QTimer(self, singleShot=True, interval=_PASSING_MILLISECONDS)
        self._passing.timeout.connect(self._tell)
        link.changed.connect(self._follow)
        self._follow(link.state)

    def _follow(self, state: LinkState) -> None:
        said = trouble(state, self._link.error)
        if said is not None and said.is_passing:
            self._passing.start()
        else:
            self._tell()

    def _tell(self) -> None:
        self._passing.stop()
        said = trouble(self._link.state, self._link.error)
        if said is None:
            self.hide()
            return
        kind = BannerKind.INFO if said.is_passing else BannerKind.WARNING
        helps = said.help is not Help.NONE
        action = help_words(said.help) if helps else None
        self.show_message(kind, said.text, said.detail, action, self._link.restart_daemon if helps else None)
