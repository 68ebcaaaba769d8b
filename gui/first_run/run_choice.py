"""The screen on which a run is chosen: the one that comes with the app, a link or a file; and what it would take."""

from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from client.api.commands import ForgetProspect, LookAtRun, StopMeasuring
from client.api.errors import ClientError
from client.api.prospect import ProspectStage
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.choice_card import ChoiceCard
from gui.first_run.gate_panel import GatePanel
from gui.first_run.location import Source, of_drop, source_of
from gui.first_run.problem_note import ProblemNote, Remedy
from gui.first_run.prospect_panel import ProspectPanel
from gui.first_run.screen import Screen
from gui.first_run.steps import Step, is_joined
from gui.first_run.ways import EmbeddedWay, FileWay, LinkWay, Way
from gui.link.link import Link
from gui.link.state import LinkState
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.labels import body
from gui.widgets.progress import ProgressBar


class RunScreen(Screen):
    """What is looked at is the daemon's prospect; one that it has lost, by a restart, is looked at again."""

    step = Step.RUN

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._location = link.snapshot.prospect.location if link.snapshot and link.snapshot.prospect else ""
        self._is_asking = False
        self._refusal: ClientError | None = None
        self.setAcceptDrops(True)
        self.add_heading(
            self.tr("Choose a run"),
            self.tr("A run is one model that many computers train together, for weeks or months."),
        )
        self._arrange()
        self._gate.altered.connect(self.altered)
        self._gate.settled.connect(self.settled)
        link.changed.connect(self._look_again)

    def title(self) -> str:
        return self.tr("Choose a run")

    @property
    def location(self) -> str:
        """Of the run that was chosen last; empty: none, or it was given up."""
        return self._location

    @property
    def is_entering_gate(self) -> bool:
        return self._gate.is_entering

    def first_focus(self) -> QWidget | None:
        chosen = self._cards.checkedButton()
        return chosen or self._cards.buttons()[0]

    def offer(self, location: str) -> None:
        """Look at that run as if it had been chosen."""
        source = source_of(location)
        self._show_source(source)
        self._ways[source].show_location(location)
        self._look_at(location)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        prospect = snapshot.prospect if snapshot else None
        is_looking = self._is_asking or (prospect is not None and prospect.stage is ProspectStage.LOOKING)
        self._looking.setVisible(is_looking)
        self._prospect.show_snapshot(None if is_looking else snapshot)
        self._gate.show_snapshot(None if is_looking else snapshot)
        self._show_problem(None if is_looking else snapshot)
        self.altered.emit()

    def left(self) -> None:
        """What was measured until now counts; a sign-in is for this screen alone."""
        self._gate.cancel()
        snapshot = self.link.snapshot
        if snapshot and snapshot.prospect and snapshot.prospect.stage is ProspectStage.MEASURING:
            self.link.ask(StopMeasuring(), failed=self._ignore)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if of_drop(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        event.acceptProposedAction()
        self.offer(of_drop(event.mimeData().urls()))

    def _arrange(self) -> None:
        """In the order in which Tab goes through it."""
        self.content.addLayout(self._choices())
        self._ways: dict[Source, Way] = {
            Source.EMBEDDED: EmbeddedWay(self),
            Source.LINK: LinkWay(self),
            Source.FILE: FileWay(self),
        }
        for way in self._ways.values():
            way.hide()
            way.given.connect(self._look_at)
        self._problem = ProblemNote(self)
        self._looking = self._looking_row()
        self._prospect = ProspectPanel(self.link, self)
        self._gate = GatePanel(self.link, self)
        for widget in (*self._ways.values(), self._problem, self._looking, self._prospect, self._gate):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        if self._location:
            self._show_source(source_of(self._location))

    def _choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        self._cards = QButtonGroup(self)
        for source, icon, name, text in (
            (
                Source.EMBEDDED,
                "sparkle",
                self.tr("On this computer"),
                self.tr("A small run, to try it out alone"),
            ),
            (Source.LINK, "link", self.tr("From a link"), self.tr("From a run's website, or from a friend")),
            (Source.FILE, "file", self.tr("From a file"), self.tr("A run's description, such as run.toml")),
        ):
            card = ChoiceCard(icon, name, text, self)
            self._cards.addButton(card, source.value)
            row.addWidget(card, 1)
        self._cards.idClicked.connect(self._choose)
        return row

    def _looking_row(self) -> QWidget:
        row = QWidget(self)
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        bar = ProgressBar(row)
        bar.set_busy(True)
        bar.setAccessibleName(self.tr("Looking at the run"))
        words = QHBoxLayout()
        words.addWidget(body(self.tr("Looking at the run, and at what this computer can give…"), row), 1)
        cancel = QuietButton(self.tr("Cancel"), row)
        cancel.clicked.connect(self._forget)
        words.addWidget(cancel)
        column.addLayout(words)
        column.addWidget(bar)
        row.hide()
        return row

    def _choose(self, index: int) -> None:
        """By a person; the embedded run needs nothing more to be looked at."""
        source = Source(index)
        self._show_source(source)
        if source is Source.EMBEDDED:
            self._look_at("embedded")
        elif self._location and source_of(self._location) is not source:
            self._forget()

    def _show_source(self, source: Source) -> None:
        self._cards.button(source.value).setChecked(True)
        for known, way in self._ways.items():
            way.setVisible(known is source)

    def _look_at(self, location: str) -> None:
        self._location, self._is_asking, self._refusal = location, True, None
        self._ways[source_of(location)].show_location(location)
        self.show_snapshot(self.link.snapshot)
        self.link.ask(LookAtRun(location=location), self._look_begins, self._fail)

    def _look_begins(self, _: object) -> None:
        self._is_asking = False
        self.show_snapshot(self.link.snapshot)

    def _fail(self, error: ClientError) -> None:
        self._is_asking, self._refusal = False, error
        self.show_snapshot(self.link.snapshot)

    def look_again(self) -> None:
        """At what was chosen last, whatever has become of it."""
        prospect = self.link.snapshot.prospect if self.link.snapshot else None
        if location := self._location or (prospect.location if prospect else ""):
            self._look_at(location)

    def _forget(self) -> None:
        self._location, self._refusal = "", None
        self.link.ask(ForgetProspect(), failed=self._ignore)
        self.show_snapshot(self.link.snapshot)

    def _look_again(self, state: LinkState) -> None:
        """A daemon that was started anew knows nothing of what the volunteer was looking at."""
        snapshot = self.link.snapshot
        is_lost = snapshot is not None and snapshot.prospect is None and snapshot.run is None
        if state is LinkState.CONNECTED and self._location and is_lost:
            self.look_again()

    def _show_problem(self, snapshot: Snapshot | None) -> None:
        """The last thing that went wrong, or what there is to know before going on."""
        prospect = snapshot.prospect if snapshot else None
        problem = self._refusal or (
            prospect.problem if prospect and prospect.stage is ProspectStage.FAILED else None
        )
        if problem is not None:
            self._problem.tell(problem, Remedy(self.tr("Try again"), self.look_again))
        elif prospect is not None and prospect.plan is not None and not prospect.plan.fits:
            self._problem.say(self.tr("This run is too large for this computer"), prospect.plan.says)
        elif (
            snapshot is not None
            and prospect is not None
            and prospect.digest
            and is_joined(snapshot, prospect)
        ):
            self._problem.say(self.tr("This computer already trains this run."), "", kind=BannerKind.DONE)
        else:
            self._problem.clear()

    def _ignore(self, _: ClientError) -> None:
        """It was over already."""
