"""A run that is offered from outside leads somewhere in every state of the app, and nothing changes before a yes."""

from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from client.api.candidate import CandidateStage
from client.api.errors import ClientError
from client.api.offer import OfferedRun
from client.api.snapshot import Snapshot
from gui.application import opened_by
from gui.offers import OfferDialog, OfferOrError, OfferRoute, notice, route_of, understood
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, OPEN
from tests.gui.first_run.hands import button, focused, press, says

LINK = "idlebrush:join?run=https%3A%2F%2Ftrain.example.org%2Ffiles%2Frun.toml&key=abcd"
ELSEWHERE = understood(LINK)
NO_RUN = understood("idlebrush:leave")
assert FULL.run is not None
JOINED = OfferedRun("/x/run.toml", "/x/run.toml", FULL.run.fingerprint, FULL.run.name)


def with_candidate(snapshot: Snapshot, stage: CandidateStage, **changes: Any) -> Snapshot:
    candidate = OPEN.model_copy(update={"stage": stage, **changes})
    return snapshot.model_copy(update={"candidate": candidate})


READY = with_candidate(FULL, CandidateStage.READY)
FETCHING = with_candidate(FULL, CandidateStage.FETCHING)
FIRST_FETCHING = with_candidate(IDLE, CandidateStage.FETCHING)
SAME_FETCHING = with_candidate(FULL, CandidateStage.FETCHING, fingerprint="abcd")


@pytest.mark.parametrize(
    ("offer", "snapshot", "is_choosing", "route"),
    [
        (ELSEWHERE, None, False, OfferRoute.PREVIEW),
        (ELSEWHERE, IDLE, False, OfferRoute.PREVIEW),
        (ELSEWHERE, IDLE, True, OfferRoute.PREVIEW),
        (ELSEWHERE, FULL, False, OfferRoute.QUESTION),
        (ELSEWHERE, READY, False, OfferRoute.QUESTION),
        (ELSEWHERE, FULL, True, OfferRoute.PREVIEW),
        (ELSEWHERE, FETCHING, True, OfferRoute.QUESTION),
        (ELSEWHERE, FIRST_FETCHING, True, OfferRoute.QUESTION),
        (ELSEWHERE, SAME_FETCHING, True, OfferRoute.FRONT),
        (JOINED, FULL, False, OfferRoute.NOTICE),
        (JOINED, FULL, True, OfferRoute.PREVIEW),
        (JOINED, FETCHING, False, OfferRoute.QUESTION),
        (NO_RUN, None, False, OfferRoute.PREVIEW),
        (NO_RUN, IDLE, True, OfferRoute.PREVIEW),
        (NO_RUN, FULL, False, OfferRoute.REFUSAL),
        (NO_RUN, FULL, True, OfferRoute.PREVIEW),
        (NO_RUN, FETCHING, True, OfferRoute.REFUSAL),
        (NO_RUN, FIRST_FETCHING, True, OfferRoute.REFUSAL),
    ],
)
def test_where_an_offer_leads(
    offer: OfferOrError, snapshot: Snapshot | None, is_choosing: bool, route: OfferRoute
) -> None:
    assert route_of(offer, snapshot, is_choosing) is route


def test_the_notice_names_the_run() -> None:
    assert notice(FULL) == "This computer already trains Emoji, a starter set."


@pytest.fixture
def dialog(qtbot: QtBot) -> OfferDialog:
    made = OfferDialog()
    qtbot.addWidget(made)
    return made


def show(dialog: OfferDialog, offer: OfferOrError, snapshot: Snapshot, qtbot: QtBot) -> None:
    with qtbot.waitExposed(dialog):
        dialog.show_offer(offer, snapshot)


def test_the_question_names_the_joined_run_and_what_follows(dialog: OfferDialog, qtbot: QtBot) -> None:
    show(dialog, ELSEWHERE, FULL, qtbot)
    assert says(dialog, "This computer trains Emoji, a starter set,")
    assert says(dialog, "If you join it, this computer trains both in turns.")
    assert dialog.accessibleName() == "Look at another run?"
    assert "in turns" in dialog.accessibleDescription()
    with qtbot.waitSignal(dialog.look_wanted) as wanted:
        press(dialog, "&Look at the other run")
    assert wanted.args == [LINK]
    assert not dialog.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_return_and_escape_stay(dialog: OfferDialog, qtbot: QtBot, key: Qt.Key) -> None:
    show(dialog, ELSEWHERE, FULL, qtbot)
    with qtbot.assertNotEmitted(dialog.look_wanted), qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(button(dialog, "&Stay"), key)
    assert not dialog.isVisible()


def test_tab_reaches_both_answers(dialog: OfferDialog, qtbot: QtBot) -> None:
    show(dialog, ELSEWHERE, FULL, qtbot)
    qtbot.waitUntil(dialog.stay.hasFocus)
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused() is dialog.look


def test_a_download_is_not_stopped_without_a_question(dialog: OfferDialog, qtbot: QtBot) -> None:
    show(dialog, ELSEWHERE, FETCHING, qtbot)
    assert says(dialog, "The files of A large run are being downloaded")
    assert says(dialog, "What has arrived is kept.")


def test_what_is_no_run_is_reported_and_cannot_be_looked_at(dialog: OfferDialog, qtbot: QtBot) -> None:
    show(dialog, ELSEWHERE, FULL, qtbot)
    dialog.show_offer(NO_RUN, FULL)
    assert isinstance(NO_RUN, ClientError)
    assert says(dialog, NO_RUN.what)
    assert not dialog.look.isVisible()
    press(dialog, "&Close")
    assert not dialog.isVisible()


def test_titles_are_shown_as_text(dialog: OfferDialog, qtbot: QtBot) -> None:
    run = FULL.run and FULL.run.model_copy(update={"title": "<b>bold</b> {title}"})
    show(dialog, ELSEWHERE, FULL.model_copy(update={"run": run}), qtbot)
    assert says(dialog, "<b>bold</b> {title}")


def test_a_link_that_macos_hands_over_stays_encoded() -> None:
    assert opened_by(QFileOpenEvent(QUrl(LINK))) == LINK
    assert opened_by(QFileOpenEvent("/home/ümlaut/a b.idlebrush")) == "/home/ümlaut/a b.idlebrush"


def test_the_shipped_run_is_understood_by_its_name() -> None:
    offer = understood(EMBEDDED.location)
    assert isinstance(offer, OfferedRun)
    assert offer.location == "embedded"
