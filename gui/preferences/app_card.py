"""The settings of the app itself: language, appearance, notifications, and closing."""

from collections.abc import Callable
from functools import partial

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
        self._are_default: list[tuple[SettingRow, Callable[[], bool]]] = []
        self.rows = (
            self._language(),
            self._appearance(),
            self._notifications(),
            self._closing(),
            self._quitting(),
        )
        for row in self.rows:
            self.body.addWidget(row)
        self._offer_defaults()

    def _language(self) -> SettingRow:
        self.language = ChoiceField(self)
        self.language.addItem(self.tr("Same as the system"), "")
        for language in LANGUAGES:
            self.language.addItem(language.name, language.code)
        self.language.size_by_letters()
        self.language.setCurrentIndex(max(0, self.language.findData(self._settings.language)))
        self.language.activated.connect(self._choose_language)
        about = self.tr("A new language takes effect the next time Idlebrush starts.")
        row = self._row(self.tr("Language"), about, self.language)
        self._with_default(row, lambda: self.language.currentIndex() == 0, self._reset_language)
        return row

    def _appearance(self) -> SettingRow:
        self.appearance = SegmentedControl([self.tr("System"), self.tr("Light"), self.tr("Dark")], self)
        self.appearance.choose(_APPEARANCES.index(self._settings.appearance))
        about = self.tr("Light, dark, or the same as the system.")
        return self._choice_row(self.tr("Appearance"), about, self.appearance, self._choose_appearance)

    def _notifications(self) -> SettingRow:
        self.notifications = Switch("", self)
        self.notifications.setChecked(self._settings.notifications)
        self.notifications.clicked.connect(self._choose_notifications)
        about = self.tr(
            "Idlebrush notifies you when you are signed out, when something needs your "
            "attention, when you reach your best rank, and when a run is complete."
        )
        row = self._row(self.tr("Notifications"), about, self.notifications)
        self._with_default(row, self.notifications.isChecked, self._reset_notifications)
        return row

    def _closing(self) -> SettingRow:
        self.closing = SegmentedControl([self.tr("Stay in the tray"), self.tr("Quit")], self)
        self.closing.choose(_CLOSINGS.index(self._settings.at_closing))
        about = self.tr("This applies if the desktop has a system tray.")
        return self._choice_row(
            self.tr("When you close the window"), about, self.closing, self._choose_closing
        )

    def _quitting(self) -> SettingRow:
        words = [self.tr("Ask"), self.tr("Keep training"), self.tr("Stop")]
        self.quitting = SegmentedControl(words, self)
        self.quitting.choose(_QUITTINGS.index(self._settings.at_quitting))
        about = self.tr("Training can continue in the background.")
        return self._choice_row(self.tr("When you quit the app"), about, self.quitting, self._choose_quitting)

    def _row(self, title: str, about: str, editor: QWidget) -> SettingRow:
        editor.setAccessibleName(title)
        return SettingRow(title, about, editor, parent=self)

    def _choice_row(
        self, title: str, about: str, control: SegmentedControl, choose: Callable[[int], None]
    ) -> SettingRow:
        """Return the row of a choice whose first word is the default."""
        row = self._row(title, about, control)
        control.chosen.connect(choose)
        control.chosen.connect(self._offer_defaults)
        self._with_default(row, lambda: control.choice == 0, partial(_reset_choice, control))
        return row

    def _with_default(
        self, row: SettingRow, is_default: Callable[[], bool], restore: Callable[[], None]
    ) -> None:
        self._are_default.append((row, is_default))
        row.reset.connect(row.editor.setFocus)
        row.reset.connect(restore)

    def _offer_defaults(self) -> None:
        """Offer to restore the default of each setting that differs from it."""
        for row, is_default in self._are_default:
            row.default.setVisible(not is_default())

    def _reset_language(self) -> None:
        self.language.setCurrentIndex(0)
        self._choose_language(0)

    def _reset_notifications(self) -> None:
        self.notifications.setChecked(True)
        self._choose_notifications(True)

    def _choose_language(self, _place: int) -> None:
        self._settings.language = str(self.language.currentData())
        self.rows[0].show_saved()
        self._offer_defaults()

    def _choose_appearance(self, place: int) -> None:
        self._settings.appearance = _APPEARANCES[place]
        current().set_appearance(_APPEARANCES[place])

    def _choose_notifications(self, wanted: bool) -> None:
        self._settings.notifications = wanted
        self._offer_defaults()

    def _choose_closing(self, place: int) -> None:
        self._settings.at_closing = _CLOSINGS[place]

    def _choose_quitting(self, place: int) -> None:
        self._settings.at_quitting = _QUITTINGS[place]


def _reset_choice(control: SegmentedControl) -> None:
    control.choose(0)
    control.chosen.emit(0)
