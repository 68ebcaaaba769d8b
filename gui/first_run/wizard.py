"""The first run: up to six screens between the first start and a computer that trains."""

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QCoreApplication, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from client.api.commands import ForgetCandidate
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.design import icons
from gui.first_run.candidate_view import hint
from gui.first_run.consent import ConsentScreen
from gui.first_run.frame import FirstRunFrame
from gui.first_run.run_choice import RunScreen
from gui.first_run.screen import Screen
from gui.first_run.setup import SetupScreen
from gui.first_run.sign_in import SignInScreen
from gui.first_run.steps import (
    WHOLE,
    Facts,
    FirstRunStep,
    Move,
    Obstacle,
    applying,
    facts_of,
    may_go_back,
    obstacle,
    transition,
)
from gui.first_run.times import TimesScreen
from gui.first_run.welcome import Welcome
from gui.link.link import AppLink, LinkState
from gui.settings import AppSettings
from gui.widgets.question import ask
from gui.wording import languages

translate = QCoreApplication.translate
_SIZE, _SMALLEST = QSize(1020, 720), QSize(640, 480)
_ENDS = (FirstRunStep.DONE, FirstRunStep.LEFT)


def ask_to_leave(window: QWidget, leave: Callable[[], None]) -> None:
    """Ask whether to leave the first run."""
    ask(
        window,
        translate("FirstRun", "Leave the setup for now?"),
        translate(
            "FirstRun", "Training starts only after you join a run. You can join one later from the window."
        ),
        (translate("FirstRun", "Leave"), translate("FirstRun", "Stay")),
        leave,
    )


class FirstRun(QFrame):
    """The window of the first run. It asks before it is left; its creator deletes it once it has finished."""

    finished = Signal(bool)
    """Emitted at the end; True if all steps were completed and a run was joined."""

    def __init__(
        self,
        link: AppLink,
        settings: AppSettings,
        parent: QWidget | None = None,
        *,
        route: Sequence[FirstRunStep] = WHOLE,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._link, self._settings, self._route = link, settings, route
        self._step = route[0]
        self._screens: dict[FirstRunStep, Screen] = {}
        self._name()
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(_SMALLEST)
        self.resize(_SIZE)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._arrange()
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        link.changed.connect(self._draw_buttons)
        link.snapshot_changed.connect(self._show_snapshot)
        self._show_step(self._step)

    @property
    def step(self) -> FirstRunStep:
        return self._step

    @property
    def screen_shown(self) -> Screen:
        return self._screens[self._step]

    @property
    def takes_offers(self) -> bool:
        """True if its route has the screen for choosing a run."""
        return FirstRunStep.RUN in self._route

    @property
    def shows_setup(self) -> bool:
        """True if it shows the screen about the packages, or the one that leads to it."""
        return self._step in (FirstRunStep.CONSENT, FirstRunStep.SETUP)

    def offer(self, location: str) -> None:
        """Inspect that run as if the volunteer had chosen it: a link, a file or ``embedded``.

        Later screens are about the run before, so that it goes back to the preview.
        """
        self._run_screen.offer(location)
        is_later = self._route.index(self._step) > self._route.index(FirstRunStep.RUN)
        if is_later:
            self.screen_shown.left()
            self._show_step(FirstRunStep.RUN)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Ask before leaving, unless there is nothing to lose."""
        if self._step in _ENDS:
            event.accept()
            return
        event.ignore()
        if transition(self._step, Move.LEAVE, self._facts, self._route) is FirstRunStep.DONE:
            self._finish(FirstRunStep.DONE)
        elif self._route[0] is FirstRunStep.WELCOME:
            ask_to_leave(self, self._leave)
        else:  # the volunteer came from the window, and can start again there
            self._leave()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._focus()

    @property
    def _run_screen(self) -> RunScreen:
        return cast(RunScreen, self._screens[FirstRunStep.RUN])

    @property
    def _facts(self) -> Facts:
        sign_in, run = self._screens.get(FirstRunStep.SIGN_IN), self._screens.get(FirstRunStep.RUN)
        signing_in = isinstance(sign_in, SignInScreen) and sign_in.is_signing_in
        entering = isinstance(run, RunScreen) and run.is_entering_gate
        is_connected = self._link.state is LinkState.CONNECTED
        return facts_of(self._link.snapshot, is_connected, signing_in or entering)

    def _arrange(self) -> None:
        """Create the frame with all texts; a change of language replaces it."""
        self.frame = FirstRunFrame(self._link, self._make_screens, self)
        self._screens = dict(zip(self._route, self.frame.screens, strict=True))
        self.frame.foot.back_pressed.connect(self._go_back)
        self.frame.foot.primary_pressed.connect(self._press)
        for screen in self.frame.screens:
            screen.altered.connect(self._draw_buttons)
            screen.settled.connect(self._focus_on)
            screen.passed.connect(self._go_on)
        self._whole.addWidget(self.frame)

    def _make_screens(self) -> list[Screen]:
        return [self._make(step) for step in self._route]

    def _make(self, step: FirstRunStep) -> Screen:
        match step:
            case FirstRunStep.WELCOME:
                language = languages.language_for(self._settings.language, QLocale.system().uiLanguages())
                welcome = Welcome(self._link, language, self)
                # The combo box that emits this is among the widgets that are replaced.
                welcome.language_chosen.connect(self._change_language, Qt.ConnectionType.QueuedConnection)
                return welcome
            case FirstRunStep.SIGN_IN:
                return SignInScreen(self._link, self)
            case FirstRunStep.RUN:
                return RunScreen(self._link, self)
            case FirstRunStep.TIMES:
                return TimesScreen(self._link, self)
            case FirstRunStep.CONSENT:
                consent = ConsentScreen(self._link, self)
                consent.cancelled.connect(self._inspect_again)
                return consent
            case FirstRunStep.SETUP:
                return SetupScreen(self._link, self)
        raise ValueError(f"{step.name} is no screen.")

    def _change_language(self, language: str) -> None:
        """Switch the language, and rebuild all texts."""
        self._settings.language = language
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        languages.install(app, language)
        self.frame.give_up()
        chosen = self._run_screen.location
        self.frame.hide()
        self.frame.deleteLater()
        self._name()
        self._arrange()
        if chosen != self._run_screen.location:
            self.offer(chosen)
        self._show_step(self._step)

    def _name(self) -> None:
        titles = {
            FirstRunStep.WELCOME: self.tr("Welcome to Idlebrush"),
            FirstRunStep.SETUP: self.tr("Packages for training"),
        }
        self.setWindowTitle(titles.get(self._route[0], self.tr("Join a run")))

    def _press(self) -> None:
        self.screen_shown.press_primary()

    def _go_on(self) -> None:
        self._move(Move.ON)

    def _go_back(self) -> None:
        self._move(Move.BACK)

    def _move(self, move: Move) -> None:
        self.screen_shown.left()
        following = transition(self._step, move, self._facts, self._route)
        if following in _ENDS:
            self._finish(following)
        else:
            self._show_step(following)

    def _show_step(self, step: FirstRunStep) -> None:
        self._step = step
        screen = self.screen_shown
        self.frame.show_screen(self._route.index(step))
        if isinstance(screen, ConsentScreen):
            times = self._screens.get(FirstRunStep.TIMES)
            screen.show_times(times.values if isinstance(times, TimesScreen) else {})
        screen.show_snapshot(self._link.snapshot)
        screen.shown()
        self._draw_buttons()
        if self.isVisible():
            self._focus()

    def _focus(self) -> None:
        widget = self.screen_shown.first_focus()
        (self.frame.foot.primary if widget is None else widget).setFocus(Qt.FocusReason.TabFocusReason)

    def _focus_on(self) -> None:
        """Focus the button to the next screen if it is enabled."""
        self._draw_buttons()
        if self.frame.foot.primary.isEnabled():
            self.frame.foot.primary.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._focus()

    def _draw_buttons(self) -> None:
        if self._step not in self._screens:  # it is over, or its screens are still being made
            return
        screen, facts = self.screen_shown, self._facts
        found_obstacle = obstacle(self._step, facts)
        # Pressing the last screen's button joins the run.
        is_free = found_obstacle is None or found_obstacle is Obstacle.NOT_JOINED
        self.frame.foot.show_primary(
            screen.primary_text(),
            is_free and screen.primary_is_ready(),
            hint(found_obstacle) or screen.hint(),
        )
        is_there = self._step is not self._route[0] and not self._is_complete(facts)
        self.frame.foot.show_back(is_there, may_go_back(self._step, facts, self._route))
        self._show_progress(facts)

    def _show_progress(self, facts: Facts) -> None:
        """Show the place among the screens, and let the picture emerge with every step."""
        steps = applying(self._route, facts, self._step)
        place = steps.index(self._step)
        self.frame.show_place(place + 1, len(steps))
        self.frame.picture.set_progress((place + self._is_complete(facts)) / len(steps))

    def _is_complete(self, facts: Facts) -> bool:
        """Return true if the run is joined, so that there is no way back."""
        return self._step is FirstRunStep.SETUP or (self._step is FirstRunStep.CONSENT and facts.is_joined)

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        if self._step not in self._screens:
            return
        self.screen_shown.show_snapshot(snapshot)
        self._draw_buttons()

    def _inspect_again(self) -> None:
        """Inspect the run again after a cancelled download."""
        self._run_screen.inspect_again()

    def _leave(self) -> None:
        self.screen_shown.left()
        self.frame.give_up()
        self._link.ask(ForgetCandidate(), failed=self._ignore)
        self._finish(FirstRunStep.LEFT)

    def _finish(self, end: FirstRunStep) -> None:
        self._step = end
        self._settings.first_run_done = True
        self._settings.save()
        self.hide()
        self.finished.emit(end is FirstRunStep.DONE)

    def _ignore(self, _: ClientError) -> None:
        """Ignore that there was nothing to forget."""
