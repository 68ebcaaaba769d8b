"""The page Now: what this computer does for its run at this moment, and why it does not if it does not."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from gui.link.link import Link
from gui.now.epoch_card import EpochCard
from gui.now.facts_card import FactsCard
from gui.now.hero import Hero
from gui.now.lines import Lines
from gui.now.loss_curve import LossCurve
from gui.now.outcome import Outcome
from gui.now.reasons import Help, Remedy
from gui.now.view import Command, NowView, Stage, now_view
from gui.tray.face import face_of
from gui.tray.snoozes import Snooze, seconds
from gui.widgets.column import Column, Pair
from gui.widgets.empty import EmptyState
from gui.widgets.labels import Tone
from gui.widgets.tab_order import follow_layout
from gui.window.page import Page

_REQUESTS: dict[Command, Callable[[], AnyRequest]] = {
    Command.PAUSE: Pause,
    Command.RESUME: Resume,
    Command.RETRY: Resume,
    Command.FINISH: Finish,
    Command.TRAIN_ANYWAY: partial(SetPreference, name="run-mode", value="always"),
    Command.HEED_PREFERENCES: partial(SetPreference, name="run-mode", value="preferences"),
}
_PAIRED_FROM = 720
"""Logical pixels; below, ring and words have no room beside the figures."""


def _local_now() -> datetime:
    return datetime.now().astimezone()


class NowPage(Page):
    """Draws `gui.now.view`; without a daemon what was last seen stays, greyed out."""

    name = "now"

    def __init__(
        self, link: Link, parent: QWidget | None = None, *, now: Callable[[], datetime] = _local_now
    ) -> None:
        super().__init__(link, parent)
        self._now = now
        self._view: NowView | None = None
        self.hero = Hero(self)
        self.problem = Lines("warning", Tone.VERMILION, self)
        self.reasons = Lines("info", Tone.OCHRE, self)
        self.notes = Lines("info", Tone.FAINT, self)
        self.epoch, self.facts, self.curve = EpochCard(self), FactsCard(self), LossCurve(link, self)
        self.outcome = Outcome(self)
        self.empty = EmptyState("picture", "", "")
        self.empty.acted.connect(self.run_wanted)
        self.outcome.gallery_wanted.connect(self._show_gallery)
        self.hero.commanded.connect(self._carry_out)
        self.hero.snoozed.connect(self._snooze)
        for lines in (self.problem, self.reasons, self.notes):
            lines.helped.connect(self._help)
        self._lay_out()
        self.show_snapshot(link.snapshot)

    def shown(self) -> None:
        self.curve.look_again()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._column.setEnabled(snapshot is not None)
        if snapshot is None and self._view is not None:
            self._draw_without_daemon(self._view)
            return
        view = now_view(snapshot, self._now())
        if view != self._view:
            self._view = view
            self._draw(view)
        if snapshot is not None:
            self._draw_live(view, snapshot)

    def _lay_out(self) -> None:
        self._running = Pair(self.epoch, self.facts, fits_from=_PAIRED_FROM)
        self._column = Column(self)
        for part in (
            self.hero, self.problem, self.reasons, self._running, self.outcome, self.curve, self.notes
        ):  # fmt: skip
            self._column.body.addWidget(part)
        self._column.body.addWidget(self.empty, 1)
        self._column.body.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._column)

    def _draw(self, view: NowView) -> None:
        has_run = view.stage in (Stage.TRAINING, Stage.COMPLETE)
        for part in (self.hero, self.curve):
            part.setVisible(has_run)
        self._running.setVisible(view.stage is Stage.TRAINING)
        self.outcome.setVisible(view.stage is Stage.COMPLETE)
        self.empty.setVisible(not has_run)
        self._draw_empty(view.stage)
        self.epoch.show_view(view.epoch)
        self.facts.show_facts(view.facts)
        lines = (
            (self.problem, (view.problem,) if view.problem else ()),
            (self.reasons, view.reasons if has_run else ()),
            (self.notes, view.notes if has_run else ()),
        )
        if True in [part.show_lines(shown) for part, shown in lines]:
            follow_layout(self)

    def _draw_empty(self, stage: Stage) -> None:
        if stage is Stage.NO_RUN:
            self.empty.show_state(
                "picture",
                self.tr("Nothing to train yet"),
                self.tr(
                    "Join a run, and this computer helps to teach a model to paint whenever you do not need "
                    "it."
                ),
                self.tr("Choose a run"),
            )
        else:
            waits = self.tr("Once Idlebrush runs in the background, you see here what it does.")
            self.empty.show_state("clock", self.tr("One moment"), waits)

    def _draw_without_daemon(self, view: NowView) -> None:
        """What was last seen stays, but for what is done now: that is not known."""
        unknown = replace(view.hero, headline=self.tr("Not connected"), commands=())
        self.hero.show_view(unknown, face_of(None, self.link.state))

    def _draw_live(self, view: NowView, snapshot: Snapshot) -> None:
        self.hero.show_view(view.hero, face_of(snapshot, self.link.state))
        if snapshot.run is None:
            return
        self.curve.follow(snapshot.run.digest, snapshot.progress.epoch if snapshot.progress else -1)
        if view.stage is Stage.COMPLETE:
            self.outcome.show_outcome(snapshot.run, snapshot.timelapse)

    @Slot(object)
    def _carry_out(self, command: Command) -> None:
        self.link.ask(_REQUESTS[command]())

    @Slot(object)
    def _snooze(self, snooze: Snooze) -> None:
        self.link.ask(Pause(seconds=seconds(snooze, self._now())))

    def _show_gallery(self) -> None:
        self.page_wanted.emit("gallery")

    @Slot(object)
    def _help(self, remedy: Remedy) -> None:
        match remedy.help:
            case Help.RESUME | Help.RETRY:
                self.link.ask(Resume())
            case Help.CHOOSE_RUN:
                self.run_wanted.emit()
            case Help.SIGN_IN:
                self.sign_in_wanted.emit()
            case Help.ENTER_GATE:
                self.admission_wanted.emit()
            case Help.SHOW_PREFERENCE if remedy.preference:
                self.preference_wanted.emit(remedy.preference)
            case Help.SHOW_PREFERENCE:
                self.page_wanted.emit("preferences")
            case Help.SHOW_GALLERY:
                self.page_wanted.emit("gallery")
            case Help.SHOW_LOG:
                self.page_wanted.emit("log")
