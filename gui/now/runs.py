"""The card of the joined runs: where there are several, the share of each, its state, and leaving it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from client.api.commands import Leave
from client.api.errors import ClientError
from client.api.runs import LARGEST_SHARE, JoinedRunView, RunHindrance, SetShare
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.fields import NumberField
from gui.widgets.labels import Tone, body, caption, strong
from gui.widgets.question import ask
from gui.wording import amounts

translate = QCoreApplication.translate


def state_of(run: JoinedRunView, now: datetime) -> str:
    """Return what holds for a run now, as a sentence; ``now`` is local time with its zone."""
    if run.hindrance is not None:
        return _skipped(run, run.hindrance, now)
    if run.is_current:
        return translate("JoinedRuns", "It has its turn.")
    if run.share:
        return translate("JoinedRuns", "It waits for its turn.")
    return translate("JoinedRuns", "It trains only while no other run can.")


def _skipped(run: JoinedRunView, hindrance: RunHindrance, now: datetime) -> str:
    why = {
        RunHindrance.FINISHED: translate("JoinedRuns", "It has done all of its epochs."),
        RunHindrance.UPDATE: translate("JoinedRuns", "It needs a newer version of Idlebrush."),
        RunHindrance.LEFT_OUT: translate("JoinedRuns", "It does not admit you, or asks you to sign in."),
        RunHindrance.NO_ROOM: translate("JoinedRuns", "It needs more memory than training may use."),
        RunHindrance.BROKEN: translate("JoinedRuns", "Its trainer fails again and again."),
        RunHindrance.UNREACHABLE: translate("JoinedRuns", "Its other computers do not answer."),
        RunHindrance.MISSING: translate("JoinedRuns", "Its files are missing."),
    }[hindrance]
    if run.retry_at is None:
        return why
    #: {moment} is a time of the day, or a day and a time.
    again = translate("JoinedRuns", "Next attempt: {moment}.")
    return f"{why} {again.format(moment=amounts.moment(run.retry_at, now))}"


def times_of(run: JoinedRunView, shares: int) -> str:
    """Return the part of the time that a run is to have, and what it had; ``shares`` is the sum of all shares."""
    #: {part} and {week} are such as "25%", {time} is such as "3 h 20 min".
    text = translate(
        "JoinedRuns", "{part} of the time by its share · {week} of the last 7 days · {time} in all"
    )
    return text.format(
        part=amounts.percent(run.share / shares if shares else 0.0),
        week=amounts.percent(run.week_part),
        time=amounts.duration(run.trained_seconds),
    )


def ask_to_leave(window: QWidget, title: str, leave: Callable[[], None]) -> None:
    """Ask whether to leave a run, without blocking; Escape and Return mean to stay."""
    ask(
        window,
        translate("JoinedRuns", "Leave {title}?").format(title=title),
        translate(
            "JoinedRuns",
            "This computer no longer trains it. Its files and what you contributed are kept, and you can join again.",
        ),
        (translate("JoinedRuns", "Leave"), translate("JoinedRuns", "Stay")),
        leave,
        is_destructive=True,
    )


class JoinedRunRow(QFrame):
    """One joined run; its share is sent once it was edited."""

    def __init__(
        self,
        set_share: Callable[[str, int], None],
        leave: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._digest, self._name = "", strong()
        self._state, self._times = body(), caption()
        self._state.set_tone(Tone.SOFT)
        self.share = NumberField(self)
        self.share.setRange(0, LARGEST_SHARE)
        self.share.setPrefix(self.tr("Share: "))
        self.share.setKeyboardTracking(False)
        self.share.valueChanged.connect(lambda value: set_share(self._digest, value))
        self.leaving = QuietButton(self.tr("Leave…"), self)
        self.leaving.clicked.connect(
            lambda: ask_to_leave(self.window(), self._name.text(), partial(leave, self._digest))
        )
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.XS)
        for place, label in enumerate((self._name, self._state, self._times)):
            grid.addWidget(label, place, 0)
        grid.addWidget(self.share, 0, 1, 2, 1)
        grid.addWidget(self.leaving, 0, 2, 2, 1)
        grid.setColumnStretch(0, 1)

    def show_run(self, run: JoinedRunView, shares: int, now: datetime) -> None:
        """Show a run; a share that is being edited stays, unless the row showed another run before."""
        is_other, self._digest = run.digest != self._digest, run.digest
        for label, text in (
            (self._name, run.title),
            (self._state, state_of(run, now)),
            (self._times, times_of(run, shares)),
        ):
            if label.text() != text:
                label.setText(text)
        if is_other or not self.share.hasFocus():
            with QSignalBlocker(self.share):
                self.share.setValue(run.share)
        self.share.setAccessibleName(self.tr("Share of {title}").format(title=run.title))
        self.share.setToolTip(self.tr("Its part of the time is its share divided by the sum of all shares."))
        self.leaving.setAccessibleName(self.tr("Leave {title}").format(title=run.title))


class JoinedRunsCard(Card):
    """Shows a row for each joined run; a single one has none, and without any run the card is hidden."""

    run_wanted = Signal()
    """Emitted when the user asks to join another run."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._link = link
        self.set_title(self.tr("Your runs"))
        self.rows: list[JoinedRunRow] = []
        self._single = body(
            self.tr("This computer can train several runs in turns, each for its share of the time.")
        )
        self._fault = body()
        self._single.set_tone(Tone.SOFT)
        self._fault.set_tone(Tone.VERMILION)
        self.another = QuietButton(self.tr("Join another run"), self, icon="link")
        self.another.clicked.connect(self.run_wanted)
        for part in (self._single, self._fault):
            self.body.addWidget(part)
        self.body.addWidget(self.another, 0, Qt.AlignmentFlag.AlignLeft)
        self._report("")
        self.setVisible(False)

    def show_runs(self, runs: Sequence[JoinedRunView], now: datetime) -> None:
        """Show the joined runs; ``now`` is local time with its zone."""
        self.setVisible(bool(runs))
        self._single.setVisible(len(runs) == 1)
        runs = runs if len(runs) > 1 else ()
        while len(self.rows) < len(runs):
            self.rows.append(JoinedRunRow(self._set_share, self._leave, self))
            self.body.insertWidget(len(self.rows) - 1, self.rows[-1])
        shares = sum(run.share for run in runs)
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(runs))
            if place < len(runs):
                row.show_run(runs[place], shares, now)

    @property
    def fault(self) -> str:
        """Error of the last change; empty if there was none."""
        return self._fault.text()

    def _set_share(self, digest: str, share: int) -> None:
        self._report("")
        self._link.ask(SetShare(run=digest, share=share), lambda _: None, self._failed)

    def _leave(self, digest: str) -> None:
        self._report("")
        self._link.ask(Leave(run=digest), lambda _: None, self._failed)

    def _failed(self, error: ClientError) -> None:
        self._report(f"{error.what} {error.remedy}")

    def _report(self, fault: str) -> None:
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))
