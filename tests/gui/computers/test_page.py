"""The page My computers with real widgets, linked to a stand-in that knows two other computers."""

from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import Pause, Resume, SetPreference
from client.api.errors import ComputerAway, RemoteError
from client.api.remote.computers import (
    AddComputer,
    ComputerView,
    OrderComputer,
    RemoveComputer,
    ShowComputers,
)
from client.api.remote.control import (
    ClosePairing,
    ControllerView,
    OpenPairing,
    PairingStage,
    RemoveController,
)
from client.api.requests import AnyRequest
from gui.computers.card import ComputerCard
from gui.computers.page import ComputersPage
from gui.tray.view import RUN_MODES
from gui.widgets.buttons import IconButton
from tests.client.remote.known_computers import PAUSED, away, computer, control, own, pairing
from tests.client.snapshots import NOW
from tests.gui.stand_in_link import StandInLink

TABLET = ControllerView(name="Tablet", fingerprint="ab", added=NOW, connected="192.168.1.9")


@pytest.fixture
def page(link: StandInLink, qtbot: QtBot) -> ComputersPage:
    know(link, computer("Desktop"), away("Study"))
    shown = ComputersPage(link, every=10)
    link.snapshot_changed.connect(shown.show_snapshot)
    qtbot.addWidget(shown)
    link.show(own(control(TABLET)))
    shown.resize(860, 900)
    shown.show()
    shown.shown()
    return shown


def know(link: StandInLink, *views: ComputerView) -> None:
    link.answers[ShowComputers] = Done(id=0, computers=views)


def orders(link: StandInLink) -> list[AnyRequest]:
    """All that was asked, but for the states."""
    return [request for request in link.asked if not isinstance(request, ShowComputers)]


def card(qtbot: QtBot, page: ComputersPage, name: str, headline: str = "") -> ComputerCard:
    qtbot.waitUntil(lambda: name in page.cards and page.cards[name].words.text().startswith(headline))
    return page.cards[name]


def answer(page: ComputersPage, words: str) -> None:
    """Press the button with those words in the open question."""
    (question,) = page.findChildren(QMessageBox)
    assert question.textFormat() is Qt.TextFormat.PlainText, "names come from other computers"
    (button,) = [each for each in question.findChildren(QPushButton) if each.text() == words]
    button.click()


def test_each_computer_has_a_card(qtbot: QtBot, page: ComputersPage) -> None:
    assert page.own.accessibleName() == "Laptop (this computer)"
    assert card(qtbot, page, "Desktop").words.text() == "Training"
    assert card(qtbot, page, "Study").words.text().startswith("Not reached since")
    assert "Check that it is on." in card(qtbot, page, "Study").fault.text()
    assert not page.own.removal.isVisible()


def test_the_states_follow_without_a_click(qtbot: QtBot, page: ComputersPage, link: StandInLink) -> None:
    card(qtbot, page, "Desktop")
    know(link, computer("Desktop", PAUSED), computer("Attic"))
    assert card(qtbot, page, "Desktop", "Paused").command.text() == "Resume"
    qtbot.waitUntil(card(qtbot, page, "Attic").isVisible)
    assert "Study" not in page.cards


def test_orders_go_to_the_computer_of_the_card(qtbot: QtBot, page: ComputersPage, link: StandInLink) -> None:
    desktop = card(qtbot, page, "Desktop")
    desktop.command.click()
    desktop.snooze.menu().actions()[0].trigger()
    desktop.mode.setCurrentIndex(RUN_MODES.index("never"))
    desktop.mode.activated.emit(RUN_MODES.index("never"))
    assert orders(link) == [
        OrderComputer(name="Desktop", order=Pause()),
        OrderComputer(name="Desktop", order=Pause(seconds=900)),
        OrderComputer(name="Desktop", order=SetPreference(name="run-mode", value="never")),
    ]
    know(link, computer("Desktop", PAUSED))
    card(qtbot, page, "Desktop", "Paused").command.click()
    assert orders(link)[-1] == OrderComputer(name="Desktop", order=Resume())


def test_this_computer_gets_orders_directly(page: ComputersPage, link: StandInLink) -> None:
    page.own.command.click()
    assert orders(link) == [Pause()]


def test_a_computer_that_is_away_takes_no_orders(qtbot: QtBot, page: ComputersPage) -> None:
    study = card(qtbot, page, "Study")
    assert [part.isEnabled() for part in (study.command, study.snooze, study.mode)] == [False] * 3


def test_why_an_order_failed_is_on_the_card(qtbot: QtBot, page: ComputersPage, link: StandInLink) -> None:
    link.answers[OrderComputer] = ComputerAway("It is asleep.", "Wake it.")
    desktop = card(qtbot, page, "Desktop")
    desktop.command.click()
    words = "The computer cannot be reached. It is asleep. Wake it."
    assert desktop.fault.text() == words
    know(link, computer("Desktop", PAUSED))
    assert card(qtbot, page, "Desktop", "Paused").fault.text() == words, "a look at the states keeps it"
    link.answers[OrderComputer] = Done(id=0)
    desktop.command.click()
    assert not desktop.fault.isVisible(), "the next order is another matter"


def test_a_computer_is_added_by_address_and_code(page: ComputersPage, link: StandInLink) -> None:
    page.add.click()
    dialogue = page.adding
    assert not dialogue.add.isEnabled()
    dialogue.address.setText(" 192.168.1.8 ")
    dialogue.code.setText("abcd-2345")
    link.answers[AddComputer] = RemoteError("The code is wrong.", "Compare it.")
    dialogue.add.click()
    assert "The code is wrong. Compare it." in dialogue.fault.text()
    assert dialogue.isVisible()
    link.answers[AddComputer] = Done(id=0, text="The daemon's words.", about="Desktop")
    QTest.keyClick(dialogue.code, Qt.Key.Key_Return)
    assert not dialogue.isVisible()
    assert page.banner.accessibleName() == "Desktop can be controlled from this computer."
    (first, second) = [request for request in orders(link) if isinstance(request, AddComputer)]
    assert first == second
    assert (first.address, first.code.get_secret_value()) == ("192.168.1.8", "abcd-2345")


def test_while_computers_are_paired_nothing_is_sent_twice(page: ComputersPage, link: StandInLink) -> None:
    link.is_deaf = True
    page.add.click()
    page.adding.address.setText("x")
    page.adding.code.setText("y")
    page.adding.add.click()
    page.adding.add.click()
    assert page.adding.add.text() == "Pairing…"
    assert len(orders(link)) == 1


def test_a_computer_is_removed_after_a_question(qtbot: QtBot, page: ComputersPage, link: StandInLink) -> None:
    card(qtbot, page, "Desktop").removal.click()
    answer(page, "Keep")
    assert orders(link) == []
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    card(qtbot, page, "Desktop").removal.click()
    answer(page, "Remove")
    assert orders(link) == [RemoveComputer(name="Desktop")]


def test_a_code_is_shown_until_a_computer_is_paired(page: ComputersPage, link: StandInLink) -> None:
    link.answers[OpenPairing] = Done(id=0, about="ABCD-2345")
    later = datetime.now().astimezone() + timedelta(minutes=2)
    link.show(own(control(TABLET, code=pairing(expires=later))))
    page.control.pair.click()
    dialogue = page.pairing
    assert (dialogue.code.text(), dialogue.code.isVisible()) == ("ABCD-2345", True)
    assert "192.168.1.7:47320\n[fd00::7]:47320" in dialogue.addresses.text()
    assert dialogue.left.text().startswith("Valid for ")
    link.show(own(control(TABLET, code=pairing(PairingStage.PAIRED, "Phone"))))
    assert (dialogue.code.isVisible(), dialogue.is_open) == (False, False)
    assert dialogue.outcome.text() == "Phone can control this computer from now on."
    dialogue.close_button.click()
    assert orders(link)[-1] == ClosePairing()


def test_an_earlier_code_does_not_end_a_new_one(page: ComputersPage, link: StandInLink) -> None:
    link.answers[OpenPairing] = Done(id=0, about="ABCD-2345")
    link.show(own(control(code=pairing(PairingStage.EXPIRED))))
    page.control.pair.click()
    link.show(own(control(TABLET, code=pairing(PairingStage.EXPIRED))))
    assert page.pairing.code.isVisible(), "these snapshots are older than the code"


def test_control_is_turned_off_and_controllers_are_removed(page: ComputersPage, link: StandInLink) -> None:
    assert page.control.switch.isChecked()
    page.control.switch.click()
    (removal,) = [
        button
        for button in page.control.findChildren(IconButton)
        if button.accessibleName() == "Remove Tablet…"
    ]
    removal.click()
    answer(page, "Remove")
    assert orders(link) == [
        SetPreference(name="remote-control", value="off"),
        RemoveController(name="Tablet"),
    ]


def test_without_a_daemon_nothing_is_offered(page: ComputersPage) -> None:
    page.show_snapshot(None)
    assert [part.isEnabled() for part in (page.add, page.control, page.own.command)] == [False] * 3
