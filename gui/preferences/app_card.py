"""What the app itself can be told: its language and looks, and what it does when it is closed."""

from PySide6.QtWidgets import QWidget

from gui.design.theme import current
from gui.preferences.row import Row
from gui.settings import Appearance, AtClosing, AtQuitting, Settings
from gui.widgets.card import Card
from gui.widgets.fields import ChoiceField
from gui.widgets.segmented import SegmentedControl
from gui.widgets.switch import Switch
from gui.wording.languages import LANGUAGES

_APPEARANCES: tuple[Appearance, ...] = ("system", "light", "dark")
_CLOSINGS: tuple[AtClosing, ...] = ("tray", "quit")
_QUITTINGS: tuple[AtQuitting, ...] = ("ask", "keep", "stop")


class AppCard(Card):
    """Takes effect at once, but for the language."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.set_title(self.tr("This app"))
        self._settings = settings
        self.rows = (
            self._language(),
            self._appearance(),
            self._notifications(),
            self._closing(),
            self._quitting(),
        )
        for row in self.rows:
            self.body.addWidget(row)

    def _language(self) -> Row:
        self.language = ChoiceField(self)
        self.language.addItem(self.tr("Same as the system"), "")
        for language in LANGUAGES:
            self.language.addItem(language.name, language.code)
        self.language.size_by_letters()
        self.language.setCurrentIndex(max(0, self.language.findData(self._settings.language)))
        self.language.activated.connect(self._choose_language)
        about = self.tr("A new language takes effect the next time Idlebrush starts.")
        return self._row(self.tr("Language"), about, self.language)

    def _appearance(self) -> Row:
        self.appearance = SegmentedControl([self.tr("System"), self.tr("Light"), self.tr("Dark")], self)
        self.appearance.choose(_APPEARANCES.index(self._settings.appearance))
        self.appearance.chosen.connect(self._choose_appearance)
        return self._row(
            self.tr("Appearance"), self.tr("Light, dark, or the same as the system."), self.appearance
        )

    def _notifications(self) -> Row:
        self.notifications = Switch("", self)
        self.notifications.setChecked(self._settings.notifications)
        self.notifications.clicked.connect(self._choose_notifications)
        about = self.tr(
            "When you are signed out, something needs your attention, you reach your best rank, or a run "
            "is complete."
        )
        return self._row(self.tr("Notifications"), about, self.notifications)

    def _closing(self) -> Row:
        self.closing = SegmentedControl([self.tr("Stay in the tray"), self.tr("Quit")], self)
        self.closing.choose(_CLOSINGS.index(self._settings.at_closing))
        self.closing.chosen.connect(self._choose_closing)
        about = self.tr("What happens to the app, if the desktop has a tray.")
        return self._row(self.tr("When the window is closed"), about, self.closing)

    def _quitting(self) -> Row:
        words = [self.tr("Ask"), self.tr("Keep training"), self.tr("Stop")]
        self.quitting = SegmentedControl(words, self)
        self.quitting.choose(_QUITTINGS.index(self._settings.at_quitting))
        self.quitting.chosen.connect(self._choose_quitting)
        about = self.tr("What happens to training in the background.")
        return self._row(self.tr("When the app is quit"), about, self.quitting)

    def _row(self, title: str, about: str, editor: QWidget) -> Row:
        editor.setAccessibleName(title)
        return Row(title, about, editor, parent=self)

    def _choose_language(self, _place: int) -> None:
        self._settings.language = str(self.language.currentData())
        self.rows[0].show_saved()

    def _choose_appearance(self, place: int) -> None:
        self._settings.appearance = _APPEARANCES[place]
        current().set_appearance(_APPEARANCES[place])

    def _choose_notifications(self, wanted: bool) -> None:
        self._settings.notifications = wanted

    def _choose_closing(self, place: int) -> None:
        self._settings.at_closing = _CLOSINGS[place]

    def _choose_quitting(self, place: int) -> None:
        self._settings.at_quitting = _QUITTINGS[place]
