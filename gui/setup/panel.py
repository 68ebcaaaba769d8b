"""The card of the trainer's environment: its plan, its progress, and buttons that begin, pause and cancel it."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from client.api.environment import (
    BeginSetup,
    CancelSetup,
    EnvironmentView,
    PauseSetup,
    PlanSetup,
    RestartWindows,
    ResumeSetup,
    SetupRequest,
    TurnOnWsl,
)
from client.api.errors import ClientError
from client.api.protocol import ProblemView
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.setup.view import ProgressPace, SetupCommand, SetupStatus, SetupView, action_words, setup_view
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

translate = QCoreApplication.translate
_REQUESTS: Mapping[SetupCommand, Callable[[], SetupRequest]] = {
    SetupCommand.PLAN: PlanSetup,
    SetupCommand.BEGIN: BeginSetup,
    SetupCommand.RETRY: BeginSetup,
    SetupCommand.PAUSE: PauseSetup,
    SetupCommand.RESUME: ResumeSetup,
    SetupCommand.CANCEL: CancelSetup,
    SetupCommand.TURN_ON_WSL: TurnOnWsl,
    SetupCommand.RESTART_WINDOWS: RestartWindows,
}

_OF_WINDOWS = (SetupCommand.TURN_ON_WSL, SetupCommand.RESTART_WINDOWS)
"""Actions that have words of their own where an attempt has failed; all others try again."""


def _local_now() -> datetime:
    return datetime.now().astimezone()


def ask_to_cancel(parent: QWidget, cancel: Callable[[], None]) -> None:
    """Ask whether to cancel, without blocking; Escape and Return mean to continue."""
    question = _question(
        parent,
        translate("Setup", "Cancel the installation?"),
        translate(
            "Setup", "What was downloaded is removed. This computer does not train until it is installed."
        ),
    )
    ending = question.addButton(translate("Setup", "Cancel it"), QMessageBox.ButtonRole.DestructiveRole)
    _add_staying(question, translate("Setup", "Continue"))
    ending.clicked.connect(cancel)
    question.open()


def ask_to_restart(parent: QWidget, restart: Callable[[], None]) -> None:
    """Ask whether to restart the computer, without blocking; Escape and Return mean not now."""
    question = _question(
        parent,
        translate("Setup", "Restart the computer now?"),
        translate("Setup", "Save your work first. Idlebrush continues by itself after the restart."),
    )
    restarting = question.addButton(translate("Setup", "Restart now"), QMessageBox.ButtonRole.AcceptRole)
    _add_staying(question, translate("Setup", "Not now"))
    restarting.clicked.connect(restart)
    question.open()


def _question(parent: QWidget, words: str, details: str) -> QMessageBox:
    question = QMessageBox(parent.window())
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    question.setWindowTitle(words)
    question.setText(words)
    question.setInformativeText(details)
    return question


def _add_staying(question: QMessageBox, words: str) -> None:
    """Add the button that changes nothing, which Escape and Return press."""
    staying = question.addButton(words, QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(staying)
    question.setEscapeButton(staying)


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
        self._refusal: ClientError | None = None
        """Error of the volunteer's newest request; None once the set-up is in another state."""
        self._title = strong("", self)
        self._text = body("", self)
        self._text.set_tone(Tone.SOFT)
        self._facts = FactList(self)
        self._fallback, self._problem = ProblemNote(self), ProblemNote(self)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Progress of the installation"))
        self._progress, self._package = body("", self), caption("", self)
        self.buttons = {action: self._button(action) for action in SetupCommand}
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
        if is_news:
            self._refusal = None
        self._draw(view)
        if is_news:
            announce(self, " ".join(filter(None, (view.title, view.text))))
            self.altered.emit()

    def ask(self, action: SetupCommand) -> None:
        """Carry out an action; a refusal is shown in the card."""
        match action:
            case SetupCommand.CANCEL:
                ask_to_cancel(self, partial(self._send, action))
            case SetupCommand.RESTART_WINDOWS:
                ask_to_restart(self, partial(self._send, action))
            case _:
                self._send(action)

    def _send(self, action: SetupCommand) -> None:
        self._refusal = None
        self._link.ask(_REQUESTS[action](), failed=self._refuse)

    def _refuse(self, error: ClientError) -> None:
        self._refusal = error
        self._draw_problem()
        self.altered.emit()

    def _retry(self) -> None:
        if self._view is not None:
            self.ask(self._view.actions[0])

    def _button(self, action: SetupCommand) -> QuietButton:
        button = QuietButton(action_words(action), self)
        button.clicked.connect(partial(self.ask, action))
        return button

    def _lay_out(self) -> None:
        for words in (self._title, self._text):
            self.body.addWidget(words)
        self.body.addWidget(self._facts)
        self.body.addWidget(self._fallback)
        self.body.addWidget(self._problem)
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
        self._draw_buttons(view)

    def _draw_problem(self) -> None:
        """Show why the newest request was refused, what the set-up waits for, or why an attempt failed."""
        view = self._view
        if view is not None and view.problem is not None:
            self._draw_failure(view, view.problem)
        elif self._refusal is not None:
            self._problem.show_error(self._refusal)
        else:
            self._problem.clear()

    def _draw_failure(self, view: SetupView, problem: ProblemView) -> None:
        is_waiting = view.actions[0] in _OF_WINDOWS
        words = action_words(view.actions[0] if is_waiting else SetupCommand.RETRY)
        remedy = ProblemButton(words, self._retry)
        if self._refusal is not None:
            self._problem.show_error(self._refusal, remedy)
        elif is_waiting:
            _, text = problem_words(problem.code, problem.what, problem.remedy)
            self._problem.show_message(view.title, text, remedy, kind=BannerKind.WARNING)
        else:
            self._problem.show_error(problem, remedy)

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
