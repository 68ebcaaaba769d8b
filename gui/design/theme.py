"""The look of the whole app, which follows the system: light or dark, more contrast, less motion."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from string import Template

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QWidget
from shiboken6 import isValid

from gui.background import EventLoopTurns
from gui.design import fonts
from gui.design.assets import asset
from gui.design.focus import FocusRing
from gui.design.tokens import (
    CONTROL_HEIGHT,
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    Palette,
    Radius,
    Type,
    mix,
)
from gui.settings import Appearance

_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


def stylesheet(palette: Palette, *, dark: bool) -> str:
    """Return the style sheet of the application; marks within controls exist for light and dark themes."""
    source = Template(asset("theme", "app.qss").read_text(encoding="utf-8"))
    return source.substitute(
        asdict(palette),
        hover=mix(palette.sunken, palette.line, 0.7),
        chosen=mix(palette.selection, palette.raised, 0.5),
        accent_hover=mix(palette.accent, palette.ink, 0.86),
        accent_pressed=mix(palette.accent, palette.ink, 0.72),
        dim=mix(palette.faint, palette.paper, 0.65),
        **_banners(palette),
        **{f"size_{size.name.lower()}": f"{size.value}px" for size in Type},
        **{f"radius_{radius.name.lower()}": f"{radius.value}px" for radius in Radius},
        height=f"{CONTROL_HEIGHT}px",
        marks=asset("theme", "dark" if dark else "light").as_posix(),
    )


def _banners(palette: Palette) -> dict[str, str]:
    tones = {"warning": palette.ochre, "error": palette.vermilion, "done": palette.viridian}
    fills = {f"{kind}_fill": mix(tone, palette.raised, 0.08) for kind, tone in tones.items()}
    edges = {"info": palette.accent, **tones}
    return fills | {f"banner_{kind}": mix(tone, palette.raised, 0.4) for kind, tone in edges.items()}


def restyle(app: QApplication, palette: QPalette, sheet: str) -> Generator[None, None, None]:
    """Apply palette and style sheet: the first step is for new widgets, each further step for one existing widget."""
    widgets = app.allWidgets()
    seen = [widget for widget in widgets if _is_seen(widget)]
    with _unpainted([widget for widget in seen if widget.isWindow()]):
        app.setPalette(palette)
        # Qt has computed the old style for each widget. Unless that is dropped first, it computes the new one
        # for all widgets within this call, and once for each ancestor of a widget.
        app.style().unpolish(app)
        app.setStyleSheet(sheet)
        yield
        yield from _polish(seen)
    yield from _polish(set(widgets) - set(seen))


def _is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def _polish(widgets: Iterable[QWidget]) -> Iterator[None]:
    for widget in filter(isValid, widgets):
        widget.style().polish(widget)
        yield


@contextmanager
def _unpainted(windows: Sequence[QWidget]) -> Iterator[None]:
    """Suspend painting of the windows, so that no mixture of old and new colours is visible."""
    for window in windows:
        window.setUpdatesEnabled(False)
    try:
        yield
    finally:
        for window in filter(isValid, windows):
            window.setUpdatesEnabled(True)


class Theme(QObject):
    """The theme of the application; widgets that paint themselves read `current()` at each paint."""

    changed = Signal()
    """Emitted after a change of colours; existing widgets then receive palette changes in turns."""

    def __init__(self, parent: QObject | None = None, appearance: Appearance = "system") -> None:
        super().__init__(parent)
        self.appearance: Appearance = appearance
        self.palette: Palette = LIGHT
        self._app: QApplication | None = None
        self._restyling = EventLoopTurns(self)
        self._choose()

    @staticmethod
    def of(app: QCoreApplication) -> "Theme":
        """Return the theme applied to an application; a new one if none was applied."""
        found = app.findChild(Theme, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return found if isinstance(found, Theme) else Theme(app)

    @property
    def is_dark(self) -> bool:
        return self.palette in (DARK, DARK_CONTRAST)

    @property
    def is_still(self) -> bool:
        """True if the desktop asks for no animations."""
        return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate) == 0

    def apply(self, app: QApplication) -> None:
        """Apply the theme now, and again whenever the system's look changes."""
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
        """Set the appearance; ``system`` follows the desktop."""
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
    """Return the theme of the running application."""
    app = QCoreApplication.instance()
    assert app is not None, "widgets need an application"
    return Theme.of(app)


def qt_palette(colours: Palette) -> QPalette:
    """Return the palette for widgets that Qt draws, and for text colours."""
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
