"""The screen for choosing a run: the embedded run, a link or a file, and the facts about it."""

from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from client.api.candidate import CandidateStage
from client.api.commands import ForgetCandidate, LookAtRun, StopMeasuring
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.candidate_panel import CandidatePanel
from gui.first_run.found_runs import ListPanel
from gui.first_run.gate_panel import GatePanel
from gui.first_run.run_sources import (
    ChoiceCard,
    EmbeddedPanel,
    FilePanel,
    LinkPanel,
    RunSource,
    SourcePanel,
    of_drop,
    source_of,
)
from gui.first_run.screen import Screen
from gui.first_run.steps import FirstRunStep, is_joined
from gui.link.link import AppLink, LinkState
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.labels import body
from gui.widgets.problem_note import ProblemButton, ProblemNote
from gui.widgets.progress import ProgressBar

_COLUMNS = 2


class RunScreen(Screen):
    """Shows the daemon's candidate run; inspects it again when a restart has lost it."""

    step = FirstRunStep.RUN

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._location = link.snapshot.candidate.location if link.snapshot and link.snapshot.candidate else ""
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
        link.changed.connect(self._inspect_lost)

    def title(self) -> str:
        return self.tr("Choose a run")

    @property
    def location(self) -> str:
        """Location of the run that was chosen last; empty if none was chosen or the choice was withdrawn."""
        return self._location

    @property
    def is_entering_gate(self) -> bool:
        return self._gate.is_entering

    def first_focus(self) -> QWidget | None:
        chosen = self._cards.checkedButton()
        return chosen or self._cards.buttons()[0]

    def offer(self, location: str) -> None:
        """Inspect that run as if the volunteer had chosen it."""
        source = source_of(location)
        self._show_source(source)
        self._inspect(self._embedded.location if location == "embedded" else location)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        candidate = snapshot.candidate if snapshot else None
        self._embedded.show_swarm(snapshot.local_swarm if snapshot else None)
        is_looking = self._is_asking or (candidate is not None and candidate.stage is CandidateStage.LOOKING)
        self._inspection.setVisible(is_looking)
        self._candidate.show_snapshot(None if is_looking else snapshot)
        self._gate.show_snapshot(None if is_looking else snapshot)
        self._show_problem(None if is_looking else snapshot)
        self.altered.emit()

    def left(self) -> None:
        """Stop a measurement, whose result so far counts, and cancel a sign-in."""
        self._gate.cancel()
        snapshot = self.link.snapshot
        if snapshot and snapshot.candidate and snapshot.candidate.stage is CandidateStage.MEASURING:
            self.link.ask(StopMeasuring(), failed=self._ignore)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if of_drop(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        event.acceptProposedAction()
        self.offer(of_drop(event.mimeData().urls()))

    def _arrange(self) -> None:
        """Create the widgets in the order of Tab."""
        self.content.addLayout(self._choices())
        self._embedded, self._found = EmbeddedPanel(self), ListPanel(self.link, self)
        self._ways: dict[RunSource, SourcePanel] = {
            RunSource.EMBEDDED: self._embedded,
            RunSource.LIST: self._found,
            RunSource.LINK: LinkPanel(self),
            RunSource.FILE: FilePanel(self),
        }
        for way in self._ways.values():
            way.hide()
            way.given.connect(self._inspect)
        self._found.withdrawn.connect(self._forget)
        self._problem = ProblemNote(self)
        self._inspection = self._inspection_row()
        self._candidate = CandidatePanel(self.link, self)
        self._gate = GatePanel(self.link, self)
        for widget in (*self._ways.values(), self._problem, self._inspection, self._candidate, self._gate):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        if self._location:
            self._show_source(source_of(self._location))

    def _choices(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(Space.M)
        self._cards = QButtonGroup(self)
        for source, icon, name, text in (
            (
                RunSource.EMBEDDED,
                "sparkle",
                self.tr("On this computer"),
                self.tr("A small run for this computer only"),
            ),
            (
                RunSource.LIST,
                "search",
                self.tr("From a list"),
                self.tr("Runs that others recommend"),
            ),
            (RunSource.LINK, "link", self.tr("From a link"), self.tr("From a run's website or a friend")),
            (
                RunSource.FILE,
                "file",
                self.tr("From a file"),
                self.tr("A run's description, such as run.toml"),
            ),
        ):
            card = ChoiceCard(icon, name, text, self)
            self._cards.addButton(card, source.value)
            grid.addWidget(card, *divmod(source.value, _COLUMNS))
        self._cards.idClicked.connect(self._choose)
        return grid

    def _inspection_row(self) -> QWidget:
        row = QWidget(self)
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        bar = ProgressBar(row)
        bar.set_busy(True)
        bar.setAccessibleName(self.tr("Inspecting the run"))
        words = QHBoxLayout()
        words.addWidget(body(self.tr("Inspecting the run and this computer…"), row), 1)
        cancel = QuietButton(self.tr("Cancel"), row)
        cancel.clicked.connect(self._forget)
        words.addWidget(cancel)
        column.addLayout(words)
        column.addWidget(bar)
        row.hide()
        return row

    def _choose(self, index: int) -> None:
        """Handle the volunteer's choice of a source; the embedded run needs no further input."""
        source = RunSource(index)
        self._show_source(source)
        if source is RunSource.LIST:
            self._found.read()
        if source is RunSource.EMBEDDED:
            self._inspect(self._embedded.location)
        elif self._location and source_of(self._location) is not source:
            self._forget()

    def _show_source(self, source: RunSource) -> None:
        self._cards.button(source.value).setChecked(True)
        for known, way in self._ways.items():
            way.setVisible(known is source)

    def _inspect(self, location: str) -> None:
        self._location, self._is_asking, self._refusal = location, True, None
        self._ways[source_of(location)].show_location(location)
        self.show_snapshot(self.link.snapshot)
        self.link.ask(LookAtRun(location=location), self._inspection_began, self._fail)

    def _inspection_began(self, _: object) -> None:
        self._is_asking = False
        self.show_snapshot(self.link.snapshot)

    def _fail(self, error: ClientError) -> None:
        self._is_asking, self._refusal = False, error
        self.show_snapshot(self.link.snapshot)

    def inspect_again(self) -> None:
        """Inspect the last chosen run again."""
        candidate = self.link.snapshot.candidate if self.link.snapshot else None
        if location := self._location or (candidate.location if candidate else ""):
            self._inspect(location)

    def _forget(self) -> None:
        self._location, self._refusal = "", None
        self.link.ask(ForgetCandidate(), failed=self._ignore)
        self.show_snapshot(self.link.snapshot)

    def _inspect_lost(self, state: LinkState) -> None:
        """Inspect the run again after the daemon has restarted and lost it."""
        snapshot = self.link.snapshot
        is_lost = snapshot is not None and snapshot.candidate is None and snapshot.run is None
        if state is LinkState.CONNECTED and self._location and is_lost:
            self.inspect_again()

    def _show_problem(self, snapshot: Snapshot | None) -> None:
        """Show the latest error, or a fact that matters before the next screen."""
        candidate = snapshot.candidate if snapshot else None
        problem = self._refusal or (
            candidate.problem if candidate and candidate.stage is CandidateStage.FAILED else None
        )
        if problem is not None:
            self._problem.show_error(problem, ProblemButton(self.tr("Try again"), self.inspect_again))
        elif candidate is not None and candidate.plan is not None and not candidate.plan.fits:
            self._problem.show_message(
                self.tr("This run is too large for this computer"), candidate.plan.text
            )
        elif (
            snapshot is not None
            and candidate is not None
            and candidate.digest
            and is_joined(snapshot, candidate)
        ):
            self._problem.show_message(
                self.tr("This computer already trains this run."), "", kind=BannerKind.DONE
            )
        else:
            self._problem.clear()

    def _ignore(self, _: ClientError) -> None:
        """Ignore that it had already ended."""
