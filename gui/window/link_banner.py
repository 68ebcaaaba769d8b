"""Says across the top of a window what stands between the app and the daemon, with a button where one helps."""

from PySide6.QtWidgets import QWidget

from gui.link.link import Link
from gui.link.state import LinkState
from gui.widgets.banner import Banner, BannerKind
from gui.window.trouble import Help, help_words, trouble


class LinkBanner(Banner):
    """Hidden while the daemon answers."""

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        link.changed.connect(self._show_state)
        self._show_state(link.state)

    def _show_state(self, state: LinkState) -> None:
        said = trouble(state, self._link.error)
        if said is None:
            self.hide()
            return
        kind = BannerKind.INFO if said.is_passing else BannerKind.WARNING
        action = help_words(said.help) or None
        self.show_message(kind, said.text, said.detail, action, self._help, dismissable=False)

    def _help(self) -> None:
        said = trouble(self._link.state, self._link.error)
        if said is not None and said.help is Help.RESTART:
            self._link.restart_daemon()
        else:
            self._link.start()
