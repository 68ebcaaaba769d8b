"""How many preferences the page shows: those that most volunteers need, or all; and a note about hidden changes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from client.api.choices import PreferenceView
from gui.settings import AppSettings, PreferencesShown
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.switches import SegmentedControl

_CHOICES: tuple[PreferencesShown, ...] = ("simple", "all")


@dataclass(frozen=True)
class Extent:
    """The preferences that are shown while nothing is searched for."""

    shown: PreferencesShown
    revealed: frozenset[str] = frozenset()
    """Names of preferences that the simple view shows as well."""

    def includes(self, view: PreferenceView) -> bool:
        return self.shown == "all" or view.is_simple or view.name in self.revealed

    def hidden_changes(self, views: Iterable[PreferenceView]) -> tuple[str, ...]:
        """Return the names of the hidden preferences that differ from their defaults."""
        return tuple(view.name for view in views if not view.is_default and not self.includes(view))

    def revealing(self, *names: str) -> "Extent":
        return replace(self, revealed=self.revealed.union(names))


class ExtentControl(SegmentedControl):
    """The choice between the simple view and all preferences; the app remembers it."""

    changed = Signal()
    """Emitted when another extent is to be shown."""

    def __init__(self, settings: AppSettings, parent: QWidget | None = None) -> None:
        super().__init__(
            [self.tr("Simple"), self.tr("All")], parent, name=self.tr("Which preferences to show")
        )
        self._settings = settings
        self.extent = Extent(settings.preferences_shown)
        self.choose(_CHOICES.index(self.extent.shown))
        self.chosen.connect(self._remember)

    def reveal(self, *names: str) -> None:
        """Show these preferences in the simple view as well, until the view is chosen again."""
        self.extent = self.extent.revealing(*names)
        self.changed.emit()

    def _remember(self, place: int) -> None:
        self._settings.preferences_shown = _CHOICES[place]
        self.extent = Extent(_CHOICES[place])
        self.changed.emit()


class HiddenChangesNote(Banner):
    """Counts the hidden preferences that differ from their defaults, and offers to show them."""

    def __init__(self, control: ExtentControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._control = control
        self._names: tuple[str, ...] = ()

    def show_names(self, names: tuple[str, ...]) -> None:
        """Show how many there are; without any, the note is hidden."""
        self._names = names
        if not names:
            self.hide()
            return
        text = self.tr("%Ln more setting(s) differ from the default", "", len(names))
        self.show_message(BannerKind.INFO, text, "", self.tr("Show them"), self._reveal, dismissable=False)

    def _reveal(self) -> None:
        self._control.reveal(*self._names)
