"""A run that is looked at: what it is, what it takes of this computer, and how fast that would train it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.commands import MeasureProspect, StopMeasuring
from client.api.prospect import ProspectStage, ProspectView
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.fact_list import FactList
from gui.first_run.problem_note import ProblemNote
from gui.first_run.prospect_view import facts, speed
from gui.link.link import Link
from gui.widgets.announcement import announce
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.labels import Tone, body, caption, title
from gui.widgets.progress import ProgressBar

_PROMPTS = 6


class ProspectPanel(Card):
    """Hidden while nothing is known of a run."""

    altered = Signal()

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._link = link
        self._title = title("", self)
        self._about = body("", self)
        self._about.set_tone(Tone.SOFT)
        self._prompts = caption("", self)
        self._facts = FactList(self)
        self._problem = ProblemNote(self)
        self._speed = body("", self)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Trying the run out"))
        self._measure = QuietButton(self.tr("Measure for a minute"), self, icon="clock")
        self._measure.clicked.connect(self._start)
        self._stop = QuietButton(self.tr("Stop measuring"), self, icon="stop")
        self._stop.clicked.connect(self._end)
        self._arrange()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        prospect = snapshot.prospect if snapshot else None
        is_known = prospect is not None and bool(prospect.digest)
        self.setVisible(is_known)
        if prospect is None or not is_known:
            return
        if prospect.title != self._title.text():
            self._title.setText(prospect.title)
            announce(self, prospect.title)
        self._about.setText(" ".join(prospect.description.split()))
        self._about.setVisible(bool(prospect.description.strip()))
        #: {prompts} is a list such as "red heart · pizza · rocket".
        prompts = self.tr("Learns to draw: {prompts}").format(
            prompts=" · ".join(prospect.sample_prompts[:_PROMPTS])
        )
        self._prompts.setText(prompts)
        self._prompts.setVisible(bool(prospect.sample_prompts))
        self._facts.show_facts(facts(prospect))
        self._show_speed(prospect)

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(Space.L)
        row.addWidget(self._speed, 1)
        row.addWidget(self._measure)
        row.addWidget(self._stop)
        for widget in (self._title, self._about, self._prompts):
            self.body.addWidget(widget)
        self.body.addSpacing(Space.XS)
        self.body.addWidget(self._facts)
        self.body.addWidget(self._problem)
        self.body.addLayout(row)
        self.body.addWidget(self._bar)

    def _show_speed(self, prospect: ProspectView) -> None:
        had_focus = self._measure.hasFocus() or self._stop.hasFocus()
        is_measuring = prospect.stage is ProspectStage.MEASURING
        fits = prospect.plan is not None and prospect.plan.fits
        may_measure = fits and prospect.stage in (ProspectStage.READY, ProspectStage.MEASURING)
        self._speed.setVisible(may_measure or prospect.samples_per_hour is not None)
        self._speed.setText(speed(prospect))
        self._measure.setVisible(may_measure and not is_measuring)
        has_speed = prospect.samples_per_hour is not None
        self._measure.setText(self.tr("Measure again") if has_speed else self.tr("Measure for a minute"))
        self._stop.setVisible(is_measuring)
        self._bar.setVisible(is_measuring)
        self._bar.set_busy(is_measuring and prospect.progress is None)
        if prospect.progress is not None:
            self._bar.set(prospect.progress)
        self._show_problem(prospect)
        if had_focus and may_measure:
            (self._stop if is_measuring else self._measure).setFocus()

    def _show_problem(self, prospect: ProspectView) -> None:
        """A run that could not be measured can be joined all the same."""
        if prospect.problem is not None and prospect.stage is ProspectStage.READY:
            self._problem.tell(prospect.problem)
        else:
            self._problem.clear()

    def _start(self) -> None:
        self._problem.clear()
        self._link.ask(MeasureProspect(), failed=self._problem.tell)

    def _end(self) -> None:
        self._link.ask(StopMeasuring(), failed=self._problem.tell)
