"""Makes `app-*.png`: the app's screens, drawn without a display, with a made-up client behind them.

    .venv/bin/python -m docs.pictures.make_app_pictures [FOLDER [LANGUAGE ...]]

With a FOLDER, every screen goes there, light and dark, at 100 % and 200 %, and in each LANGUAGE (English without).
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_HERE = Path(__file__).parent
_LOOKS = ("light", "dark")
_SHOWN = {"now": "light", "gallery": "dark", "contribution": "light", "first-run-run": "light"}
"""Screens of the README and their themes."""
_SETTLED_MILLISECONDS = 700
"""Milliseconds after which nothing changes any more, unless pictures are still being decoded."""


@dataclass(frozen=True)
class Style:
    """The look, scale and language in which all screens are drawn."""

    look: str
    scale: int
    language: str

    @property
    def suffix(self) -> str:
        return f"{self.look}-{self.scale}00-{self.language}"


def draw_all(folder: Path, style: Style, wanted: tuple[str, ...]) -> None:
    """Draw in a process of its own, as Qt's scale cannot change later; all screens if none is named."""
    command = [sys.executable, "-m", "docs.pictures.make_app_pictures", "--draw", str(folder), style.look,
               style.language, *wanted]  # fmt: skip
    scaled = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(style.scale)}
    subprocess.run(command, check=True, env={**os.environ, **scaled})


def _draw(folder: Path, style: Style, wanted: tuple[str, ...]) -> None:
    from PySide6.QtWidgets import QApplication

    from gui.design.theme import Theme
    from gui.wording import languages

    app = QApplication([])
    languages.install(app, style.language)
    Theme(app, "dark" if style.look == "dark" else "light").apply(app)
    with tempfile.TemporaryDirectory() as home:
        for name, scene in scenes(Path(home)).items():
            if not wanted or name in wanted:
                widget = scene()
                widget.show()
                _settle(widget)
                widget.grab().save(str(folder / f"{name}-{style.suffix}.png"))
                widget.hide()
                widget.deleteLater()


def _settle(drawn: "QWidget") -> None:
    """Let pictures be decoded and widgets be arranged; the loop leaves Python to the threads that decode."""
    from PySide6.QtCore import QEventLoop, QThreadPool, QTimer
    from PySide6.QtWidgets import QWidget

    from gui.background import EventLoopTurns

    loop, busy = QEventLoop(), QThreadPool.globalInstance()
    while True:
        QTimer.singleShot(_SETTLED_MILLISECONDS, loop.quit)
        loop.exec()
        # A page does not paint while its rows are still being added.
        is_drawn = all(widget.updatesEnabled() for widget in drawn.findChildren(QWidget))
        is_arranged = not any(turns.is_working for turns in drawn.findChildren(EventLoopTurns))
        if is_drawn and is_arranged and not busy.activeThreadCount():
            return


def scenes(home: Path) -> "Mapping[str, Callable[[], QWidget]]":
    """Return what makes the window of each screen."""
    from docs.pictures import app_state, setup_state
    from docs.pictures.app_scenes import first_run, trouble, window

    state = app_state
    return {
        "now": lambda: window(home, "now", state.training),
        "now-paused": lambda: window(home, "now", state.paused),
        "now-first-day": lambda: window(home, "now", state.nothing),
        "gallery": lambda: window(home, "gallery", state.training),
        "gallery-mine": lambda: window(home, "gallery", state.training, part="own"),
        "contribution": lambda: window(home, "contribution", state.training),
        "leaderboard": lambda: window(home, "leaderboard", state.training),
        "preferences": lambda: window(home, "preferences", state.training),
        "log": lambda: window(home, "log", state.training),
        "about": lambda: window(home, "about", state.training),
        "absent": lambda: trouble(home),
        "now-setup": lambda: window(home, "now", setup_state.under_way),
        "log-setup": lambda: window(home, "log", setup_state.offered),
        "first-run-welcome": lambda: first_run(home, 0, state.nothing),
        "first-run-sign-in": lambda: first_run(home, 1, state.signing_in),
        "first-run-run": lambda: first_run(home, 2, state.candidate),
        "first-run-times": lambda: first_run(home, 3, state.candidate),
        "first-run-consent": lambda: first_run(home, 4, state.candidate),
        "first-run-joined": lambda: first_run(home, 4, setup_state.offered),
        "first-run-setup": lambda: first_run(home, 5, setup_state.offered),
        "first-run-setup-under-way": lambda: first_run(home, 5, setup_state.under_way),
        "first-run-setup-failed": lambda: first_run(home, 5, setup_state.failed),
    }


def main() -> None:
    if sys.argv[1:2] == ["--draw"]:
        folder, look, language, *wanted = sys.argv[2:]
        _draw(Path(folder), Style(look, int(os.environ["QT_SCALE_FACTOR"]), language), tuple(wanted))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="for every screen; without, those of the README")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", default=["en"])
    options = parser.parse_args()
    if options.folder is None:
        _draw_for_docs()
    else:
        options.folder.mkdir(parents=True, exist_ok=True)
        _draw_everything(options.folder, options.languages)


def _draw_everything(folder: Path, languages: Iterable[str]) -> None:
    for language in languages:
        for look in _LOOKS:
            for scale in (1, 2):
                draw_all(folder, Style(look, scale, language), ())


def _draw_for_docs() -> None:
    from PIL import Image

    from docs.pictures import palette

    with tempfile.TemporaryDirectory() as folder:
        for name, look in _SHOWN.items():
            style = Style(look, 2, "en")
            draw_all(Path(folder), style, (name,))
            with Image.open(Path(folder) / f"{name}-{style.suffix}.png") as picture:
                palette.save(picture, _HERE / f"app-{name}.png")


if __name__ == "__main__":
    main()
