"""The first run: at most five screens from a greeting to a computer that trains; later, the way into another run."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.requests import ForgetProspect
from client.api.snapshot import Snapshot
from gui.design import icons
from gui.design.tokens import Space
from gui.first_run.consent import ConsentScreen
from gui.first_run.indicator import StepIndicator
from gui.first_run.prospect_view import hint
from gui.first_run.run_choice import RunScreen
from gui.first_run.screen import Screen
from gui.first_run.sign_in import SignInScreen
from gui.first_run.steps import WHOLE, Facts, Move, Step, facts_of, hindrance, may_go_back, transition
from gui.first_run.times import TimesScreen
from gui.first_run.welcome import Welcome
from gui.link.link import Link
from gui.link.state import LinkState
from gui.settings import Settings
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import caption
from gui.widgets.scroll import VerticalScroll
from gui.window.trouble import Help, help_words, trouble
from gui.wording import languages

_SIZE = QSize(920, 700)
_SMALLEST = QSize(640, 480)
_WIDEST = 860
"""Logical pixels of a screen's content: longer lines are hard to read."""


class FirstRun(QWidget):
    """A window of its own, which asks before it is left; whoever has made it takes it down once it has finished."""

    finished = Signal(bool)
    """Whether it was passed to its end, where a run was joined."""

    def __init__(
        self, link: Link, settings: Settings, parent: QWidget | None = None, *, route: Sequence[Step] = WHOLE
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._link, self._settings, self._route = link, settings, route
        self._step = route[0]
        self._screens: dict[Step, Screen] = {}
        self.setWindowTitle(self.tr("Welcome to Idlebrush") if route == WHOLE else self.tr("Join a run"))
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(_SMALLEST)
        self.resize(_SIZE)
        self._arrange()
        self._add_screens()
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        link.changed.connect(self._show_link)
        link.snapshot_changed.connect(self._show_snapshot)
        self._show_link(link.state)
        self._show_step(self._step)

    @property
    def step(self) -> Step:
        return self._step

    @property
    def screen_shown(self) -> Screen:
        return self._screens[self._step]

    def offer(self, location: str) -> None:
        """Have that run be looked at as if the volunteer had chosen it: a link, a file or ``embedded``."""
        self._run_screen.offer(location)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """By Escape or by the window's own button: after a question, unless there is nothing to lose."""
        if self._step in (Step.DONE, Step.LEFT):
            event.accept()
            return
        event.ignore()
        if transition(self._step, Move.LEAVE, self._facts, self._route) is Step.DONE:
            self._finish(Step.DONE)
        else:
            self._ask_to_leave()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._focus()

    @property
    def _run_screen(self) -> RunScreen:
        return cast(RunScreen, self._screens[Step.RUN])

    @property
    def _facts(self) -> Facts:
        sign_in, run = self._screens.get(Step.SIGN_IN), self._screens.get(Step.RUN)
        signing_in = isinstance(sign_in, SignInScreen) and sign_in.is_signing_in
        entering = isinstance(run, RunScreen) and run.is_entering_gate
        is_connected = self._link.state is LinkState.CONNECTED
        return facts_of(self._link.snapshot, is_connected, signing_in or entering)

    def _arrange(self) -> None:
        self._indicator = StepIndicator(self)
        self._trouble = Banner(self)
        self._stack = QStackedWidget(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(Space.XXL, Space.XL, Space.XXL, Space.L)
        top.addWidget(self._indicator)
        self._indicator.setVisible(len(self._route) > 1)
        column.addLayout(top)
        column.addWidget(self._trouble)
        column.addWidget(self._stack, 1)
        rule = QFrame(self)
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        column.addWidget(rule)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        self._back = QuietButton(self.tr("Back"), self)
        self._back.clicked.connect(self._go_back)
        self._hint = caption("", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._primary = PrimaryButton("", self)
        self._primary.clicked.connect(self._press)
        self._primary.setDefault(True)
        row = QHBoxLayout()
        row.setContentsMargins(Space.XXL, Space.L, Space.XXL, Space.L)
        row.setSpacing(Space.L)
        row.addWidget(self._back)
        row.addWidget(self._hint, 1)
        row.addWidget(self._primary)
        return row

    def _add_screens(self) -> None:
        for step in self._route:
            screen = self._make(step)
            self._screens[step] = screen
            screen.altered.connect(self._draw_buttons)
            screen.passed.connect(self._go_on)
            self._stack.addWidget(VerticalScroll(_centred(screen), self._stack))

    def _make(self, step: Step) -> Screen:
        match step:
            case Step.WELCOME:
                language = self._settings.language or languages.language_for(
                    "", QLocale.system().uiLanguages()
                )
                welcome = Welcome(self._link, language, self)
                # The combo box that tells of it is among what is made anew.
                welcome.language_chosen.connect(self._speak, Qt.ConnectionType.QueuedConnection)
                return welcome
            case Step.SIGN_IN:
                return SignInScreen(self._link, self)
            case Step.RUN:
                return RunScreen(self._link, self)
            case Step.TIMES:
                return TimesScreen(self._link, self)
            case Step.CONSENT:
                consent = ConsentScreen(self._link, self)
                consent.cancelled.connect(self._look_again)
                return consent
        raise ValueError(f"{step.name} is no screen.")

    def _speak(self, language: str) -> None:
        """In another language from now on; everything is made anew, and draws what the daemon knows."""
        self._settings.language = language
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        languages.install(app, language)
        while (screen := self._stack.widget(0)) is not None:
            self._stack.removeWidget(screen)
            screen.deleteLater()
        self._screens.clear()
        self._add_screens()
        self.setWindowTitle(self.tr("Welcome to Idlebrush"))
        self._back.setText(self.tr("Back"))
        self._show_step(self._step)

    def _press(self) -> None:
        self.screen_shown.press_primary()

    def _go_on(self) -> None:
        self._move(Move.ON)

    def _go_back(self) -> None:
        self._move(Move.BACK)

    def _move(self, move: Move) -> None:
        self.screen_shown.left()
        following = transition(self._step, move, self._facts, self._route)
        if following in (Step.DONE, Step.LEFT):
            self._finish(following)
        else:
            self._show_step(following)

    def _show_step(self, step: Step) -> None:
        self._step = step
        screen = self.screen_shown
        number = self._route.index(step)
        self._stack.setCurrentIndex(number)
        self._indicator.show_step(number + 1, len(self._route), screen.title())
        if isinstance(screen, ConsentScreen):
            times = self._screens.get(Step.TIMES)
            screen.show_times(times.values if isinstance(times, TimesScreen) else {})
        screen.show_snapshot(self._link.snapshot)
        screen.shown()
        self._fit()
        self._draw_buttons()
        if self.isVisible():
            self._focus()

    def _focus(self) -> None:
        widget = self.screen_shown.first_focus()
        (self._primary if widget is None else widget).setFocus(Qt.FocusReason.TabFocusReason)

    def _fit(self) -> None:
        screen = self._screens.get(self._step)
        if isinstance(screen, Welcome):
            screen.show_picture(self.width() - 2 * Space.XXL)

    def _draw_buttons(self) -> None:
        if self._step not in self._screens:
            return
        screen, facts = self.screen_shown, self._facts
        hindered = hindrance(self._step, facts)
        is_consent = self._step is Step.CONSENT and facts.is_connected
        self._primary.setText(screen.primary_text())
        self._primary.setEnabled(screen.primary_is_ready() and (hindered is None or is_consent))
        self._hint.setText(hint(hindered))
        self._back.setVisible(self._step is not self._route[0])
        self._back.setEnabled(may_go_back(self._step, facts, self._route))

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        if self._step in self._screens:
            self.screen_shown.show_snapshot(snapshot)
            self._draw_buttons()

    def _show_link(self, state: LinkState) -> None:
        said = trouble(state, self._link.error)
        if said is None:
            self._trouble.hide()
        else:
            kind = BannerKind.INFO if said.is_passing else BannerKind.WARNING
            action = help_words(said.help) or None
            self._trouble.show_message(
                kind, said.text, said.detail, action, self._help if action else None, dismissable=False
            )
        self._draw_buttons()

    def _help(self) -> None:
        said = trouble(self._link.state, self._link.error)
        if said is not None and said.help is Help.RESTART:
            self._link.restart_daemon()
        else:
            self._link.start()

    def _look_again(self) -> None:
        """Fetching ends, and the run is as it was before the volunteer agreed."""
        self._run_screen.look_again()

    def _ask_to_leave(self) -> None:
        question = QMessageBox(self)
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setText(self.tr("Leave this for now?"))
        question.setInformativeText(
            self.tr("Nothing is trained until you join a run. You can do that at any time, from the window.")
        )
        leave = question.addButton(self.tr("Leave"), QMessageBox.ButtonRole.AcceptRole)
        stay = question.addButton(self.tr("Stay"), QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(stay)
        question.setEscapeButton(stay)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        leave.clicked.connect(self._leave)
        question.open()

    def _leave(self) -> None:
        self.screen_shown.left()
        self._link.ask(ForgetProspect(), failed=self._ignore)
        self._finish(Step.LEFT)

    def _finish(self, end: Step) -> None:
        self._step = end
        self._settings.first_run_done = True
        self._settings.save()
        self.hide()
        self.finished.emit(end is Step.DONE)

    def _ignore(self, _: ClientError) -> None:
        """There was nothing to forget."""


def _centred(screen: Screen) -> QWidget:
    """With air around it, and no wider than can be read."""
    screen.setMaximumWidth(_WIDEST)
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(Space.XXL, Space.S, Space.XXL, Space.XXL)
    row.addStretch(1)
    row.addWidget(screen, 1000)
    row.addStretch(1)
    return whole
