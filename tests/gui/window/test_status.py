"""The foot of the navigation has room for its words in every language; where it has not, they are elided."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from client.api.snapshot import Activity, Snapshot
from gui.design.theme import Theme
from gui.design.tokens import Space
from gui.link.link import LinkState
from gui.window.navigation import WIDE
from gui.window.status import StatusChip
from gui.wording import languages
from gui.wording.activity import activity_name
from tests.client.snapshots import FULL


@pytest.fixture
def side_bar(theme: Theme, qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def chip(side_bar: QWidget) -> StatusChip:
    made = StatusChip(side_bar)
    made.resize(WIDE - 2 * Space.M, 56)
    side_bar.show()
    return made


def doing(activity: Activity) -> Snapshot:
    return FULL.model_copy(update={"activity": activity, "progress": None})


def words(chip: StatusChip) -> str:
    label = chip.findChild(QLabel, "status-words")
    assert isinstance(label, QLabel)
    return label.text()


@pytest.mark.parametrize("language", [language.code for language in languages.LANGUAGES])
def test_the_words_of_each_language_fit(chip: StatusChip, speaking: QApplication, language: str) -> None:
    languages.install(speaking, language)
    for activity in Activity:
        chip.show_state(doing(activity), LinkState.CONNECTED)
        assert words(chip) == activity_name(activity)


def test_what_does_not_fit_is_elided_and_reported_in_full_elsewhere(chip: StatusChip) -> None:
    chip.show_state(doing(Activity.ATTENTION), LinkState.CONNECTED)
    chip.resize(80, 56)
    whole = activity_name(Activity.ATTENTION)

    assert words(chip).endswith("\N{HORIZONTAL ELLIPSIS}")
    assert chip.toolTip() == chip.accessibleName() == whole
    chip.resize(WIDE, 56)
    assert words(chip) == whole
