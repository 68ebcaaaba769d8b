"""The tray's menu: the client's state in words, and what one does with it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from gui.tray.menu_state import RUN_MODES, MenuState, Order
from gui.tray.snoozes import Snooze, words
from gui.wording.amounts import moment

_LONGEST = 64
"""Letters of a line: a menu does not wrap them, and the tooltip says more."""


class TrayMenu(QMenu):
    """Draws a `MenuState`, and tells what was chosen."""

    ordered = Signal(object)
    """An `Order`."""
    snoozed = Signal(object)
    """A `Snooze`."""
    finish_chosen = Signal(bool)
    """False: training is to go on after this epoch after all."""
    mode_chosen = Signal(str)
    """One of `RUN_MODES`."""
    page_chosen = Signal(str)
    quit_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._deeds: dict[QAction, Callable[[], None]] = {}
        self._state = MenuState("")
        self._status, self._rate = self._line(), self._line()
        self.addSeparator()
        self._add(self, self.tr("&Open Idlebrush"), partial(self.page_chosen.emit, "now"))
        self.addSeparator()
        self._order = self._add(self, "", self._tell_order)
        self._snooze = self._add_snoozes()
        self._finish = self._add(self, self.tr("&Finish this epoch"), self._tell_finish, checkable=True)
        self._modes: dict[str, QAction] = {}
        self._mode = self._add_modes()
        self._add_pages()
        self.addSeparator()
        self._add(self, self.tr("&Quit"), self.quit_chosen.emit)
        self.triggered.connect(self._carry_out)

    def show_state(self, state: MenuState, now: datetime) -> None:
        """Draw it; ``now`` is local time with its zone."""
        self._state = state
        self._status.setText(_literally(state.status))
        self._rate.setText(_literally(state.rate))
        self._rate.setVisible(bool(state.rate))
        self._order.setText(self._order_words(state.order))
        self._order.setEnabled(state.can_order)
        self._snooze.setTitle(self._snooze_words(state.snoozed_until, now))
        self._snooze.setEnabled(state.can_snooze)
        self._finish.setEnabled(state.can_finish)
        self._finish.setChecked(state.is_finishing)
        self._mode.setEnabled(state.can_choose_mode)
        for name, action in self._modes.items():
            action.setChecked(name == state.run_mode)

    def _line(self) -> QAction:
        """Says something, and cannot be chosen."""
        action = self.addAction("")
        action.setEnabled(False)
        return action

    def _add(self, menu: QMenu, text: str, deed: Callable[[], None], *, checkable: bool = False) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(checkable)
        self._deeds[action] = deed
        return action

    def _add_snoozes(self) -> QMenu:
        menu = self.addMenu(self.tr("&Snooze"))
        for snooze in Snooze:
            self._add(menu, words(snooze), partial(self.snoozed.emit, snooze))
        return menu

    def _add_modes(self) -> QMenu:
        menu = self.addMenu(self.tr("Training &mode"))
        group = QActionGroup(menu)
        # what the preferences say may not be known
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        texts = (self.tr("&Always"), self.tr("As my &preferences say"), self.tr("&Never"))
        for name, text in zip(RUN_MODES, texts, strict=True):
            deed = partial(self.mode_chosen.emit, name)
            self._modes[name] = group.addAction(self._add(menu, text, deed, checkable=True))
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

    def _order_words(self, order: Order) -> str:
        return {
            Order.PAUSE: self.tr("&Pause"),
            Order.RESUME: self.tr("&Resume"),
            Order.RETRY: self.tr("&Try again"),
            Order.START: self.tr("&Start in the background"),
            Order.RESTART: self.tr("&Restart in the background"),
        }[order]

    def _snooze_words(self, until: datetime | None, now: datetime) -> str:
        if until is None:
            return self.tr("&Snooze")
        return self.tr("&Snoozed until {moment}").format(moment=moment(until, now))

    def _carry_out(self, action: QAction) -> None:
        self._deeds[action]()

    def _tell_order(self) -> None:
        self.ordered.emit(self._state.order)

    def _tell_finish(self) -> None:
        self.finish_chosen.emit(not self._state.is_finishing)


def _literally(text: str) -> str:
    """As a menu shows it letter by letter, cut where it is too long for one."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text.replace("&", "&&")
