"""Tells news, each at most once a day, and remembers the volunteer's best rank."""

from collections.abc import Callable
from datetime import datetime, timedelta

from PySide6.QtCore import QObject, Signal

from client.api.snapshot import Snapshot
from gui.link.link import Link
from gui.link.state import LinkState
from gui.settings import Settings
from gui.tray.notifications import News, news

_AGAIN = timedelta(days=1)


class Announcer(QObject):
    """Compares each snapshot with the one before it."""

    announced = Signal(object)
    """A `News` that is to be shown."""

    def __init__(
        self, link: Link, settings: Settings, now: Callable[[], datetime], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings, self._now = settings, now
        self._before: Snapshot | None = None
        link.snapshot_changed.connect(self._compare)
        link.changed.connect(self._mind_link)

    def _compare(self, after: Snapshot) -> None:
        run = after.run.digest if after.run else ""
        for item in news(self._before, after, self._settings.best_rank(run)):
            self._announce(item)
        self._before = after
        if run and after.standing is not None:
            self._keep_rank(run, after.standing.rank)

    def _keep_rank(self, run: str, rank: int) -> None:
        best = self._settings.best_rank(run)
        if best is None or rank < best:
            self._settings.set_best_rank(run, rank)

    def _announce(self, item: News) -> None:
        told, now = self._settings.told_at(item.key), self._now()
        if told is not None and told <= now < told + _AGAIN:
            return
        if self._settings.notifications:
            self._settings.set_told_at(item.key, now)
            self.announced.emit(item)

    def _mind_link(self, state: LinkState) -> None:
        if state is not LinkState.CONNECTED:
            self._before = None
