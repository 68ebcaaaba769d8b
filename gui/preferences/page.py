"""The page Preferences: a simple view or all of them by section, with a search; every edit is saved at once."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.choices import PreferenceView, Shape
from client.api.commands import SetPreference
from client.api.errors import ClientError
from client.api.questions import ShowPreferences
from client.api.snapshot import Snapshot
from gui.background import EventLoopTurns
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.preferences.app_card import AppCard
from gui.preferences.editors import ChoiceEditor, Editor, SwitchEditor
from gui.preferences.extent import ExtentControl, HiddenChangesNote
from gui.preferences.hours import HoursEditor
from gui.preferences.list_editor import NamesEditor, NumbersEditor
from gui.preferences.number_editor import NumberEditor
from gui.preferences.row import SettingRow, words
from gui.preferences.text_editor import TextEditor, WeeklyEditor
from gui.settings import AppSettings
from gui.widgets.accessibility import follow_layout
from gui.widgets.cards import Card, EmptyState
from gui.widgets.fields import SearchField
from gui.widgets.labels import heading
from gui.widgets.layouts import PageColumn, PageHead
from gui.window.pages import AppPage, page_title
from gui.wording import preferences as wording
from gui.wording.codes import problem_words

_EDITORS: dict[Shape, Callable[[PreferenceView], Editor]] = {
    Shape.SWITCH: SwitchEditor,
    Shape.CHOICE: ChoiceEditor,
    Shape.HOURS: HoursEditor,
    Shape.NAMES: NamesEditor,
    Shape.NUMBERS: NumbersEditor,
    Shape.TEXT: TextEditor,
    Shape.WEEKLY: WeeklyEditor,
}
_FRESH_MS = 3000
"""Milliseconds before the values are requested again, because they rarely change elsewhere."""


class PreferenceRow(SettingRow):
    saved = Signal()
    """Emitted when the daemon has saved an edit."""

    def __init__(self, view: PreferenceView, link: AppLink, parent: QWidget | None = None) -> None:
        editor = _EDITORS.get(view.shape, NumberEditor)(view)
        words = wording.words(view)
        super().__init__(words.title, words.about, editor, wide=editor.is_wide, parent=parent)
        self.view, self._link, self._editor = view, link, editor
        self._asked = 0
        editor.set_name(words.title)
        editor.edited.connect(self._save)
        self.reset.connect(self._reset)
        self.default.setVisible(not view.is_default)

    def show_view(self, view: PreferenceView) -> None:
        """Show the daemon's value, unless the user is editing it."""
        if self._asked or self._editor.is_in_use or view == self.view:
            return
        self.view = view
        self._editor.show_view(view)
        self.default.setVisible(not view.is_default)

    def _save(self, value: str) -> None:
        self._asked += 1
        self._link.ask(SetPreference(name=self.view.name, value=value), self._done, self._failed)

    def _reset(self) -> None:
        self.editor.setFocus()
        self._save(self.view.default)

    def _done(self, _answer: Done | Status) -> None:
        self._asked -= 1
        self.show_saved()
        self.saved.emit()

    def _failed(self, error: ClientError) -> None:
        self._asked -= 1
        self._editor.show_view(self.view)
        self.show_error("\n".join(filter(None, problem_words(error.code, error.what, error.remedy))))


class PreferencesPage(AppPage):
    name = "preferences"

    def __init__(self, link: AppLink, settings: AppSettings, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self.search = SearchField(self.tr("Search the preferences"), self)
        self.search.searched.connect(self._find)
        self.extent = ExtentControl(settings, self)
        self.extent.changed.connect(self._show_extent)
        self.hidden_changes = HiddenChangesNote(self.extent, self)
        self.app = AppCard(settings)
        self.nothing = EmptyState(
            "search", self.tr("No matching preference"), self.tr("Try another word."), self.tr("Show all")
        )
        self.nothing.acted.connect(self.search.clear)
        self._sections: dict[str, Card] = {}
        self._rows: dict[str, PreferenceRow] = {}
        self._wanted = ""
        """Name of a preference to show once its row exists."""
        self._asked = QElapsedTimer()
        self._adding, self._finding = EventLoopTurns(self), EventLoopTurns(self)
        self._lay_out()

    @property
    def rows(self) -> dict[str, PreferenceRow]:
        """Rows by the names of their preferences."""
        return self._rows

    def shown(self) -> None:
        self._ask()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        for card in self._sections.values():
            card.setEnabled(snapshot is not None)
        is_old = not self._asked.isValid() or self._asked.hasExpired(_FRESH_MS)
        if snapshot is not None and self.isVisible() and is_old:
            self._ask()

    def show_preference(self, name: str) -> None:
        """Scroll to a preference and highlight it."""
        self.search.clear()
        self._wanted = name
        self.extent.reveal(name)

    def _lay_out(self) -> None:
        self._column = PageColumn(self)
        self._column.body.addWidget(PageHead(heading(page_title(self.name)), self.extent))
        self._column.body.addWidget(self.search)
        self._column.body.addWidget(self.hidden_changes)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(Space.L)
        self._cards.addWidget(self.app)
        self._column.body.addLayout(self._cards)
        self._column.body.addWidget(self.nothing)
        self._column.body.addStretch(1)
        self.nothing.hide()
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self._column)

    def _ask(self) -> None:
        self._asked.start()
        self.link.ask(ShowPreferences(), self._show, self._without)

    def _show(self, answer: Done | Status) -> None:
        views = (answer.preferences if isinstance(answer, Done) else None) or ()
        for view in views:
            if view.name in self._rows:
                self._rows[view.name].show_view(view)
        new = [view for view in views if view.name not in self._rows]
        if new:
            self._adding.begin(self._add_all(new))
        else:
            self._show_hidden_changes()

    def _without(self, _error: ClientError) -> None:
        """Ask again with the next snapshot; the window reports the state of the daemon."""
        self._asked.invalidate()

    def _add_all(self, views: list[PreferenceView]) -> Iterator[None]:
        # Painted once, when all rows exist, so that nothing moves.
        self._column.setUpdatesEnabled(False)
        for view in views:
            self._add(view)
            yield
        self._column.setUpdatesEnabled(True)
        follow_layout(self)
        self._find(self.search.text())

    def _add(self, view: PreferenceView) -> None:
        if view.section not in self._sections:
            card = self._sections[view.section] = Card(wording.section(view.section))
            self._cards.insertWidget(self._cards.count() - 1, card)
        row = self._rows[view.name] = PreferenceRow(view, self.link)
        row.saved.connect(self._ask)
        self._sections[view.section].body.addWidget(row)

    def _show_extent(self) -> None:
        self._find(self.search.text())

    def _find(self, query: str) -> None:
        self._finding.begin(self._find_all(query))

    def _find_all(self, query: str) -> Iterator[None]:
        is_any = False
        for card, rows in list(self._by_card()):
            found = [self._is_shown(row, query, others) for row, others in rows]
            card.setVisible(any(found))
            is_any = is_any or any(found)
            for (row, _), is_found in zip(rows, found, strict=True):
                row.mark(query)
                row.setVisible(is_found)
                yield
        self.nothing.setVisible(not is_any)
        self._show_hidden_changes()
        self._show_wanted()

    def _is_shown(self, row: SettingRow, query: str, others: str) -> bool:
        """Return true if the view includes the row; a search finds preferences that the view leaves out."""
        if isinstance(row, PreferenceRow) and not words(query) and not self.extent.extent.includes(row.view):
            return False
        return row.matches(query, others)

    def _show_hidden_changes(self) -> None:
        views = () if words(self.search.text()) else (row.view for row in self._rows.values())
        self.hidden_changes.show_names(self.extent.extent.hidden_changes(views))

    def _by_card(self) -> Iterator[tuple[Card, list[tuple[SettingRow, str]]]]:
        """Yield each card with its rows, and the further words by which these are found."""
        for section, card in self._sections.items():
            name = wording.section(section)
            yield (
                card,
                [(row, f"{each} {name}") for each, row in self._rows.items() if row.view.section == section],
            )
        yield self.app, [(row, "") for row in self.app.rows]

    def _show_wanted(self) -> None:
        row = self._rows.get(self._wanted)
        if row is not None and self.isVisible():
            self._wanted = ""
            row.stand_out()
            row.editor.setFocus()
            # Rows that were just added or shown are laid out by then.
            QTimer.singleShot(0, row, partial(self._column.ensureWidgetVisible, row, 0, int(Space.HUGE)))
