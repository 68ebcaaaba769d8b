"""A process that shows the app's window on a real display, with a client that is made up: ``PAGE FOLDER``."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from docs.pictures import app_state
from docs.pictures.app_scenes import window

if __name__ == "__main__":
    app = QApplication([])
    shown = window(Path(sys.argv[2]), sys.argv[1], app_state.training)
    shown.show()
    sys.exit(app.exec())
