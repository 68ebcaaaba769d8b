"""The screen with the preferences that decide when training runs; each choice is saved at once."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.commands import SetPreference
from client.api.errors import ClientError
from client.api.questions import ShowPreferences
from gui.design.tokens import Space
from gui.first_run import times_view as view
from gui.first_run.screen import Screen
from gui.first_run.steps import FirstRunStep
from gui.first_run.times_view import TimeChoice
from gui.link.link import AppLink, LinkState
from gui.widgets.cards import Card
from gui.widgets.fields import ChoiceField
from gui.widgets.labels import caption, strong
from gui.widgets.problem_note import ProblemNote
from gui.widgets.switches import Switch


class TimeRow(QWidget):
    """Shows the value that the daemon has; a new choice is sent, and shown only once it is accepted."""

    chosen = Signal(str, str)
    """Emitted with the name of the preference and its new value."""

    def __init__(self, name: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        words = QVBoxLayout()
        words.setSpacing(2)
        self._title = strong(title, self)
        words.addWidget(self._title)
        words.addWidget(caption(text, self))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.XL)
        self._row.addLayout(words, 1)

    def show_value(self, value: str) -> None:
        raise NotImplementedError

    def set_usable(self, is_usable: bool) -> None:
        """Enable or disable it; a focus on it moves on, where Qt would drop the focus with the row."""
        self._control.setEnabled(is_usable)
        self.setEnabled(is_usable)

    def _add(self, control: QWidget) -> None:
        self._control = control
        control.setAccessibleName(self.accessibleName())
        self._title.setBuddy(control)  # on Linux, a choice has no other name to screen readers
        control.setAccessibleDescription(self.accessibleDescription())
        self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)


class ChoiceRow(TimeRow):
    """A choice of a few values; ``choices`` returns them for the current value."""

    def __init__(
        self,
        name: str,
        title: str,
        text: str,
        choices: Callable[[str], tuple[TimeChoice, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, title, text, parent)
        self._choices = choices
        self.field = ChoiceField(self)
        # The choices are added when the row is first shown.
        self.field.setSizeAdjustPolicy(ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.field.activated.connect(self._choose)
        self._add(self.field)

    def show_value(self, value: str) -> None:
        choices, field = self._choices(value), self.field
        if [choice.value for choice in choices] != [field.itemData(at) for at in range(field.count())]:
            field.clear()
            for choice in choices:
                field.addItem(choice.text, choice.value)
        field.setCurrentIndex(field.findData(value))

    def _choose(self, index: int) -> None:
        self.chosen.emit(self.name, self.field.itemData(index))


class SwitchRow(TimeRow):
    """A switch for two values."""

    def __init__(
        self,
        name: str,
        title: str,
        text: str,
        words: tuple[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, title, text, parent)
        self._on, self._off = words
        self.switch = Switch("", self)
        self.switch.clicked.connect(self._switch)
        self._add(self.switch)

    def show_value(self, value: str) -> None:
        self.switch.setChecked(value == self._on)

    def _switch(self, is_on: bool) -> None:
        self.chosen.emit(self.name, self._on if is_on else self._off)


class TimesScreen(Screen):
    """Shows only values that the daemon has accepted."""

    step = FirstRunStep.TIMES

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._values: dict[str, str] = {}
        self.add_heading(
            self.tr("When may this computer train?"),
            self.tr(
                "These defaults suit most computers. You can change them and many other preferences "
                "at any time."
            ),
        )
        self._problem = ProblemNote(self)
        link.changed.connect(self._ask_again)
        card = Card("", self)
        card.body.setSpacing(Space.L)
        self._rows = self._make_rows(card)
        for row in self._rows.values():
            row.chosen.connect(self._set)
            card.body.addWidget(row)
        self.content.addWidget(self._problem)
        self.content.addWidget(card)
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("When to train")

    @property
    def values(self) -> dict[str, str]:
        """Values by the names of their preferences; empty until the daemon has sent them."""
        return dict(self._values)

    def primary_is_ready(self) -> bool:
        """Return true once the values are known, or cannot be known."""
        return bool(self._values) or not self._problem.isHidden()

    def first_focus(self) -> QWidget | None:
        row = self._rows[view.RUN_MODE]
        assert isinstance(row, ChoiceRow)
        return row.field

    def shown(self) -> None:
        """Ask for the current values."""
        self.link.ask(ShowPreferences(), self._take, self._refuse)

    def _ask_again(self, state: LinkState) -> None:
        """Ask again when the daemon is connected again."""
        if state is LinkState.CONNECTED and self.isVisible():
            self.shown()

    def _make_rows(self, card: QWidget) -> dict[str, TimeRow]:
        rows = (
            ChoiceRow(
                view.RUN_MODE,
                self.tr("Train"),
                self.tr("“Always” also trains while you use the computer."),
                view.run_modes,
                card,
            ),
            ChoiceRow(
                view.IDLE,
                self.tr("You are away after"),
                self.tr(
                    "This is the time without keyboard or mouse input. Training stops at once when you "
                    "come back."
                ),
                view.idle_choices,
                card,
            ),
            ChoiceRow(view.HOURS, self.tr("Hours"), self.tr("Hours are in local time."), view.hours, card),
            ChoiceRow(
                view.SHARE,
                self.tr("Heat and noise"),
                self.tr("Breaks between steps keep the computer cooler and quieter."),
                view.shares,
                card,
            ),
            SwitchRow(
                view.BATTERY,
                self.tr("Train on battery"),
                self.tr("If this is off, training waits until the computer is plugged in."),
                ("allow", "pause"),
                card,
            ),
            SwitchRow(
                view.LOGIN,
                self.tr("Start when I log in"),
                self.tr("Idlebrush starts in the background, without a window."),
                ("on", "off"),
                card,
            ),
        )
        return {row.name: row for row in rows}

    def _take(self, answer: Done | Status) -> None:
        self._problem.clear()
        if isinstance(answer, Done) and answer.preferences is not None:
            values = {preference.name: preference.value for preference in answer.preferences}
            self._values = {name: values[name] for name in view.NAMES if name in values}
            self._draw()

    def _set(self, name: str, value: str) -> None:
        self._problem.clear()
        self.link.ask(SetPreference(name=name, value=value), partial(self._keep, name, value), self._refuse)

    def _keep(self, name: str, value: str, _: Done | Status) -> None:
        self._values[name] = value
        self._draw()

    def _refuse(self, error: ClientError) -> None:
        """Show the error and the values that the daemon has."""
        self._problem.show_error(error)
        self._draw()

    def _draw(self) -> None:
        for name, row in self._rows.items():
            row.show_value(self._values.get(name, ""))
        fields = [row.field for row in self._rows.values() if isinstance(row, ChoiceRow)]
        widest = max(field.sizeHint().width() for field in fields)
        for field in fields:
            field.setMinimumWidth(widest)
        is_always = self._values.get(view.RUN_MODE) == "always"
        for name in (view.IDLE, view.HOURS, view.BATTERY):
            self._rows[name].set_usable(not is_always)
        self.altered.emit()
