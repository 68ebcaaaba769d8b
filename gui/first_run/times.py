"""The screen of when training may run: the few preferences that matter at first, each saved as it is chosen."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from client.api.errors import ClientError
from client.api.requests import Done, SetPreference, ShowPreferences, Status
from gui.design.tokens import Space
from gui.first_run import times_view as view
from gui.first_run.problem_note import ProblemNote
from gui.first_run.screen import Screen
from gui.first_run.steps import Step
from gui.first_run.times_view import Choice
from gui.link.link import Link
from gui.widgets.card import Card
from gui.widgets.labels import caption, strong
from gui.widgets.switch import Switch

Choices = Callable[[str], tuple[Choice, ...]]


class TimesScreen(Screen):
    """Shows what the daemon says, and nothing that it has not taken."""

    step = Step.TIMES

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._values: dict[str, str] = {}
        self._combos: dict[str, tuple[QComboBox, Choices]] = {}
        self._switches: dict[str, tuple[Switch, str, str]] = {}
        self.add_heading(
            self.tr("When may it train?"),
            self.tr("These are good to begin with. You can change them, and many more, at any time."),
        )
        self._problem = ProblemNote(self)
        self.content.addWidget(self._problem)
        self._card = Card("", self)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.L)
        self._grid.setColumnStretch(0, 1)
        self._card.body.addLayout(self._grid)
        self.content.addWidget(self._card)
        self._add_rows()
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("When to train")

    @property
    def values(self) -> dict[str, str]:
        """By the names of the preferences; empty: the daemon has not told them yet."""
        return dict(self._values)

    def first_focus(self) -> QWidget | None:
        return self._combos[view.RUN_MODE][0]

    def shown(self) -> None:
        self.load()

    def load(self) -> None:
        """Ask for what holds now."""
        self.link.ask(ShowPreferences(), self._take, self._problem.tell)

    def _add_rows(self) -> None:
        self._add_combo(
            view.RUN_MODE,
            self.tr("Train"),
            self.tr("“Always” goes on while you use the computer."),
            lambda _: view.run_modes(),
        )
        self._add_combo(
            view.IDLE,
            self.tr("You are away after"),
            self.tr("Without a touch of keyboard or mouse. When you come back, it stops at once."),
            view.idle_choices,
        )
        self._add_combo(view.HOURS, self.tr("Hours"), self.tr("In local time."), view.hours)
        self._add_combo(
            view.SHARE,
            self.tr("Heat and noise"),
            self.tr("With breaks between steps, the computer stays cooler and quieter."),
            view.shares,
        )
        self._add_switch(
            view.BATTERY,
            self.tr("Train on battery"),
            self.tr("Otherwise it waits until the computer is plugged in."),
            ("allow", "pause"),
        )
        self._add_switch(
            view.LOGIN,
            self.tr("Start when I log in"),
            self.tr("In the background, without a window."),
            ("on", "off"),
        )

    def _add_words(self, title: str, text: str) -> int:
        row = self._grid.rowCount()
        words = QWidget(self._card)
        lines = QGridLayout(words)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setVerticalSpacing(2)
        lines.addWidget(strong(title, words), 0, 0)
        lines.addWidget(caption(text, words), 1, 0)
        self._grid.addWidget(words, row, 0)
        return row

    def _add_combo(self, name: str, title: str, text: str, choices: Choices) -> None:
        row = self._add_words(title, text)
        combo = QComboBox(self._card)
        combo.setAccessibleName(title)
        combo.setAccessibleDescription(text)
        combo.activated.connect(partial(self._choose, name))
        self._combos[name] = combo, choices
        self._grid.addWidget(combo, row, 1, Qt.AlignmentFlag.AlignVCenter)

    def _add_switch(self, name: str, title: str, text: str, words: tuple[str, str]) -> None:
        row = self._add_words(title, text)
        switch = Switch("", self._card)
        switch.setAccessibleName(title)
        switch.setAccessibleDescription(text)
        switch.clicked.connect(partial(self._switch, name))
        self._switches[name] = switch, *words
        trailing = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        self._grid.addWidget(switch, row, 1, trailing)

    def _take(self, answer: Done | Status) -> None:
        if isinstance(answer, Done) and answer.preferences is not None:
            told = {preference.name: preference.value for preference in answer.preferences}
            self._values = {name: told[name] for name in view.NAMES if name in told}
            self._draw()

    def _choose(self, name: str, index: int) -> None:
        self._set(name, str(self._combos[name][0].itemData(index)))

    def _switch(self, name: str, is_on: bool) -> None:
        _, on, off = self._switches[name]
        self._set(name, on if is_on else off)

    def _set(self, name: str, value: str) -> None:
        self._problem.clear()
        self.link.ask(SetPreference(name=name, value=value), partial(self._keep, name, value), self._refuse)

    def _keep(self, name: str, value: str, _: object) -> None:
        self._values[name] = value
        self._draw()

    def _refuse(self, error: ClientError) -> None:
        """What is shown goes back to what holds."""
        self._problem.tell(error)
        self._draw()

    def _draw(self) -> None:
        for name, (combo, choices) in self._combos.items():
            _fill(combo, choices(self._values.get(name, "")), self._values.get(name, ""))
        for name, (switch, on, _) in self._switches.items():
            switch.setChecked(self._values.get(name) == on)
        is_always = self._values.get(view.RUN_MODE) == "always"
        for name in (view.IDLE, view.HOURS):
            self._combos[name][0].setEnabled(not is_always)
        self.altered.emit()


def _fill(combo: QComboBox, choices: tuple[Choice, ...], value: str) -> None:
    """With these, where they are not there already."""
    present = tuple(Choice(combo.itemData(at), combo.itemText(at)) for at in range(combo.count()))
    if present != choices:
        combo.clear()
        for choice in choices:
            combo.addItem(choice.text, choice.value)
    combo.setCurrentIndex(combo.findData(value))
