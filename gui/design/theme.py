"""The look of the whole app, which follows the system's: light or dark, more contrast, less motion."""

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyle

from gui.design import fonts
from gui.design.focus import FocusRing
from gui.design.restyling import restyle
from gui.design.stylesheet import stylesheet
from gui.design.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Palette, mix
from gui.settings import Appearance
from gui.turns import Turns

_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


class Theme(QObject):
    """Belongs to the application; widgets that paint themselves ask `current()` each time that they do."""

    changed = Signal()
    """After the colours changed; the widgets that are there are told in turns, each by a change of palette."""

    def __init__(self, parent: QObject | None = None, appearance: Appearance = "system") -> None:
        super().__init__(parent)
        self.appearance: Appearance = appearance
        self.palette: Palette = LIGHT
        self._app: QApplication | None = None
        self._restyling = Turns(self)
        self._choose()

    @staticmethod
    def of(app: QCoreApplication) -> "Theme":
        """The one that was applied to it; one that is not applied where none was."""
        found = app.findChild(Theme, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return found if isinstance(found, Theme) else Theme(app)

    @property
    def is_dark(self) -> bool:
        return self.palette in (DARK, DARK_CONTRAST)

    @property
    def is_still(self) -> bool:
        """Whether the desktop wants no animations."""
        return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate) == 0

    def apply(self, app: QApplication) -> None:
        """Dress the application, and again whenever the system's look changes."""
        fonts.load()
        for other in app.findChildren(Theme, options=Qt.FindChildOption.FindDirectChildrenOnly):
            other.setParent(None)
        self.setParent(app)
        app.setStyle("Fusion")
        app.setFont(fonts.text())
        FocusRing(app, self)
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow)
        self.set_appearance(self.appearance)
        self._app = app
        self._dress(app)

    def set_appearance(self, appearance: Appearance) -> None:
        """As the user chose; ``system`` follows it."""
        self.appearance = appearance
        QGuiApplication.styleHints().setColorScheme(_SCHEMES[appearance])
        self._follow()

    def _follow(self) -> None:
        before = self.palette
        self._choose()
        if self._app is not None and self.palette != before:
            self._dress(self._app)
            self.changed.emit()

    def _choose(self) -> None:
        hints = QGuiApplication.styleHints()
        scheme = _SCHEMES[self.appearance]
        if scheme is Qt.ColorScheme.Unknown:
            scheme = hints.colorScheme()
        strong = hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
        if scheme is Qt.ColorScheme.Dark:
            self.palette = DARK_CONTRAST if strong else DARK
        else:
            self.palette = LIGHT_CONTRAST if strong else LIGHT

    def _dress(self, app: QApplication) -> None:
        sheet = stylesheet(self.palette, dark=self.is_dark)
        self._restyling.begin(restyle(app, qt_palette(self.palette), sheet))


def current() -> Theme:
    """The theme of the running application."""
    app = QCoreApplication.instance()
    assert app is not None, "widgets need an application"
    return Theme.of(app)


def qt_palette(colours: Palette) -> QPalette:
    """For what Qt draws itself, and for what reads the colours of text from it."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette()
    for of, colour in {
        role.Window: colours.paper, role.Base: colours.raised, role.AlternateBase: colours.paper,
        role.Button: colours.raised, role.ToolTipBase: colours.ink, role.ToolTipText: colours.paper,
        role.WindowText: colours.ink, role.Text: colours.ink, role.ButtonText: colours.ink,
        role.BrightText: colours.vermilion, role.PlaceholderText: colours.faint,
        role.Link: colours.accent, role.LinkVisited: colours.violet, role.Accent: colours.accent,
        role.Highlight: colours.selection, role.HighlightedText: colours.ink,
        role.Light: colours.raised, role.Midlight: colours.line, role.Mid: colours.line_strong,
        role.Dark: colours.faint, role.Shadow: colours.line_strong,
    }.items():  # fmt: skip
        palette.setColor(of, QColor(colour))
    dim = QColor(mix(colours.faint, colours.paper, 0.65))
    for of in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText):
        palette.setColor(group.Disabled, of, dim)
    return palette
