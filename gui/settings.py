"""The settings of the app itself; preferences of training belong to the daemon."""

from datetime import datetime
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QByteArray, QSettings

Appearance = Literal["system", "light", "dark"]
AtClosing = Literal["tray", "quit"]
AtQuitting = Literal["ask", "keep", "stop"]
PreferencesShown = Literal["simple", "all"]


class AppSettings:
    """Settings in a file in the client's folder; unreadable values count as not set."""

    def __init__(self, folder: Path) -> None:
        self._stored = QSettings(str(folder / "app.ini"), QSettings.Format.IniFormat)

    @property
    def language(self) -> str:
        """Language code such as ``de``; empty for the system's language."""
        return self._text("language")

    @language.setter
    def language(self, code: str) -> None:
        self._stored.setValue("language", code)

    @property
    def appearance(self) -> Appearance:
        return cast(Appearance, self._choice("appearance", ("system", "light", "dark")))

    @appearance.setter
    def appearance(self, appearance: Appearance) -> None:
        self._stored.setValue("appearance", appearance)

    @property
    def at_quitting(self) -> AtQuitting:
        """The choice about training when the app quits."""
        return cast(AtQuitting, self._choice("at-quitting", ("ask", "keep", "stop")))

    @at_quitting.setter
    def at_quitting(self, decision: AtQuitting) -> None:
        self._stored.setValue("at-quitting", decision)

    @property
    def at_closing(self) -> AtClosing:
        """The effect of closing the window if there is a tray."""
        return cast(AtClosing, self._choice("at-closing", ("tray", "quit")))

    @at_closing.setter
    def at_closing(self, decision: AtClosing) -> None:
        self._stored.setValue("at-closing", decision)

    @property
    def notifications(self) -> bool:
        return self._text("notifications") != "off"

    @notifications.setter
    def notifications(self, wanted: bool) -> None:
        self._stored.setValue("notifications", "on" if wanted else "off")

    @property
    def preferences_shown(self) -> PreferencesShown:
        """The view of the page Preferences: those that most volunteers need, or all."""
        return cast(PreferencesShown, self._choice("preferences-shown", ("simple", "all")))

    @preferences_shown.setter
    def preferences_shown(self, shown: PreferencesShown) -> None:
        self._stored.setValue("preferences-shown", shown)

    @property
    def first_run_done(self) -> bool:
        return self._text("first-run-done") == "yes"

    @first_run_done.setter
    def first_run_done(self, done: bool) -> None:
        self._stored.setValue("first-run-done", "yes" if done else "no")

    @property
    def geometry(self) -> QByteArray:
        """Geometry of the window; empty before it is first shown."""
        value = self._stored.value("geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._stored.setValue("geometry", geometry)

    def best_rank(self, run: str) -> int | None:
        """Return the best rank so far in the run of that digest; None if there was none."""
        text = self._text(f"best-rank/{run[:16]}")
        return int(text) if text.isdecimal() and int(text) > 0 else None

    def set_best_rank(self, run: str, rank: int) -> None:
        self._stored.setValue(f"best-rank/{run[:16]}", str(rank))

    def notified_at(self, key: str) -> datetime | None:
        """Return the time of the last notification with that key; None if there was none."""
        try:
            last = datetime.fromisoformat(self._text(f"told/{key}"))
        except ValueError:
            return None
        return last if last.tzinfo is not None else None

    def set_notified_at(self, key: str, at: datetime) -> None:
        self._stored.setValue(f"told/{key}", at.isoformat())

    def save(self) -> None:
        """Write the settings now; settings that cannot be written last until the app ends."""
        self._stored.sync()

    def _text(self, key: str) -> str:
        value = self._stored.value(key)
        return value if isinstance(value, str) else ""

    def _choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """Return the stored value if it is allowed, else the first allowed value."""
        value = self._text(key)
        return value if value in allowed else allowed[0]
