"""A process that shows the app on a real display, with a client that is made up: ``PAGE FOLDER``.

The page is one of the window's, or the number of a screen of the first run.
"""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from docs.pictures import app_state
from docs.pictures.app_scenes import first_run, window
from gui.settings import AppSettings


def _shown(page: str, home: Path) -> QWidget:
    if page.isdecimal():
        return first_run(home, int(page), app_state.candidate)
    settings = AppSettings(home)
    settings.preferences_shown = "all"
    settings.save()
    return window(home, page, app_state.training)


if __name__ == "__main__":
    app = QApplication([])
    shown = _shown(sys.argv[1], Path(sys.argv[2]))
    shown.show()
    sys.exit(app.exec())
