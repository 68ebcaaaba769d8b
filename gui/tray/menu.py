"""The tray's menu: the client's state in words, and its commands."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from gui.tray.view import RUN_MODES, MenuCommand, MenuState, SnoozeChoice, snooze_words
from gui.wording.amounts import moment

_LONGEST = 64
"""Largest number of characters in a line, because menus do not wrap; the tooltip has the full text."""


class TrayMenu(QMenu):
    """Draws a `MenuState`, and emits the chosen command."""

    commanded = Signal(object)
    """Emitted with a `MenuCommand`."""
    snoozed = Signal(object)
    """Emitted with a `SnoozeChoice`."""
    finish_chosen = Signal(bool)
    """Emitted with False when training is to continue after this epoch."""
    mode_chosen = Signal(str)
    """Emitted with one of `RUN_MODES`."""
    page_chosen = Signal(str)
    quit_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._handlers: dict[QAction, Callable[[], None]] = {}
        self._state = MenuState("")
        self._status, self._rate = self._line(), self._line()
        self.addSeparator()
        self._add(self, self.tr("&Open Idlebrush"), partial(self.page_chosen.emit, "now"))
        self.addSeparator()
        self._command = self._add(self, "", self._emit_command)
        self._snooze = self._add_snoozes()
        self._finish = self._add(self, self.tr("&Finish this epoch"), self._emit_finish, checkable=True)
        self._modes: dict[str, QAction] = {}
        self._mode = self._add_modes()
        self._add_pages()
        self.addSeparator()
        self._add(self, self.tr("&Quit"), self.quit_chosen.emit)
        self.triggered.connect(self._carry_out)

    def show_state(self, state: MenuState, now: datetime) -> None:
        """Draw the state; ``now`` is local time with its zone."""
        self._state = state
        self._status.setText(_literally(state.status))
        self._rate.setText(_literally(state.rate))
        self._rate.setVisible(bool(state.rate))
        self._command.setText(self._command_words(state.command))
        self._command.setEnabled(state.can_command)
        self._snooze.setTitle(self._snooze_words(state.snoozed_until, now))
        self._snooze.setEnabled(state.can_snooze)
        self._finish.setEnabled(state.can_finish)
        self._finish.setChecked(state.is_finishing)
        self._mode.setEnabled(state.can_choose_mode)
        for name, action in self._modes.items():
            action.setChecked(name == state.run_mode)

    def _line(self) -> QAction:
        """Add a line of text that cannot be chosen, and return it."""
        action = self.addAction("")
        action.setEnabled(False)
        return action

    def _add(
        self, menu: QMenu, text: str, handler: Callable[[], None], *, checkable: bool = False
    ) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(checkable)
        self._handlers[action] = handler
        return action

    def _add_snoozes(self) -> QMenu:
        menu = self.addMenu(self.tr("&Snooze"))
        for snooze in SnoozeChoice:
            self._add(menu, snooze_words(snooze), partial(self.snoozed.emit, snooze))
        return menu

    def _add_modes(self) -> QMenu:
        menu = self.addMenu(self.tr("Training &mode"))
        group = QActionGroup(menu)
        # the mode may be unknown
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        texts = (self.tr("&Always"), self.tr("According to my &preferences"), self.tr("&Never"))
        for name, text in zip(RUN_MODES, texts, strict=True):
            handler = partial(self.mode_chosen.emit, name)
            self._modes[name] = group.addAction(self._add(menu, text, handler, checkable=True))
        return menu

    def _add_pages(self) -> None:
        self.addSeparator()
        pages = {
            "gallery": self.tr("&Gallery"),
            "contribution": self.tr("My &contribution"),
            "preferences": self.tr("Pr&eferences"),
        }
        for name, text in pages.items():
            self._add(self, text, partial(self.page_chosen.emit, name))

    def _command_words(self, command: MenuCommand) -> str:
        return {
            MenuCommand.PAUSE: self.tr("&Pause"),
            MenuCommand.RESUME: self.tr("&Resume"),
            MenuCommand.RETRY: self.tr("&Try again"),
            MenuCommand.START: self.tr("&Start in the background"),
            MenuCommand.RESTART: self.tr("&Restart in the background"),
        }[command]

    def _snooze_words(self, until: datetime | None, now: datetime) -> str:
        if until is None:
            return self.tr("&Snooze")
        return self.tr("&Snoozed until {moment}").format(moment=moment(until, now))

    def _carry_out(self, action: QAction) -> None:
        self._handlers[action]()

    def _emit_command(self) -> None:
        self.commanded.emit(self._state.command)

    def _emit_finish(self) -> None:
        self.finish_chosen.emit(not self._state.is_finishing)


def _literally(text: str) -> str:
    """Return the text as a menu shows it, without mnemonics and not too long."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text.replace("&", "&&")
