"""The card of several joined runs: their states and times, the share that is set, and the question before leaving."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from client.api.commands import Leave
from client.api.errors import NoRun
from client.api.runs import JoinedRunView, RunHindrance, SetShare
from gui.now.runs import JoinedRunsCard, state_of, times_of
from tests.client.snapshots import NOW
from tests.gui.stand_in_link import StandInLink

A = JoinedRunView(
    digest="a" * 64, title="Emoji", share=300, is_current=True, trained_seconds=7200.0, week_part=0.75
)
B = JoinedRunView(digest="b" * 64, title="Cats <b>&amp;", share=100, is_current=False, week_part=0.25)

C = JoinedRunView(digest="c" * 64, title="Dogs", share=50, is_current=False)


@pytest.fixture
def card(link: StandInLink, qtbot: QtBot) -> JoinedRunsCard:
    shown = JoinedRunsCard(link)
    qtbot.addWidget(shown)
    shown.show_runs((A, B), NOW)
    return shown


def answer(card: JoinedRunsCard, text: str) -> None:
    """Answer the question before the second run is left."""
    card.rows[1].leaving.click()
    question = card.findChild(QMessageBox)
    assert question is not None
    assert question.text() == "Leave Cats <b>&amp;?"
    assert question.textFormat() is Qt.TextFormat.PlainText
    (button,) = (each for each in question.buttons() if each.text() == text)
    button.click()


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (A, "It has its turn."),
        (B, "It waits for its turn."),
        (B.model_copy(update={"share": 0}), "It trains only while no other run can."),
        (
            B.model_copy(
                update={"hindrance": RunHindrance.UNREACHABLE, "retry_at": NOW + timedelta(hours=1)}
            ),
            "Its other computers do not answer. Next attempt: 15:30.",
        ),
        (A.model_copy(update={"hindrance": RunHindrance.FINISHED}), "It has done all of its epochs."),
    ],
    ids=["turn", "waits", "no share", "skipped", "over"],
)
def test_the_state_of_a_run(run: JoinedRunView, sentence: str) -> None:
    assert state_of(run, NOW) == sentence


@pytest.mark.parametrize("hindrance", RunHindrance)
def test_each_hindrance_has_a_sentence(hindrance: RunHindrance) -> None:
    assert state_of(A.model_copy(update={"hindrance": hindrance}), NOW).endswith(".")


def test_the_parts_of_the_time() -> None:
    assert times_of(A, 400) == "75% of the time by its share · 75% of the last 7 days · 2 h in all"
    assert times_of(B.model_copy(update={"share": 0}), 0).startswith("0% of the time")


def test_rows_are_there_only_with_several_runs(card: JoinedRunsCard, qtbot: QtBot) -> None:
    card.show_runs((A,), NOW)
    assert not card.isHidden()
    assert [row.isHidden() for row in card.rows] == [True, True]
    with qtbot.waitSignal(card.run_wanted):
        card.another.click()
    card.show_runs((A, B), NOW)
    assert [row.isHidden() for row in card.rows] == [False, False]
    card.show_runs((), NOW)
    assert card.isHidden()


def test_a_share_is_sent_once_it_was_edited_and_not_when_it_is_shown(
    card: JoinedRunsCard, link: StandInLink
) -> None:
    assert not any(isinstance(request, SetShare) for request in link.asked)
    field = card.rows[1].share
    field.setValue(50)
    assert link.asked[-1] == SetShare(run=B.digest, share=50)
    before = len(link.asked)
    card.show_runs((A, B.model_copy(update={"share": 7})), NOW)
    assert field.value() == 7
    assert len(link.asked) == before


def test_a_run_is_left_after_a_question(card: JoinedRunsCard, link: StandInLink) -> None:
    answer(card, "Stay")
    assert not any(isinstance(request, Leave) for request in link.asked)
    answer(card, "Leave")
    assert link.asked[-1] == Leave(run=B.digest)


def test_the_run_that_was_asked_about_is_left_though_the_rows_moved_meanwhile(
    card: JoinedRunsCard, link: StandInLink
) -> None:
    card.show_runs((A, B, C), NOW)
    card.rows[1].leaving.click()
    question = card.findChild(QMessageBox)
    assert question is not None
    card.show_runs((B, C), NOW)
    (button,) = (each for each in question.buttons() if each.text() == "Leave")
    button.click()
    assert link.asked[-1] == Leave(run=B.digest)


def test_a_share_that_is_edited_stays_with_its_run(card: JoinedRunsCard, qtbot: QtBot) -> None:
    card.show()
    field = card.rows[0].share
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.lineEdit().setText("Share: 7")
    card.show_runs((A, B), NOW)
    assert field.text() == "Share: 7"
    card.show_runs((B, C), NOW)
    assert field.value() == B.share
    assert field.text() == f"Share: {B.share}"


def test_escape_stays(card: JoinedRunsCard, link: StandInLink) -> None:
    card.rows[0].leaving.click()
    question = card.findChild(QMessageBox)
    assert question is not None
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert not any(isinstance(request, Leave) for request in link.asked)


def test_an_error_is_told(card: JoinedRunsCard, link: StandInLink) -> None:
    link.answers[Leave] = NoRun()
    answer(card, "Leave")
    assert card.fault == "No run was joined. Join one with `idlebrush join`."


def test_rows_are_named_for_screen_readers(card: JoinedRunsCard) -> None:
    assert card.rows[0].share.accessibleName() == "Share of Emoji"
    assert card.rows[0].leaving.accessibleName() == "Leave Emoji"
