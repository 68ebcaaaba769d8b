"""A first run in front of a stand-in daemon, and what a person does with it."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from client.api.questions import ShowPreferences
from gui.first_run.wizard import FirstRun
from gui.settings import AppSettings
from tests.client.snapshots import IDLE
from tests.gui.first_run.candidates import PREFERENCES
from tests.gui.stand_in_link import StandInLink


@pytest.fixture
def settings(tmp_path: Path) -> AppSettings:
    return AppSettings(tmp_path)


@pytest.fixture
def first_run(qtbot: QtBot, link: StandInLink, settings: AppSettings) -> FirstRun:
    """The first run at its first screen, with a daemon that trains nothing."""
    link.answers[ShowPreferences] = PREFERENCES
    link.show(IDLE)
    shown = FirstRun(link, settings)
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown
