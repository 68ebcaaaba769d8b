"""Quitting as a person goes through it: asked once, kept or stopped, and never stuck."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from client.api.commands import Quit
from client.api.errors import NoDaemon, RequestRefused
from client.api.snapshot import Activity, GenerationView, Snapshot
from gui.link.link import LinkState
from gui.settings import AppSettings, AtQuitting
from gui.tray.quit import QuitDecision, QuitQuestion, decision
from tests.client.snapshots import FULL, IDLE
from tests.gui.stand_in_link import StandInLink

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING})
COMPLETE = FULL.model_copy(update={"activity": Activity.COMPLETE, "generations": ()})
DRAWING = IDLE.model_copy(
    update={"generations": (GenerationView(id="a", prompt="cat", count=1, progress=0.5, text=""),)}
)


@pytest.mark.parametrize(
    ("setting", "snapshot", "state", "expected"),
    [
        ("ask", TRAINING, LinkState.CONNECTED, QuitDecision.ASK),
        ("keep", TRAINING, LinkState.CONNECTED, QuitDecision.KEEP),
        ("stop", TRAINING, LinkState.CONNECTED, QuitDecision.STOP),
        ("ask", IDLE, LinkState.CONNECTED, QuitDecision.STOP),
        ("keep", IDLE, LinkState.CONNECTED, QuitDecision.KEEP),
        ("ask", COMPLETE, LinkState.CONNECTED, QuitDecision.STOP),
        ("ask", DRAWING, LinkState.CONNECTED, QuitDecision.ASK),
        ("ask", None, LinkState.CONNECTED, QuitDecision.KEEP),
        ("stop", None, LinkState.ABSENT, QuitDecision.KEEP),
        ("ask", TRAINING, LinkState.SILENT, QuitDecision.KEEP),
    ],
)
def test_it_asks_only_where_there_is_something_to_decide(
    setting: AtQuitting, snapshot: Snapshot | None, state: LinkState, expected: QuitDecision
) -> None:
    assert decision(setting, snapshot, state) is expected


class QuittingPerson:
    """Quits the app."""

    def __init__(self, link: StandInLink, folder: Path, bot: QtBot) -> None:
        self.link, self.bot, self.settings = link, bot, AppSettings(folder)
        self.ends = 0
        self.question = QuitQuestion(link, self.settings)
        self.dialog = self.question.dialog
        bot.addWidget(self.dialog)
        self.question.decided.connect(self._end)

    def _end(self) -> None:
        self.ends += 1

    def click(self, button: QAbstractButton) -> None:
        assert button.isVisible()
        self.bot.mouseClick(button, Qt.MouseButton.LeftButton)

    def press(self, key: Qt.Key) -> None:
        self.bot.keyClick(self.dialog, key)


@pytest.fixture
def person(link: StandInLink, tmp_path: Path, qtbot: QtBot) -> QuittingPerson:
    link.show(TRAINING)
    return QuittingPerson(link, tmp_path, qtbot)


def test_training_is_kept_by_the_key_that_agrees_and_nobody_is_asked_again(person: QuittingPerson) -> None:
    person.question.ask()
    assert person.dialog.isVisible()
    person.press(Qt.Key.Key_Return)
    assert (person.ends, person.link.asked) == (1, [])
    assert not person.dialog.isVisible()
    assert person.settings.at_quitting == "keep"
    person.question.ask()
    assert person.ends == 2


def test_training_is_stopped_and_the_app_waits_for_the_daemon_to_end(person: QuittingPerson) -> None:
    person.question.ask()
    person.click(person.dialog.stop)
    assert person.link.asked == [Quit()]
    assert person.dialog.leave.isVisible(), "it says that it waits"
    assert person.ends == 0
    person.link.show(None, LinkState.ABSENT)
    assert person.ends == 1
    assert not person.dialog.isVisible()
    assert person.settings.at_quitting == "stop"


def test_an_answer_that_is_not_to_be_remembered_is_not(person: QuittingPerson) -> None:
    person.question.ask()
    person.dialog.remember.click()
    person.click(person.dialog.keep)
    assert (person.ends, person.settings.at_quitting) == (1, "ask")


def test_escape_takes_it_back(person: QuittingPerson) -> None:
    person.question.ask()
    person.press(Qt.Key.Key_Escape)
    assert (person.ends, person.link.asked, person.settings.at_quitting) == (0, [], "ask")
    person.question.ask()
    person.click(person.dialog.cancel)
    assert person.ends == 0
    assert not person.dialog.isVisible()


def test_nobody_has_to_wait(person: QuittingPerson) -> None:
    person.settings.at_quitting = "stop"
    person.question.ask()
    person.bot.waitUntil(person.dialog.isVisible)
    person.click(person.dialog.leave)
    assert person.ends == 1
    person.link.show(None, LinkState.ABSENT)
    assert person.ends == 1, "it is ended once"


def test_a_daemon_that_is_gone_by_then_is_not_waited_for(person: QuittingPerson) -> None:
    person.settings.at_quitting = "stop"
    person.link.answers[Quit] = NoDaemon("No daemon runs.")
    person.question.ask()
    assert person.ends == 1


def test_a_daemon_that_ends_before_its_answer_is_here_is_not_waited_for(person: QuittingPerson) -> None:
    person.question.ask()
    person.link.show(None, LinkState.ABSENT)
    person.click(person.dialog.stop)
    assert person.ends == 1


def test_a_daemon_that_does_not_answer_is_seen_to_be_waited_for(person: QuittingPerson) -> None:
    person.settings.at_quitting = "stop"
    person.link.is_deaf = True
    person.question.ask()
    person.bot.waitUntil(person.dialog.isVisible)
    person.link.show(TRAINING, LinkState.SILENT)
    assert person.ends == 1


def test_a_daemon_that_refuses_is_reported_and_can_be_left(person: QuittingPerson) -> None:
    person.settings.at_quitting = "stop"
    person.link.answers[Quit] = RequestRefused("some_code", "It cannot end.", "Try again.")
    person.question.ask()
    assert person.dialog.accessibleName() == "It cannot end."
    person.press(Qt.Key.Key_Escape)
    assert person.ends == 0
    person.question.ask()
    person.click(person.dialog.leave)
    assert person.ends == 1


def test_asking_twice_shows_one_question(person: QuittingPerson) -> None:
    person.question.ask()
    person.question.ask()
    person.press(Qt.Key.Key_Escape)
    assert not person.dialog.isVisible()
    assert person.ends == 0


def test_each_button_is_reached_by_tab_in_reading_order(person: QuittingPerson) -> None:
    person.question.ask()
    dialog = person.dialog
    person.bot.waitUntil(lambda: dialog.focusWidget() is dialog.keep)
    order = []
    for _ in range(4):
        person.bot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        order.append(dialog.focusWidget())
    assert order == [dialog.remember, dialog.cancel, dialog.stop, dialog.keep]
