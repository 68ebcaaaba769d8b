"""The last screen: a summary of the choices, the volunteer's consent, and the download of the run's files."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import JoinCandidate
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.candidate_view import download_progress, outcome, summary
from gui.first_run.screen import Screen
from gui.first_run.steps import FirstRunStep, is_joined
from gui.first_run.times_view import RUN_MODE
from gui.link.link import AppLink
from gui.setup.view import needs_setup
from gui.widgets.accessibility import announce
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.facts import Agreement, FactList
from gui.widgets.labels import body, heading, lead
from gui.widgets.problem_note import ProblemButton, ProblemNote
from gui.widgets.progress import ProgressBar


class ConsentScreen(Screen):
    """Joins the run only after the volunteer has checked the box and pressed the button."""

    step = FirstRunStep.CONSENT
    cancelled = Signal()
    """Emitted when the download is cancelled; files that have arrived are kept."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
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
        self._download = self._progress()
        for widget in (self._summary, self._problem, self._key, self._agreed, self._download):
            self.content.addWidget(widget)
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("Agree")

    def primary_text(self) -> str:
        if not self._is_done:
            return self.tr("Start training")
        return self.tr("Next") if self._needs_setup else self.tr("Open Idlebrush")

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
        elif (candidate := self._candidate) is not None and self.primary_is_ready():
            self._refusal = None
            self._is_asking = True
            self._draw()
            self._cancel.setFocus()
            self.link.ask(JoinCandidate(digest=candidate.digest), self._begin, self._fail)

    def first_focus(self) -> QWidget | None:
        if self._is_done:
            return None
        return (self._agreed if self._key.isHidden() else self._key).box

    def show_times(self, values: dict[str, str]) -> None:
        """Show the preferences chosen on the previous screen, by name."""
        self._times = values
        self._draw()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        candidate, was_done = self._candidate, self._agreed.isHidden()
        if candidate is not None and candidate.digest != self._digest:
            self._digest, self._refusal = candidate.digest, None
            for agreement in (self._key, self._agreed):  # consent does not carry over to another run
                agreement.box.setChecked(False)
        self._draw()
        if self._is_done and not was_done:
            announce(self, self._heading.text())
            self.settled.emit()

    @property
    def _candidate(self) -> CandidateView | None:
        return self.link.snapshot.candidate if self.link.snapshot else None

    @property
    def _is_done(self) -> bool:
        snapshot, candidate = self.link.snapshot, self._candidate
        return snapshot is not None and candidate is not None and is_joined(snapshot, candidate)

    @property
    def _needs_setup(self) -> bool:
        return self.link.snapshot is not None and needs_setup(self.link.snapshot.environment)

    @property
    def _is_under_way(self) -> bool:
        candidate = self._candidate
        return self._is_asking or (candidate is not None and candidate.stage is CandidateStage.FETCHING)

    def _progress(self) -> QWidget:
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        self._bar = ProgressBar(whole)
        self._bar.setAccessibleName(self.tr("Downloading the run's files"))
        self._download_text = body("", whole)
        self._cancel = QuietButton(self.tr("Cancel"), whole)
        self._cancel.clicked.connect(self._cancel_download)
        row = QHBoxLayout()
        row.addWidget(self._download_text, 1)
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

    def _cancel_download(self) -> None:
        self._is_asking = False
        self.cancelled.emit()

    def _draw(self) -> None:
        candidate = self._candidate
        if self._is_done:
            self._draw_done()
        elif candidate is not None and candidate.digest:
            self._draw_question(candidate)
        self._draw_problem()
        self._summary.setVisible(candidate is not None)
        self._agreed.setVisible(not self._is_done)
        self._agreed.setEnabled(not self._is_under_way)
        self._key.setEnabled(not self._is_under_way)
        self._download.setVisible(self._is_under_way and not self._is_done)
        self.altered.emit()

    def _draw_question(self, candidate: CandidateView) -> None:
        self._heading.setText(self.tr("Do you agree?"))
        self._lead.setText(self.tr("This is what Idlebrush does if you agree."))
        snapshot = self.link.snapshot
        self._facts.show_facts(summary(candidate, self._times, snapshot.runs if snapshot else ()))
        self._key.setVisible(not candidate.is_vouched_for)
        #: {key} is a row of letters and digits.
        text = self.tr("I have compared the key {key} with the one that the organiser published.")
        self._key.set_text(text.format(key=candidate.fingerprint))
        self._download_text.setText(download_progress(candidate))
        self._bar.set_busy(candidate.progress is None)
        if candidate.progress is not None:
            self._bar.set(candidate.progress)

    def _draw_problem(self) -> None:
        """Show why joining failed; a failed measurement is reported on the screen that started it."""
        candidate = self._candidate
        has_failed = candidate is not None and candidate.stage is CandidateStage.FAILED
        problem = self._refusal or (candidate.problem if candidate is not None and has_failed else None)
        if problem is None or self._is_done or self._is_under_way:
            self._problem.clear()
        else:
            self._problem.show_error(problem, ProblemButton(self.tr("Try again"), self.press_primary))

    def _draw_done(self) -> None:
        waits = self._times.get(RUN_MODE, "preferences") == "preferences"
        done, begun = self.tr("This computer trains when you are away"), self.tr("You have joined the run")
        self._heading.setText(done if waits and not self._needs_setup else begun)
        left = self.tr("Before this computer can train, one more download is needed.")
        complete = self.tr(
            "Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve."
        )
        self._lead.setText(left if self._needs_setup else complete)
        if (candidate := self._candidate) is not None:
            self._facts.show_facts(outcome(candidate, self._times))
        self._key.hide()
