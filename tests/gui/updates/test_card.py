"""The card about updates shows each stage in words, with the buttons that make sense, and the text of what is new."""

import pytest
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.errors import UpdateError
from client.api.protocol import ProblemView
from client.api.snapshot import Snapshot
from client.api.updates import (
    CheckForUpdate,
    InstallUpdate,
    PutOffUpdate,
    ShowNews,
    UpdateHold,
    UpdateStage,
    UpdateView,
)
from gui.updates.card import UpdateCard
from gui.wording.updates import update_detail, update_title
from tests.client.snapshots import FULL
from tests.gui.stand_in_link import StandInLink


def showing(stage: UpdateStage, **fields: object) -> Snapshot:
    view = UpdateView(stage=stage, version="0.2.0", has_news=True).model_copy(update=fields)
    return FULL.model_copy(update={"update": view})


@pytest.fixture
def card(qtbot: QtBot, link: StandInLink) -> UpdateCard:
    card = UpdateCard(link)
    qtbot.addWidget(card)
    return card


def texts(card: UpdateCard) -> str:
    from PySide6.QtWidgets import QLabel

    return "\n".join(label.text() for label in card.findChildren(QLabel) if not label.isHidden())


def test_it_is_hidden_where_no_updates_are_looked_for(card: UpdateCard) -> None:
    card.show_snapshot(FULL.model_copy(update={"update": None}))
    assert card.isHidden()
    card.show_snapshot(None)
    assert card.isHidden()


@pytest.mark.parametrize("stage", list(UpdateStage))
@pytest.mark.parametrize("hold", [None, *UpdateHold])
def test_every_state_has_words(stage: UpdateStage, hold: UpdateHold | None) -> None:
    view = UpdateView(stage=stage, version="0.2.0", hold=hold)
    assert update_title(view, "0.1.0").endswith(("0.2.0", "installed", "available", "computer"))
    if hold is not None and hold is not UpdateHold.LOOKED:
        assert update_detail(view)


@pytest.mark.parametrize(
    ("snapshot", "buttons"),
    [
        (showing(UpdateStage.CURRENT), {"news", "check"}),
        (showing(UpdateStage.FETCHED, hold=UpdateHold.TRAINING), {"install", "later", "news", "check"}),
        (showing(UpdateStage.FETCHED, hold=UpdateHold.PUT_OFF), {"install", "news", "check"}),
        (showing(UpdateStage.OFFERED, hold=UpdateHold.PACKAGE_MANAGER), {"news", "check"}),
        (showing(UpdateStage.OFFERED, hold=UpdateHold.BY_PACKAGE), {"news", "check"}),
        (showing(UpdateStage.OFFERED, hold=UpdateHold.BY_HAND, has_news=False), {"check"}),
        (showing(UpdateStage.FETCHING, done=1, total=2), {"news", "check"}),
    ],
)
def test_it_offers_what_makes_sense(card: UpdateCard, snapshot: Snapshot, buttons: set[str]) -> None:
    card.show_snapshot(snapshot)
    assert {name for name in ("install", "later", "news", "check") if not getattr(card, name).isHidden()} == (
        buttons
    )


def test_its_buttons_ask_the_daemon(card: UpdateCard, link: StandInLink) -> None:
    card.show_snapshot(showing(UpdateStage.FETCHED))
    for button in (card.install, card.later, card.check):
        button.click()
    assert link.asked == [InstallUpdate(), PutOffUpdate(), CheckForUpdate()]


def test_a_problem_is_shown(card: UpdateCard) -> None:
    problem = ProblemView(code="update", what="Not signed.", remedy="Wait.")
    card.show_snapshot(showing(UpdateStage.CURRENT, problem=problem))
    assert "Not signed. Wait." in texts(card)
    card.show_snapshot(showing(UpdateStage.CURRENT))
    assert "Not signed" not in texts(card)


def test_what_is_new_is_shown_without_markup(card: UpdateCard, link: StandInLink, qtbot: QtBot) -> None:
    link.answers[ShowNews] = Done(id=0, text="It is <b>faster</b>.")
    link.show(showing(UpdateStage.FETCHED))
    card.show_snapshot(link.snapshot)
    card.show_news()
    dialog = card.dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.text.text() == "It is <b>faster</b>."
    assert dialog.windowTitle() == "What's new in Idlebrush 0.2.0"
    dialog.close_button.click()
    assert not dialog.isVisible()


def test_a_text_that_cannot_be_had_is_said(card: UpdateCard, link: StandInLink) -> None:
    link.answers[ShowNews] = UpdateError("There is no text.", "Look first.")
    card.show_snapshot(showing(UpdateStage.FETCHED))
    card.show_news()
    assert "There is no text." in texts(card)
