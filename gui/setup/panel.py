"""The card of the trainer's environment: its plan, its progress, and buttons that begin, pause and cancel it."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.environment import (
    BeginSetup,
    CancelSetup,
    EnvironmentView,
    PauseSetup,
    PlanSetup,
    RestartIntoFirmware,
    RestartWindows,
    ResumeSetup,
    SetupRequest,
    TurnOnWsl,
    UpdateWsl,
)
from client.api.errors import ClientError
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.setup.commands import PAGES, SETTINGS, SetupCommand, action_words, refusal_title
from gui.setup.questions import QUESTIONS
from gui.setup.view import ProgressPace, SetupStatus, SetupView, setup_view
from gui.setup.windows import SetupAdvice
from gui.web_address import open_page, open_settings
from gui.widgets.accessibility import announce
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.facts import FactList
from gui.widgets.labels import Tone, body, caption, strong
from gui.widgets.layouts import FlowLayout
from gui.widgets.problem_note import ProblemButton, ProblemNote
from gui.widgets.progress import ProgressBar
from gui.wording.codes import problem_words

_REQUESTS: Mapping[SetupCommand, Callable[[], SetupRequest]] = {
    SetupCommand.PLAN: PlanSetup,
    SetupCommand.BEGIN: BeginSetup,
    SetupCommand.RETRY: BeginSetup,
    SetupCommand.PAUSE: PauseSetup,
    SetupCommand.RESUME: ResumeSetup,
    SetupCommand.CANCEL: CancelSetup,
    SetupCommand.CHECK: BeginSetup,
    SetupCommand.TURN_ON_WSL: TurnOnWsl,
    SetupCommand.UPDATE_WSL: UpdateWsl,
    SetupCommand.RESTART_WINDOWS: RestartWindows,
    SetupCommand.RESTART_INTO_FIRMWARE: RestartIntoFirmware,
}


def _local_now() -> datetime:
    return datetime.now().astimezone()


class SetupPanel(Card):
    """Draws the environment; hidden while there is none to show."""

    altered = Signal()
    """Emitted when the state of the set-up has changed, and so the available actions."""

    def __init__(
        self,
        link: AppLink,
        parent: QWidget | None = None,
        *,
        left_out: tuple[SetupCommand, ...] = (),
        now: Callable[[], datetime] = _local_now,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create an empty card.

        Args:
            link: Connection to the daemon.
            parent: Parent widget.
            left_out: Actions that have a button elsewhere.
            now: Local time with its zone.
            seconds: Monotonic time.
        """
        super().__init__("", parent)
        self._link, self._left_out, self._now, self._seconds = link, left_out, now, seconds
        self._pace = ProgressPace()
        self._view: SetupView | None = None
        self._refused: SetupCommand | None = None
        """The volunteer's newest action if it was refused; None once the set-up is in another state."""
        self._refusal = ("", "")
        """Title and text of that refusal."""
        self._title = strong("", self)
        self._text = body("", self)
        self._text.set_tone(Tone.SOFT)
        self._facts = FactList(self)
        self._fallback, self._problem = ProblemNote(self), ProblemNote(self)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Progress of the installation"))
        self._progress, self._package = body("", self), caption("", self)
        self._advice: list[ProblemNote] = []
        self._advice_column = QVBoxLayout()
        self.buttons = {action: self._button(action) for action in SetupCommand}
        self._remedies = {action: self._remedy(action) for action in SetupCommand}
        self._lay_out()
        self.hide()

    def show_environment(self, environment: EnvironmentView | None) -> None:
        """Draw the daemon's view; None hides the card."""
        self.setVisible(environment is not None)
        if environment is None:
            return
        left = self._pace.seconds_left(
            environment.stage, environment.done, environment.total, self._seconds()
        )
        view, last = setup_view(environment, self._now(), left), self._view
        if view == last:
            return
        self._view = view
        is_news = last is None or (view.status, view.title) != (last.status, last.title)
        # An update of WSL ends with a new state: the refusal comes before it, or after it.
        if is_news and self._refused is not SetupCommand.UPDATE_WSL:
            self._refused = None
        self._draw(view)
        if is_news:
            announce(self, " ".join(filter(None, (view.title, view.text))))
            self.altered.emit()

    def ask(self, action: SetupCommand) -> None:
        """Carry out an action; a refusal is shown in the card."""
        question = QUESTIONS.get(action)
        if question is not None:
            question(self, partial(self._send, action))
        elif action in PAGES:
            self._open(action, open_page, PAGES[action])
        elif action in SETTINGS:
            self._open(action, open_settings, SETTINGS[action])
        else:
            self._send(action)

    def _send(self, action: SetupCommand) -> None:
        self._refused = None
        self._draw_problem()
        self._link.ask(_REQUESTS[action](), failed=partial(self._refuse, action))

    def _open(self, action: SetupCommand, browse: Callable[[str], bool], page: str) -> None:
        self._refused = None
        self._draw_problem()
        if not browse(page):
            self._show_refusal(action, refusal_title(action), page)

    def _refuse(self, action: SetupCommand, error: ClientError) -> None:
        title, text = problem_words(error.code, error.what, error.remedy)
        own = refusal_title(action)
        self._show_refusal(action, *((own, f"{error.what} {error.remedy}") if own else (title, text)))

    def _show_refusal(self, action: SetupCommand, title: str, text: str) -> None:
        self._refused, self._refusal = action, (title, text)
        self._draw_problem()
        self.altered.emit()

    def _button(self, action: SetupCommand) -> QuietButton:
        button = QuietButton(action_words(action), self)
        button.clicked.connect(partial(self.ask, action))
        return button

    def _remedy(self, action: SetupCommand) -> ProblemButton:
        """Return the button of an action in a note about a problem, where to plan again is to try again."""
        words = action_words(SetupCommand.RETRY if action is SetupCommand.PLAN else action)
        return ProblemButton(words, partial(self.ask, action))

    def _lay_out(self) -> None:
        for words in (self._title, self._text):
            self.body.addWidget(words)
        self.body.addWidget(self._facts)
        self.body.addWidget(self._fallback)
        self.body.addWidget(self._problem)
        self._advice_column.setSpacing(Space.M)
        self.body.addLayout(self._advice_column)
        self.body.addWidget(self._bar)
        self.body.addWidget(self._progress)
        self.body.addWidget(self._package)
        row = FlowLayout(spacing=Space.S)
        for button in self.buttons.values():
            row.addWidget(button)
        self.body.addLayout(row)

    def _draw(self, view: SetupView) -> None:
        self._title.setText(view.title)
        self._title.setVisible(view.status is not SetupStatus.FAILED)  # the note about the problem has it
        for label, text in (
            (self._text, view.text),
            (self._progress, view.progress),
            (self._package, view.package),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        self._facts.show_facts(view.facts)
        self._facts.setVisible(bool(view.facts))
        self._bar.setVisible(view.has_bar)
        self._bar.set_busy(view.has_bar and view.fraction is None)
        if view.fraction is not None:
            self._bar.set(view.fraction)
        if view.fallback is None:
            self._fallback.clear()
        else:
            self._fallback.show_message(*view.fallback, kind=BannerKind.WARNING)
        self._draw_problem()
        self._draw_advice(view.advice)
        self._draw_buttons(view)

    def _draw_problem(self) -> None:
        """Show why the newest request was refused, what the set-up waits for, or why an attempt failed."""
        view = self._view
        problem = view.problem if view is not None else None
        remedies = [self._remedies[each] for each in view.actions] if view is not None and problem else []
        if self._refused is not None:
            self._problem.show_message(*self._refusal, *remedies)
        elif view is None or problem is None:
            self._problem.clear()
        elif view.is_blocked:
            _, text = problem_words(problem.code, problem.what, problem.remedy)
            self._problem.show_message(view.title, text, *remedies, kind=BannerKind.WARNING)
        else:
            self._problem.show_error(problem, *remedies)

    def _draw_advice(self, advice: tuple[SetupAdvice, ...]) -> None:
        """Show a note for each advice; the notes stay, so that an unchanged one keeps its buttons and their focus."""
        while len(self._advice) < len(advice):
            self._advice.append(ProblemNote(self))
            self._advice_column.addWidget(self._advice[-1])
        for note in self._advice[len(advice) :]:
            note.clear()
        for note, each in zip(self._advice, advice, strict=False):
            remedies = [self._remedies[action] for action in each.actions]
            note.show_message(each.title, each.text, *remedies, kind=BannerKind.WARNING)

    def _draw_buttons(self, view: SetupView) -> None:
        """Show the buttons of the available actions; the focus stays among them."""
        is_noted = view.status is SetupStatus.FAILED  # the note has the button
        shown = [] if is_noted else [each for each in view.actions if each not in self._left_out]
        focused = next((action for action, button in self.buttons.items() if button.hasFocus()), None)
        for action in shown:
            self.buttons[action].show()
        if focused is not None and focused not in shown and shown:
            self.buttons[shown[0]].setFocus()  # before Qt moves it on from the button that is hidden
        for action, button in self.buttons.items():
            button.setVisible(action in shown)
