"""The settings of the app itself: language, appearance, notifications, and closing."""

from PySide6.QtWidgets import QWidget

from gui.design.theme import current
from gui.preferences.row import SettingRow
from gui.settings import Appearance, AppSettings, AtClosing, AtQuitting
from gui.widgets.cards import Card
from gui.widgets.fields import ChoiceField
from gui.widgets.switches import SegmentedControl, Switch
from gui.wording.languages import LANGUAGES

_APPEARANCES: tuple[Appearance, ...] = ("system", "light", "dark")
_CLOSINGS: tuple[AtClosing, ...] = ("tray", "quit")
_QUITTINGS: tuple[AtQuitting, ...] = ("ask", "keep", "stop")


class AppCard(Card):
    """The app's own settings; all but the language take effect at once."""

    def __init__(self, settings: AppSettings, parent: QWidget | None = None) -> None:
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

    def _language(self) -> SettingRow:
        self.language = ChoiceField(self)
        self.language.addItem(self.tr("Same as the system"), "")
        for language in LANGUAGES:
            self.language.addItem(language.name, language.code)
        self.language.size_by_letters()
        self.language.setCurrentIndex(max(0, self.language.findData(self._settings.language)))
        self.language.activated.connect(self._choose_language)
        about = self.tr("A new language takes effect the next time Idlebrush starts.")
        return self._row(self.tr("Language"), about, self.language)

    def _appearance(self) -> SettingRow:
        self.appearance = SegmentedControl([self.tr("System"), self.tr("Light"), self.tr("Dark")], self)
        self.appearance.choose(_APPEARANCES.index(self._settings.appearance))
        self.appearance.chosen.connect(self._choose_appearance)
        return self._row(
            self.tr("Appearance"), self.tr("Light, dark, or the same as the system."), self.appearance
        )

    def _notifications(self) -> SettingRow:
        self.notifications = Switch("", self)
        self.notifications.setChecked(self._settings.notifications)
        self.notifications.clicked.connect(self._choose_notifications)
        about = self.tr(
            "Idlebrush notifies you when you are signed out, when something needs your "
            "attention, when you reach your best rank, and when a run is complete."
        )
        return self._row(self.tr("Notifications"), about, self.notifications)

    def _closing(self) -> SettingRow:
        self.closing = SegmentedControl([self.tr("Stay in the tray"), self.tr("Quit")], self)
        self.closing.choose(_CLOSINGS.index(self._settings.at_closing))
        self.closing.chosen.connect(self._choose_closing)
        about = self.tr("This applies if the desktop has a system tray.")
        return self._row(self.tr("When you close the window"), about, self.closing)

    def _quitting(self) -> SettingRow:
        words = [self.tr("Ask"), self.tr("Keep training"), self.tr("Stop")]
        self.quitting = SegmentedControl(words, self)
        self.quitting.choose(_QUITTINGS.index(self._settings.at_quitting))
        self.quitting.chosen.connect(self._choose_quitting)
        about = self.tr("Training can continue in the background.")
        return self._row(self.tr("When you quit the app"), about, self.quitting)

    def _row(self, title: str, about: str, editor: QWidget) -> SettingRow:
        editor.setAccessibleName(title)
        return SettingRow(title, about, editor, parent=self)

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
