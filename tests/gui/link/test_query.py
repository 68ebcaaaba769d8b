"""Questions that are asked again as things change, but not often and not unseen."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.errors import NoDaemon
from client.api.questions import ShowEpochs, ShowRanks
from client.api.requests import AnyRequest
from gui.link.link import Answered, LinkState, Refusal
from gui.link.query import WidgetQuery
from tests.gui.stand_in_link import StandInLink

LONG, SHORT = 3_600_000, 1
EPOCHS, RANKS = ShowEpochs(), ShowRanks()


class SlowLink(StandInLink):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Answered, Refusal]] = []

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        assert done is not None
        assert failed is not None
        self.asked.append(request)
        self.waiting.append((done, failed))


@pytest.fixture
def slow(qapp: object) -> SlowLink:
    link = SlowLink()
    link.show(None)
    return link


@pytest.fixture
def widget(qtbot: QtBot) -> QWidget:
    seen = QWidget()
    qtbot.addWidget(seen)
    seen.show()
    return seen


def answers(query: WidgetQuery) -> list[Done]:
    got: list[Done] = []
    query.answered.connect(got.append)
    return got


def test_nothing_is_asked_unseen(slow: SlowLink, widget: QWidget) -> None:
    widget.hide()
    query = WidgetQuery(slow, widget, rest=LONG)
    query.query(EPOCHS)
    assert slow.asked == []
    widget.show()
    assert slow.asked == [EPOCHS]


def test_what_is_wanted_without_a_daemon_is_asked_once_there_is_one(slow: SlowLink, widget: QWidget) -> None:
    slow.show(None, LinkState.ABSENT)
    query = WidgetQuery(slow, widget, rest=LONG)
    query.query(EPOCHS)
    assert slow.asked == []
    slow.show(None)
    assert slow.asked == [EPOCHS]


def test_the_same_question_waits_for_its_answer_and_then_rests(
    slow: SlowLink, widget: QWidget, qtbot: QtBot
) -> None:
    query = WidgetQuery(slow, widget, rest=SHORT)
    got = answers(query)
    query.query(EPOCHS)
    query.query(EPOCHS)
    assert slow.asked == [EPOCHS]
    assert query.is_waiting
    slow.waiting[0][0](Done(id=1))
    assert [answer.id for answer in got] == [1]
    qtbot.waitUntil(lambda: slow.asked == [EPOCHS, EPOCHS])


def test_while_it_rests_the_same_question_is_not_asked_but_another_is(
    slow: SlowLink, widget: QWidget
) -> None:
    query = WidgetQuery(slow, widget, rest=LONG)
    query.query(EPOCHS)
    slow.waiting[0][0](Done(id=1))
    query.query(EPOCHS)
    assert slow.asked == [EPOCHS]
    query.query(RANKS)
    assert slow.asked == [EPOCHS, RANKS]


def test_an_answer_that_nobody_waits_for_any_more_is_passed_over(slow: SlowLink, widget: QWidget) -> None:
    query = WidgetQuery(slow, widget, rest=LONG)
    got = answers(query)
    query.query(EPOCHS)
    query.query(RANKS)
    slow.waiting[0][0](Done(id=1))
    slow.waiting[1][0](Done(id=2))
    assert [answer.id for answer in got] == [2]


def test_after_forgetting_the_same_question_is_a_new_one(slow: SlowLink, widget: QWidget) -> None:
    query = WidgetQuery(slow, widget, rest=LONG)
    got = answers(query)
    query.query(EPOCHS)
    query.forget()
    slow.waiting[0][0](Done(id=1))
    query.query(EPOCHS)
    slow.waiting[1][0](Done(id=2))
    assert [answer.id for answer in got] == [2]


def test_a_refusal_is_reported_and_does_not_keep_from_asking_again(slow: SlowLink, widget: QWidget) -> None:
    query = WidgetQuery(slow, widget, rest=LONG)
    faults: list[object] = []
    query.failed.connect(faults.append)
    query.query(EPOCHS)
    error = NoDaemon("It is gone.")
    slow.waiting[0][1](error)
    assert faults == [error]
    query.query(RANKS)
    assert slow.asked == [EPOCHS, RANKS]
