"""The card of a candidate run: its facts, its needs, and the training speed of this computer."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import MeasureCandidate, StopMeasuring
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.candidate_view import differences, facts, speed
from gui.link.link import AppLink
from gui.setup.view import needs_setup
from gui.widgets.accessibility import announce
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.facts import FactList
from gui.widgets.labels import Tone, body, caption, title
from gui.widgets.problem_note import ProblemNote
from gui.widgets.progress import ProgressBar

_PROMPTS = 6


class CandidatePanel(Card):
    """Shows the candidate run; hidden while there is none."""

    altered = Signal()

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._link = link
        self._title = title("", self)
        self._about = body("", self)
        self._about.set_tone(Tone.SOFT)
        self._prompts = caption("", self)
        self.differences = Banner(self)
        self._facts = FactList(self)
        self._problem = ProblemNote(self)
        self._speed = body("", self)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Speed test"))
        self._measure = QuietButton(self.tr("Measure the speed"), self, icon="clock")
        self._measure.clicked.connect(self._start)
        self._stop = QuietButton(self.tr("Stop measuring"), self, icon="stop")
        self._stop.clicked.connect(self._end)
        self._arrange()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        candidate = snapshot.candidate if snapshot else None
        is_known = candidate is not None and bool(candidate.digest)
        self.setVisible(is_known)
        if candidate is None or not is_known:
            return
        if candidate.title != self._title.text():
            self._title.setText(candidate.title)
            announce(self, candidate.title)
        self._about.setText(" ".join(candidate.description.split()))
        self._about.setVisible(bool(candidate.description.strip()))
        #: {prompts} is a list such as "red heart · pizza · rocket".
        prompts = self.tr("Learns to draw: {prompts}").format(
            prompts=" · ".join(candidate.sample_prompts[:_PROMPTS])
        )
        self._prompts.setText(prompts)
        self._prompts.setVisible(bool(candidate.sample_prompts))
        self._show_differences(candidate)
        self._facts.show_facts(facts(candidate))
        self._show_speed(candidate, can_train=not needs_setup(snapshot.environment if snapshot else None))

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(Space.L)
        row.addWidget(self._speed, 1)
        row.addWidget(self._measure)
        row.addWidget(self._stop)
        for widget in (self._title, self._about, self._prompts):
            self.body.addWidget(widget)
        self.body.addSpacing(Space.XS)
        self.body.addWidget(self.differences)
        self.body.addWidget(self._facts)
        self.body.addWidget(self._problem)
        self.body.addLayout(row)
        self.body.addWidget(self._bar)

    def _show_differences(self, candidate: CandidateView) -> None:
        """Warn of what the list of runs says in another way than the run."""
        if text := differences(candidate):
            about = self.tr(
                "What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list."
            )
            self.differences.show_message(BannerKind.WARNING, text, about, dismissable=False)
        else:
            self.differences.hide()

    def _show_speed(self, candidate: CandidateView, *, can_train: bool) -> None:
        had_focus = self._measure.hasFocus() or self._stop.hasFocus()
        is_measuring = candidate.stage is CandidateStage.MEASURING
        fits = candidate.plan is not None and candidate.plan.fits
        may_measure = (
            can_train and fits and candidate.stage in (CandidateStage.READY, CandidateStage.MEASURING)
        )
        self._speed.setVisible(may_measure or candidate.samples_per_hour is not None)
        self._speed.setText(speed(candidate))
        self._measure.setVisible(may_measure and not is_measuring)
        has_speed = candidate.samples_per_hour is not None
        self._measure.setText(self.tr("Measure again") if has_speed else self.tr("Measure the speed"))
        self._stop.setVisible(is_measuring)
        self._bar.setVisible(is_measuring)
        self._bar.set_busy(is_measuring and candidate.progress is None)
        if candidate.progress is not None:
            self._bar.set(candidate.progress)
        self._show_problem(candidate)
        if had_focus and may_measure:
            (self._stop if is_measuring else self._measure).setFocus()

    def _show_problem(self, candidate: CandidateView) -> None:
        """Show why a measurement failed; the run can be joined without it."""
        if candidate.problem is not None and candidate.stage is CandidateStage.READY:
            self._problem.show_error(candidate.problem)
        else:
            self._problem.clear()

    def _start(self) -> None:
        self._problem.clear()
        self._link.ask(MeasureCandidate(), failed=self._problem.show_error)

    def _end(self) -> None:
        self._link.ask(StopMeasuring(), failed=self._problem.show_error)
