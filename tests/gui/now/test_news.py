"""The card with the organiser's news: plain text, in order, and gone with the messages."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from client.api.snapshot import NewsView
from gui.now.news import NewsCard
from gui.widgets.labels import Label
from tests.client.snapshots import NOW

NEW = NewsView(at=NOW, text="We <b>rest</b> on Sunday.\nSee https://run.example/news?a=1&b=2")
OLD = NewsView(at=NOW - timedelta(days=3), text="Thank you all.")


@pytest.fixture
def card(qtbot: QtBot) -> NewsCard:
    shown = NewsCard()
    qtbot.addWidget(shown)
    return shown


def texts(card: NewsCard) -> list[str]:
    return [label.text() for label in card.findChildren(Label) if label.isVisible()]


def test_messages_are_shown_newest_first_as_they_are(card: NewsCard) -> None:
    card.show_news((NEW, OLD), NOW)
    assert card.isVisible()
    shown = texts(card)
    assert shown.index(NEW.text) < shown.index(OLD.text)
    (message,) = (label for label in card.findChildren(Label) if label.text() == NEW.text)
    assert message.textFormat() is Qt.TextFormat.PlainText
    assert not message.openExternalLinks()


def test_messages_that_were_taken_back_are_gone(card: NewsCard) -> None:
    card.show_news((NEW, OLD), NOW)
    card.show_news((OLD,), NOW)
    assert NEW.text not in texts(card)
    card.show_news((), NOW)
    assert not card.isVisible()
