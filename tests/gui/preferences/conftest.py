"""The page Preferences with the client's own preferences behind a stand-in for the daemon."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import SetPreference
from client.api.errors import PreferenceError
from client.api.questions import ShowPreferences
from client.api.requests import AnyRequest
from client.preferences.preferences import Preferences, describe, with_value
from gui.link.link import Answered, Refusal
from gui.preferences.page import PreferencesPage
from gui.settings import AppSettings
from tests.client.snapshots import FULL
from tests.gui.stand_in_link import StandInLink


class KeepingLink(StandInLink):
    """Answers about preferences as the daemon does: from the client's own."""

    def __init__(self) -> None:
        super().__init__()
        self.preferences = Preferences()

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        if isinstance(request, SetPreference):
            try:
                self.preferences = with_value(self.preferences, request.name, request.value)
            except PreferenceError as error:
                self.answers[SetPreference] = error
            else:
                self.answers[SetPreference] = Done(id=0)
        self.answers[ShowPreferences] = Done(id=0, preferences=describe(self.preferences))
        super().ask(request, done, failed)

    def change(self, name: str, value: str) -> None:
        """Change a preference as the command line does."""
        self.preferences = with_value(self.preferences, name, value)

    def value(self, name: str) -> str:
        return next(view.value for view in describe(self.preferences) if view.name == name)


@pytest.fixture
def link(qapp: object) -> KeepingLink:
    return KeepingLink()


@pytest.fixture
def settings(tmp_path: Path) -> AppSettings:
    made = AppSettings(tmp_path)
    made.preferences_shown = "all"
    return made


@pytest.fixture
def page(qtbot: QtBot, link: KeepingLink, settings: AppSettings) -> PreferencesPage:
    page = PreferencesPage(link, settings)
    qtbot.addWidget(page)
    page.resize(900, 700)
    link.show(FULL)
    page.show_snapshot(FULL)
    page.shown()
    qtbot.waitUntil(lambda: len(page.rows) == len(describe(link.preferences)))
    page.show()  # only now: a page that is seen is laid out and drawn again for each row
    return page
