"""The app's widgets in tests: drawn without a display, linked to a stand-in that records what they ask."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui.stand_in_link import StandInLink


@pytest.fixture
def link(qapp: QApplication) -> StandInLink:
    return StandInLink()
