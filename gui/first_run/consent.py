"""The last screen: what was chosen in plain words, the volunteer's consent, and the run's files on their way here."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.commands import JoinProspect
from client.api.errors import ClientError
from client.api.prospect import ProspectStage, ProspectView
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.agreement import Agreement
from gui.first_run.consent_view import bringing, outcome, summary
from gui.first_run.fact_list import FactList
from gui.first_run.problem_note import ProblemNote, Remedy
from gui.first_run.screen import Screen
from gui.first_run.steps import Step, is_joined
from gui.first_run.times_view import RUN_MODE
from gui.link.link import Link
from gui.widgets.announcement import announce
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.labels import body, heading, lead
from gui.widgets.progress import ProgressBar


class ConsentScreen(Screen):
    """Nothing is joined before its box is checked, by hand, and the button pressed."""

    step = Step.CONSENT
    cancelled = Signal()
    """The run's files are not to be fetched any more; what has come of them is kept."""

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._digest = ""
        self._times: dict[str, str] = {}
        self._is_asking = False
        self._refusal: ClientError | None = None
        self._heading, self._lead = heading("", self), lead("", self)
        top = QVBoxLayout()
        top.setSpacing(Space.S)
        top.addWidget(self._heading)
        top.addWidget(self._lead)
        self.content.addLayout(top)
        self._summary = Card("", self)
        self._facts = FactList(self._summary)
        self._summary.body.addWidget(self._facts)
        self._problem = ProblemNote(self)
        self._key = Agreement("", self)
        self._agreed = Agreement(
            self.tr("I agree that this computer trains this run as described above."), self
        )
        for agreement in (self._key, self._agreed):
            agreement.toggled.connect(self.altered)
        self._bringing = self._progress()
        for widget in (self._summary, self._problem, self._key, self._agreed, self._bringing):
            self.content.addWidget(widget)
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("Agree")

    def primary_text(self) -> str:
        return self.tr("Open Idlebrush") if self._is_done else self.tr("Start training")

    def primary_is_ready(self) -> bool:
        if self._is_done:
            return True
        has_compared = self._key.isHidden() or self._key.box.isChecked()
        return self._agreed.box.isChecked() and has_compared and not self._is_under_way

    def hint(self) -> str:
        if self._is_done or self._is_under_way or self._agreed.box.isChecked():
            return ""
        return self.tr("Check the box if you agree.")

    def press_primary(self) -> None:
        if self._is_done:
            self.passed.emit()
        elif (prospect := self._prospect) is not None and self.primary_is_ready():
            self._refusal = None
            self._is_asking = True
            self._draw()
            self._cancel.setFocus()
            self.link.ask(JoinProspect(digest=prospect.digest), self._begin, self._fail)

    def first_focus(self) -> QWidget | None:
        if self._is_done:
            return None
        return (self._agreed if self._key.isHidden() else self._key).box

    def show_times(self, values: dict[str, str]) -> None:
        """What was chosen on the screen before, by the names of the preferences."""
        self._times = values
        self._draw()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        prospect, was_done = self._prospect, self._agreed.isHidden()
        if prospect is not None and prospect.digest != self._digest:
            self._digest, self._refusal = prospect.digest, None
            for agreement in (self._key, self._agreed):  # they were for another run
                agreement.box.setChecked(False)
        self._draw()
        if self._is_done and not was_done:
            announce(self, self._heading.text())
            self.settled.emit()

    @property
    def _prospect(self) -> ProspectView | None:
        return self.link.snapshot.prospect if self.link.snapshot else None

    @property
    def _is_done(self) -> bool:
        snapshot, prospect = self.link.snapshot, self._prospect
        return snapshot is not None and prospect is not None and is_joined(snapshot, prospect)

    @property
    def _is_under_way(self) -> bool:
        prospect = self._prospect
        return self._is_asking or (prospect is not None and prospect.stage is ProspectStage.BRINGING)

    def _progress(self) -> QWidget:
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        self._bar = ProgressBar(whole)
        self._bar.setAccessibleName(self.tr("Downloading the run's files"))
        self._far = body("", whole)
        self._cancel = QuietButton(self.tr("Cancel"), whole)
        self._cancel.clicked.connect(self._give_up)
        row = QHBoxLayout()
        row.addWidget(self._far, 1)
        row.addWidget(self._cancel)
        column.addLayout(row)
        column.addWidget(self._bar)
        return whole

    def _begin(self, _: object) -> None:
        self._is_asking = False
        self._draw()

    def _fail(self, error: ClientError) -> None:
        self._is_asking, self._refusal = False, error
        self._draw()

    def _give_up(self) -> None:
        self._is_asking = False
        self.cancelled.emit()

    def _draw(self) -> None:
        prospect = self._prospect
        if self._is_done:
            self._draw_done()
        elif prospect is not None and prospect.digest:
            self._draw_question(prospect)
        self._draw_problem()
        self._summary.setVisible(prospect is not None)
        self._agreed.setVisible(not self._is_done)
        self._agreed.setEnabled(not self._is_under_way)
        self._key.setEnabled(not self._is_under_way)
        self._bringing.setVisible(self._is_under_way and not self._is_done)
        self.altered.emit()

    def _draw_question(self, prospect: ProspectView) -> None:
        self._heading.setText(self.tr("Do you agree?"))
        self._lead.setText(self.tr("This is what will happen once you do."))
        snapshot = self.link.snapshot
        self._facts.show_facts(summary(prospect, self._times, snapshot.run if snapshot else None))
        self._key.setVisible(not prospect.is_vouched_for)
        #: {key} is a row of letters and digits.
        text = self.tr("I have compared the key {key} with the one that the organiser published.")
        self._key.set_text(text.format(key=prospect.fingerprint))
        self._far.setText(bringing(prospect))
        self._bar.set_busy(prospect.progress is None)
        if prospect.progress is not None:
            self._bar.set(prospect.progress)

    def _draw_problem(self) -> None:
        """Of fetching this run; a measurement that failed was told where it was asked for."""
        prospect = self._prospect
        has_failed = prospect is not None and prospect.stage is ProspectStage.FAILED
        problem = self._refusal or (prospect.problem if prospect is not None and has_failed else None)
        if problem is None or self._is_done or self._is_under_way:
            self._problem.clear()
        else:
            self._problem.tell(problem, Remedy(self.tr("Try again"), self.press_primary))

    def _draw_done(self) -> None:
        waits = self._times.get(RUN_MODE, "preferences") == "preferences"
        done, begun = self.tr("It trains when you are away"), self.tr("You are part of the run now")
        self._heading.setText(done if waits else begun)
        self._lead.setText(
            self.tr("That is all. Idlebrush stays near the clock; open it to see the pictures get better.")
        )
        if (prospect := self._prospect) is not None:
            self._facts.show_facts(outcome(prospect, self._times))
        self._key.hide()
