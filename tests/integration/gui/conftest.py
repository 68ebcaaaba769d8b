"""Real daemons and real desktops; widgets within the tests' own process are drawn without a display."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.desktops.patient_qtbot import qtbot as qtbot
from tests.gui.conftest import garbage as garbage  # other threads must not collect widgets here either
