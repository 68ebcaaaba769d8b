"""The card of the swarm on this computer: what it says, its website, and the question before it is removed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from client.api.errors import FolderInUse
from client.api.protocol import ProblemView
from client.api.runs import LocalSwarmStage, LocalSwarmView, RemoveLocalSwarm
from gui.now import local_swarm
from gui.now.local_swarm import LocalSwarmCard, sentence
from tests.gui.stand_in_link import StandInLink

SERVED = LocalSwarmView(
    stage=LocalSwarmStage.SERVING, digest="d" * 64, web="http://127.0.0.1:8080", is_kept=True
)


@pytest.fixture
def card(link: StandInLink, qtbot: QtBot) -> LocalSwarmCard:
    shown = LocalSwarmCard(link)
    qtbot.addWidget(shown)
    shown.show()
    shown.show_view(SERVED)
    return shown


def answer(card: LocalSwarmCard, text: str) -> None:
    """Answer the question before the removal."""
    card.removal.click()
    question = card.findChild(QMessageBox)
    assert question is not None
    (button,) = (each for each in question.buttons() if each.text() == text)
    button.click()


@pytest.mark.parametrize("stage", LocalSwarmStage)
def test_each_stage_has_a_sentence(stage: LocalSwarmStage) -> None:
    assert sentence(LocalSwarmView(stage=stage)).endswith(".")


def test_the_card_is_there_only_with_a_swarm(card: LocalSwarmCard) -> None:
    assert card.isVisible()
    card.show_view(LocalSwarmView())
    assert not card.isVisible()
    card.show_view(None)
    assert not card.isVisible()


def test_an_error_is_told(card: LocalSwarmCard) -> None:
    problem = ProblemView(code="folder", what="The folder is full of sand.", remedy="Empty it.")
    assert "full of sand. Empty it." in sentence(SERVED.model_copy(update={"problem": problem}))
    card.show_view(LocalSwarmView(stage=LocalSwarmStage.FAILED, problem=problem))
    assert card.isVisible()
    assert not card.removal.isVisible(), "nothing of it is kept"


def test_its_website_opens_once_it_answers(card: LocalSwarmCard, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(local_swarm, "open_page", opened.append)
    card.website.click()
    assert opened == [SERVED.web]
    card.show_view(SERVED.model_copy(update={"web": None}))
    assert not card.website.isVisible()


def test_it_is_removed_after_a_question(card: LocalSwarmCard, link: StandInLink) -> None:
    answer(card, "Keep")
    assert RemoveLocalSwarm() not in link.asked
    answer(card, "Remove")
    assert link.asked[-1] == RemoveLocalSwarm()


def test_escape_keeps_it(card: LocalSwarmCard, link: StandInLink) -> None:
    card.removal.click()
    question = card.findChild(QMessageBox)
    assert question is not None
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert RemoveLocalSwarm() not in link.asked


def test_a_swarm_that_a_terminal_serves_cannot_be_removed_here(card: LocalSwarmCard) -> None:
    card.show_view(SERVED.model_copy(update={"stage": LocalSwarmStage.SHARED}))
    assert not card.removal.isVisible()


def test_a_removal_that_fails_is_told(card: LocalSwarmCard, link: StandInLink) -> None:
    link.answers[RemoveLocalSwarm] = FolderInUse("A terminal serves it.", "End that first.")
    answer(card, "Remove")
    assert card.fault == "A terminal serves it. End that first."
    assert card.removal.isEnabled()
