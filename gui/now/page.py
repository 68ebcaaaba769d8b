"""The page Now: the current activity of this computer, and the reasons if it does not train."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from gui.link.link import AppLink
from gui.now.cards import EpochCard, FactsCard
from gui.now.head import Hero, LinesCard
from gui.now.local_swarm import LocalSwarmCard
from gui.now.news import NewsCard
from gui.now.reasons import ReasonRemedy, RemedyKind
from gui.now.results import LossCurve, OutcomeCard
from gui.now.runs import JoinedRunsCard
from gui.now.view import NowCommand, NowStage, NowView, now_view
from gui.setup.panel import SetupPanel
from gui.setup.view import is_settled
from gui.tray.view import SnoozeChoice, face_of, snooze_length
from gui.widgets.accessibility import follow_layout
from gui.widgets.cards import EmptyState
from gui.widgets.labels import Tone
from gui.widgets.layouts import PageColumn, Pair
from gui.window.pages import AppPage

_REQUESTS: dict[NowCommand, Callable[[], AnyRequest]] = {
    NowCommand.PAUSE: Pause,
    NowCommand.RESUME: Resume,
    NowCommand.RETRY: Resume,
    NowCommand.FINISH: Finish,
    NowCommand.TRAIN_ANYWAY: partial(SetPreference, name="run-mode", value="always"),
    NowCommand.HEED_PREFERENCES: partial(SetPreference, name="run-mode", value="preferences"),
}
_PAIRED_FROM = 720
"""Smallest width in logical pixels at which ring and figures fit side by side."""


def _local_now() -> datetime:
    return datetime.now().astimezone()


class NowPage(AppPage):
    """Draws `gui.now.view`; without a daemon, the last view stays, disabled."""

    name = "now"

    def __init__(
        self, link: AppLink, parent: QWidget | None = None, *, now: Callable[[], datetime] = _local_now
    ) -> None:
        super().__init__(link, parent)
        self._now = now
        self._view: NowView | None = None
        self.hero = Hero(self)
        self.setup = SetupPanel(link, self, now=now)
        self.problem = LinesCard("warning", Tone.VERMILION, self)
        self.reasons = LinesCard("info", Tone.OCHRE, self)
        self.notes = LinesCard("info", Tone.FAINT, self)
        self.epoch, self.facts, self.curve = EpochCard(self), FactsCard(self), LossCurve(link, self)
        self.outcome = OutcomeCard(self)
        self.news, self.local_swarm = NewsCard(self), LocalSwarmCard(link, self)
        self.runs = JoinedRunsCard(link, self)
        self.empty = EmptyState("picture", "", "")
        for asking in (self.empty.acted, self.runs.run_wanted):
            asking.connect(self.run_wanted)
        self.outcome.gallery_wanted.connect(self._show_gallery)
        self.hero.commanded.connect(self._carry_out)
        self.hero.snoozed.connect(self._snooze)
        for lines in (self.problem, self.reasons, self.notes):
            lines.helped.connect(self._help)
        self._lay_out()
        self.show_snapshot(link.snapshot)

    def shown(self) -> None:
        self.curve.refresh()

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
            self.news.show_news(snapshot.run.news if snapshot.run else (), self._now())
            self.runs.show_runs(snapshot.runs, self._now())
            self.local_swarm.show_view(snapshot.local_swarm)
            self._draw_live(view, snapshot)
            self._draw_setup(snapshot)

    def _lay_out(self) -> None:
        self._running = Pair(self.epoch, self.facts, fits_from=_PAIRED_FROM)
        self._column = PageColumn(self)
        for part in (
            self.hero, self.setup, self.problem, self.reasons, self._running, self.outcome, self.news,
            self.runs, self.local_swarm, self.curve, self.notes,
        ):  # fmt: skip
            self._column.body.addWidget(part)
        self._column.body.addWidget(self.empty, 1)
        self._column.body.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._column)

    def _draw(self, view: NowView) -> None:
        has_run = view.stage in (NowStage.TRAINING, NowStage.COMPLETE)
        for part in (self.hero, self.curve):
            part.setVisible(has_run)
        self._running.setVisible(view.stage is NowStage.TRAINING)
        self.outcome.setVisible(view.stage is NowStage.COMPLETE)
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

    def _draw_empty(self, stage: NowStage) -> None:
        if stage is NowStage.NO_RUN:
            self.empty.show_state(
                "picture",
                self.tr("Nothing to train yet"),
                self.tr("Join a run. This computer then helps to train a model whenever you do not need it."),
                self.tr("Choose a run"),
            )
        else:
            waits = self.tr("This page shows what Idlebrush does once it runs in the background.")
            self.empty.show_state("clock", self.tr("One moment"), waits)

    def _draw_without_daemon(self, view: NowView) -> None:
        """Keep the last view, except for the activity, which is unknown."""
        unknown = replace(view.hero, headline=self.tr("Not connected"), commands=())
        self.hero.show_view(unknown, face_of(None, self.link.state))

    def _draw_live(self, view: NowView, snapshot: Snapshot) -> None:
        self.hero.show_view(view.hero, face_of(snapshot, self.link.state))
        if snapshot.run is None:
            return
        self.curve.follow(snapshot.run.digest, snapshot.progress.epoch if snapshot.progress else -1)
        if view.stage is NowStage.COMPLETE:
            self.outcome.show_outcome(snapshot.run, snapshot.timelapse)

    def _draw_setup(self, snapshot: Snapshot) -> None:
        """Show the installation of packages until all is told; a volunteer without a run needs none yet."""
        environment = snapshot.environment
        is_shown = environment is not None and (snapshot.run is not None or environment.is_wanted)
        is_over = environment is not None and is_settled(environment)
        self.setup.show_environment(environment if is_shown and not is_over else None)

    @Slot(object)
    def _carry_out(self, command: NowCommand) -> None:
        self.link.ask(_REQUESTS[command]())

    @Slot(object)
    def _snooze(self, snooze: SnoozeChoice) -> None:
        self.link.ask(Pause(seconds=snooze_length(snooze, self._now())))

    def _show_gallery(self) -> None:
        self.page_wanted.emit("gallery")

    @Slot(object)
    def _help(self, remedy: ReasonRemedy) -> None:
        match remedy.help:
            case RemedyKind.RESUME | RemedyKind.RETRY:
                self.link.ask(Resume())
            case RemedyKind.CHOOSE_RUN:
                self.run_wanted.emit()
            case RemedyKind.SIGN_IN:
                self.sign_in_wanted.emit()
            case RemedyKind.ENTER_GATE:
                self.admission_wanted.emit()
            case RemedyKind.SHOW_PREFERENCE if remedy.preference:
                self.preference_wanted.emit(remedy.preference)
            case RemedyKind.SHOW_PREFERENCE:
                self.page_wanted.emit("preferences")
            case RemedyKind.SHOW_GALLERY:
                self.page_wanted.emit("gallery")
            case RemedyKind.UPDATE:
                self.page_wanted.emit("about")
            case RemedyKind.SHOW_LOG:
                self.page_wanted.emit("log")
