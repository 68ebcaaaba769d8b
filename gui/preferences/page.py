"""The page Preferences: all that the client can be told, by section, with a search; saved at once."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.choices import PreferenceView
from client.api.errors import ClientError
from client.api.questions import ShowPreferences
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.link.link import Link
from gui.preferences.app_card import AppCard
from gui.preferences.preference_row import PreferenceRow
from gui.preferences.row import Row
from gui.settings import Settings
from gui.turns import Turns
from gui.widgets.card import Card
from gui.widgets.column import Column
from gui.widgets.empty import EmptyState
from gui.widgets.labels import heading
from gui.widgets.search_field import SearchField
from gui.widgets.tab_order import follow_layout
from gui.window.page import Page
from gui.window.titles import page_title
from gui.wording import preferences as wording

_FRESH_MS = 3000
"""For so long the values are not asked for again: others change them rarely."""


class PreferencesPage(Page):
    name = "preferences"

    def __init__(self, link: Link, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self.search = SearchField(self.tr("Search the preferences"), self)
        self.search.searched.connect(self._find)
        self.app = AppCard(settings)
        self.nothing = EmptyState(
            "search", self.tr("No such preference"), self.tr("Try another word."), self.tr("Show all")
        )
        self.nothing.acted.connect(self.search.clear)
        self._sections: dict[str, Card] = {}
        self._rows: dict[str, PreferenceRow] = {}
        self._wanted = ""
        """Of a preference that is to be shown once it is there."""
        self._asked = QElapsedTimer()
        self._adding, self._finding = Turns(self), Turns(self)
        self._lay_out()

    @property
    def rows(self) -> dict[str, PreferenceRow]:
        """By the names of their preferences."""
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
        """Bring one before the eyes of somebody who was sent here for it."""
        self.search.clear()
        self._wanted = name
        self._find("")

    def _lay_out(self) -> None:
        self._column = Column(self)
        self._column.body.addWidget(heading(page_title(self.name)))
        self._column.body.addWidget(self.search)
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

    def _without(self, _error: ClientError) -> None:
        """The window tells how it stands with the daemon; the page asks again with the next snapshot."""
        self._asked.invalidate()

    def _add_all(self, views: list[PreferenceView]) -> Iterator[None]:
        # Drawn once, when all are there: nothing jumps, and no turn is spent on what is not final.
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

    def _find(self, query: str) -> None:
        self._finding.begin(self._find_all(query))

    def _find_all(self, query: str) -> Iterator[None]:
        is_any = False
        for card, rows in list(self._by_card()):
            found = [row.matches(query, others) for row, others in rows]
            card.setVisible(any(found))
            is_any = is_any or any(found)
            for (row, _), is_found in zip(rows, found, strict=True):
                row.mark(query)
                row.setVisible(is_found)
                yield
        self.nothing.setVisible(not is_any)
        self._show_wanted()

    def _by_card(self) -> Iterator[tuple[Card, list[tuple[Row, str]]]]:
        """Each card with its rows and what else these are found by."""
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
            # What has just been added or shown again is laid out by then.
            QTimer.singleShot(0, row, partial(self._column.ensureWidgetVisible, row, 0, int(Space.HUGE)))
