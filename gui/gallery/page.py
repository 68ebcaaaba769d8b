"""The page Gallery: the run's pictures by epoch, and pictures of the volunteer's own prompts."""

import secrets
from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.gallery.decoding import PictureCache
from gui.gallery.own_pictures import OwnPictures
from gui.gallery.prompt_form import SEEDS
from gui.gallery.run_pictures import RunPictures
from gui.link.link import AppLink
from gui.widgets.accessibility import follow_layout
from gui.widgets.labels import heading
from gui.widgets.switches import SegmentedControl
from gui.window.pages import AppPage, page_title

_OWN = 1
"""Index of the volunteer's own pictures in the choice."""


def _now() -> datetime:
    return datetime.now().astimezone()


class GalleryPage(AppPage):
    """Shows one of two parts: the run's pictures or the volunteer's own."""

    name = "gallery"

    def __init__(
        self,
        link: AppLink,
        parent: QWidget | None = None,
        *,
        new_seed: Callable[[], int] = lambda: secrets.randbelow(SEEDS),
    ) -> None:
        super().__init__(link, parent)
        self._pictures, self._new_seed = PictureCache(), new_seed
        self._snapshot: Snapshot | None = None
        self.run = RunPictures(link, self._pictures, self)
        self.choice = SegmentedControl(
            (self.tr("The run"), self.tr("My pictures")), self, name=self.tr("Pictures shown")
        )
        self._stack = QStackedWidget(self)
        self._lay_out()
        self.choice.chosen.connect(self._show_part)
        self.run.run_wanted.connect(self.run_wanted)

    @cached_property
    def own(self) -> OwnPictures:
        """The volunteer's own pictures, created when they are first shown."""
        own = OwnPictures(self.link, self._pictures, self._new_seed, _now, self)
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
