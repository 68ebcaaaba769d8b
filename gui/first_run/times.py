"""The screen of when training may run: the few preferences that matter at first, each saved as it is chosen."""

from functools import partial

from PySide6.QtWidgets import QWidget

from client.api.answers import Done, Status
from client.api.commands import SetPreference
from client.api.errors import ClientError
from client.api.questions import ShowPreferences
from gui.design.tokens import Space
from gui.first_run import times_view as view
from gui.first_run.problem_note import ProblemNote
from gui.first_run.screen import Screen
from gui.first_run.steps import Step
from gui.first_run.time_rows import ChoiceRow, Row, SwitchRow
from gui.link.link import Link
from gui.link.state import LinkState
from gui.widgets.card import Card


class TimesScreen(Screen):
    """Shows what the daemon says, and nothing that it has not taken."""

    step = Step.TIMES

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._values: dict[str, str] = {}
        self.add_heading(
            self.tr("When may it train?"),
            self.tr("These are good to begin with. You can change them, and many more, at any time."),
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
        """By the names of the preferences; empty: the daemon has not told them yet."""
        return dict(self._values)

    def primary_is_ready(self) -> bool:
        """Once it is known what the volunteer will agree to, or that it cannot be known."""
        return bool(self._values) or not self._problem.isHidden()

    def first_focus(self) -> QWidget | None:
        row = self._rows[view.RUN_MODE]
        assert isinstance(row, ChoiceRow)
        return row.field

    def shown(self) -> None:
        """Ask for what holds now."""
        self.link.ask(ShowPreferences(), self._take, self._refuse)

    def _ask_again(self, state: LinkState) -> None:
        """Of a daemon that has come back."""
        if state is LinkState.CONNECTED and self.isVisible():
            self.shown()

    def _make_rows(self, card: QWidget) -> dict[str, Row]:
        rows = (
            ChoiceRow(
                view.RUN_MODE,
                self.tr("Train"),
                self.tr("“Always” goes on while you use the computer."),
                view.run_modes,
                card,
            ),
            ChoiceRow(
                view.IDLE,
                self.tr("You are away after"),
                self.tr("Without touching keyboard or mouse. When you come back, it stops at once."),
                view.idle_choices,
                card,
            ),
            ChoiceRow(view.HOURS, self.tr("Hours"), self.tr("In local time."), view.hours, card),
            ChoiceRow(
                view.SHARE,
                self.tr("Heat and noise"),
                self.tr("With breaks between steps, the computer stays cooler and quieter."),
                view.shares,
                card,
            ),
            SwitchRow(
                view.BATTERY,
                self.tr("Train on battery"),
                self.tr("Otherwise it waits until the computer is plugged in."),
                ("allow", "pause"),
                card,
            ),
            SwitchRow(
                view.LOGIN,
                self.tr("Start when I log in"),
                self.tr("In the background, without a window."),
                ("on", "off"),
                card,
            ),
        )
        return {row.name: row for row in rows}

    def _take(self, answer: Done | Status) -> None:
        self._problem.clear()
        if isinstance(answer, Done) and answer.preferences is not None:
            told = {preference.name: preference.value for preference in answer.preferences}
            self._values = {name: told[name] for name in view.NAMES if name in told}
            self._draw()

    def _set(self, name: str, value: str) -> None:
        self._problem.clear()
        self.link.ask(SetPreference(name=name, value=value), partial(self._keep, name, value), self._refuse)

    def _keep(self, name: str, value: str, _: Done | Status) -> None:
        self._values[name] = value
        self._draw()

    def _refuse(self, error: ClientError) -> None:
        """What is shown goes back to what holds."""
        self._problem.tell(error)
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
            self._rows[name].setEnabled(not is_always)
        self.altered.emit()
