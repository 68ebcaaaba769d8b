"""The page Gallery: the run's pictures through the epochs, and those of the volunteer's own prompts."""

import secrets
from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.gallery.decoding import Pictures
from gui.gallery.order import SEEDS
from gui.gallery.own_pictures import OwnPictures
from gui.gallery.run_pictures import RunPictures
from gui.link.link import Link
from gui.widgets.labels import heading
from gui.widgets.segmented import SegmentedControl
from gui.widgets.tab_order import follow_layout
from gui.window.page import Page
from gui.window.titles import page_title

_OWN = 1
"""The place of the volunteer's own pictures in the choice."""


def _now() -> datetime:
    return datetime.now().astimezone()


class GalleryPage(Page):
    """Two parts, of which one is shown."""

    name = "gallery"

    def __init__(
        self,
        link: Link,
        parent: QWidget | None = None,
        *,
        new_seed: Callable[[], int] = lambda: secrets.randbelow(SEEDS),
        now: Callable[[], datetime] = _now,
    ) -> None:
        super().__init__(link, parent)
        self._pictures, self._new_seed, self._now = Pictures(), new_seed, now
        self._snapshot: Snapshot | None = None
        self.run = RunPictures(link, self._pictures, self)
        self.choice = SegmentedControl(
            (self.tr("The run"), self.tr("My pictures")), self, name=self.tr("Which pictures")
        )
        self._stack = QStackedWidget(self)
        self._lay_out()
        self.choice.chosen.connect(self._show_part)
        self.run.run_wanted.connect(self.run_wanted)

    @cached_property
    def own(self) -> OwnPictures:
        """Made when it is first looked at."""
        own = OwnPictures(self.link, self._pictures, self._new_seed, self._now, self)
        own.run_wanted.connect(self.run_wanted)
        own.show_snapshot(self._snapshot)
        self._stack.addWidget(own)
        follow_layout(self)
        return own

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._snapshot = snapshot
        self.run.show_snapshot(snapshot)
        if self._has_own:
            self.own.show_snapshot(snapshot)

    def shown(self) -> None:
        self.run.shown()
        if self._has_own:
            self.own.shown()

    @property
    def _has_own(self) -> bool:
        return "own" in vars(self)

    def _show_part(self, place: int) -> None:
        self._stack.setCurrentWidget(self.own if place == _OWN else self.run)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(Space.L)
        head.addWidget(heading(page_title(self.name)), 1)
        head.addWidget(self.choice)
        self._stack.addWidget(self.run)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, 0)
        column.setSpacing(Space.L)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        follow_layout(self)
