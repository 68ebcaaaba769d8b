"""The screen that has the trainer's packages downloaded; it is left out where they are installed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from client.api.environment import EnvironmentView
from client.api.snapshot import Snapshot
from gui.first_run.screen import Screen
from gui.first_run.steps import FirstRunStep
from gui.link.link import AppLink, LinkState
from gui.setup.commands import SetupCommand, action_words
from gui.setup.panel import SetupPanel
from gui.setup.view import BEGUN, SetupStatus, status_of
from gui.widgets.buttons import QuietButton

_AGREEING = (SetupCommand.PLAN, SetupCommand.BEGIN)
"""Actions of the button to the next screen."""
_BEFORE = (None, SetupStatus.UNKNOWN, SetupStatus.PLANNING, SetupStatus.OFFERED)
"""States before the volunteer has agreed."""


class SetupScreen(Screen):
    """Begins the download only after the volunteer has pressed the button; it continues after the first run."""

    step = FirstRunStep.SETUP

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._has_begun = False
        self.add_heading(
            self.tr("One more download"),
            self.tr("Training needs large packages that fit this computer. They are not part of the app."),
        )
        self.panel = SetupPanel(link, self, left_out=_AGREEING)
        self.panel.altered.connect(self._settle)
        self._later = QuietButton(self.tr("Not now"), self)
        self._later.clicked.connect(self.passed)
        link.changed.connect(self._plan_again)
        self.content.addWidget(self.panel)
        self.content.addWidget(self._later, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("Install")

    def primary_text(self) -> str:
        match self._status:
            case SetupStatus.OFFERED | SetupStatus.PLANNING | None:
                return action_words(SetupCommand.BEGIN)
            case SetupStatus.UNKNOWN:
                return action_words(SetupCommand.PLAN)
        return self.tr("Open Idlebrush")

    def primary_is_ready(self) -> bool:
        return self._status not in (SetupStatus.PLANNING, None)

    def hint(self) -> str:
        if self._status in BEGUN:
            return self.tr("The installation continues in the background.")
        return ""

    def press_primary(self) -> None:
        match self._status:
            case SetupStatus.OFFERED:
                self.panel.ask(SetupCommand.BEGIN)
            case SetupStatus.UNKNOWN:
                self.panel.ask(SetupCommand.PLAN)
            case _:
                self.passed.emit()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self.panel.show_environment(self._environment)
        self._later.setVisible(self._status in _BEFORE)

    def shown(self) -> None:
        """Ask for the plan unless there is one."""
        if self._status is SetupStatus.UNKNOWN:
            self.panel.ask(SetupCommand.PLAN)

    @property
    def _environment(self) -> EnvironmentView | None:
        return self.link.snapshot.environment if self.link.snapshot else None

    @property
    def _status(self) -> SetupStatus | None:
        return status_of(self._environment) if self._environment is not None else None

    def _plan_again(self, state: LinkState) -> None:
        """Ask again when the daemon is connected again."""
        if state is LinkState.CONNECTED and self.isVisible():
            self.shown()

    def _settle(self) -> None:
        """Move the focus on once there is a plan to agree to, or once the download has begun."""
        self.altered.emit()
        has_begun = self._status in BEGUN
        if self.isVisible() and (self._status is SetupStatus.OFFERED or has_begun is not self._has_begun):
            self.settled.emit()
        self._has_begun = has_begun
