"""The volunteer chooses times for training and consents, and the run's files are downloaded."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from client.api.candidate import CandidateStage
from client.api.commands import JoinCandidate, LookAtRun, SetPreference
from client.api.errors import JoinError, NoDaemon, PreferenceError
from client.api.protocol import ProblemView
from client.api.questions import ShowPreferences
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.link.link import LinkState
from gui.widgets.progress import ProgressBar
from tests.gui.first_run.candidates import EMBEDDED, OPEN, PREFERENCES, looking_at
from tests.gui.first_run.hands import button, focused, go_to, press, says
from tests.gui.first_run.stand_ins import SlowDaemon
from tests.gui.stand_in_link import StandInLink


def combo(first_run: FirstRun, name: str) -> QComboBox:
    (found,) = (
        each for each in first_run.screen_shown.findChildren(QComboBox) if each.accessibleName() == name
    )
    return found


def boxes(first_run: FirstRun) -> list[QCheckBox]:
    return [each for each in first_run.screen_shown.findChildren(QCheckBox) if each.isVisible()]


@pytest.fixture
def at_times(first_run: FirstRun, link: StandInLink) -> FirstRun:
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.TIMES)
    return first_run


@pytest.fixture
def at_consent(at_times: FirstRun) -> FirstRun:
    go_to(at_times, FirstRunStep.CONSENT)
    return at_times


def test_the_preferences_that_hold_are_shown(at_times: FirstRun) -> None:
    shown = {
        each.accessibleName(): each.currentText() for each in at_times.screen_shown.findChildren(QComboBox)
    }
    assert shown == {
        "Train": "While I am away",
        "You are away after": "3 min",
        "Hours": "At any hour",
        "Heat and noise": "Full speed",
    }
    assert [box.isChecked() for box in boxes(at_times)] == [False, False]


def test_each_choice_is_saved_as_it_is_made(at_times: FirstRun, link: StandInLink) -> None:
    QTest.keyClick(combo(at_times, "Hours"), Qt.Key.Key_Down)
    assert link.asked[-1] == SetPreference(name="hours", value="mon-fri 18:00-08:00, sat-sun")
    QTest.keyClick(combo(at_times, "You are away after"), Qt.Key.Key_Up)
    assert link.asked[-1] == SetPreference(name="idle-minutes", value="1 min")
    QTest.keyClick(combo(at_times, "Heat and noise"), Qt.Key.Key_End)
    assert link.asked[-1] == SetPreference(name="share-of-time", value="25%")
    press(at_times, "Train on battery")
    assert link.asked[-1] == SetPreference(name="on-battery", value="allow")
    press(at_times, "Start when I log in")
    assert link.asked[-1] == SetPreference(name="start-at-login", value="on")


def test_what_is_chosen_is_reported_again_before_consent(
    at_times: FirstRun, link: StandInLink, qtbot: QtBot
) -> None:
    QTest.keyClick(combo(at_times, "Hours"), Qt.Key.Key_End)
    press(at_times, "Start when I log in")
    go_to(at_times, FirstRunStep.CONSENT)
    qtbot.waitUntil(lambda: says(at_times, "At night."))
    assert says(at_times, "Idlebrush starts when you log in.")


def test_always_needs_neither_idleness_nor_hours(at_times: FirstRun) -> None:
    QTest.keyClick(combo(at_times, "Train"), Qt.Key.Key_Down)
    assert not combo(at_times, "Hours").isEnabled()
    assert not combo(at_times, "You are away after").isEnabled()
    assert combo(at_times, "Heat and noise").isEnabled()


def test_a_focus_on_what_is_not_needed_any_more_moves_on(at_times: FirstRun, link: StandInLink) -> None:
    """Whoever chooses by keys may be on the next field before the daemon has accepted the choice."""
    mode, idle = combo(at_times, "Train"), combo(at_times, "You are away after")
    idle.setFocus()
    mode.setCurrentIndex(mode.findData("always"))
    mode.activated.emit(mode.currentIndex())
    assert not idle.isEnabled()
    assert focused() is combo(at_times, "Heat and noise")


def test_a_choice_that_cannot_be_saved_is_taken_back_and_reported(
    at_times: FirstRun, link: StandInLink
) -> None:
    link.answers[SetPreference] = PreferenceError("The disk is full.", "Free some space.")
    press(at_times, "Start when I log in")
    assert says(at_times, "The disk is full. Free some space.")
    assert not button(at_times, "Start when I log in").isChecked()


def test_nothing_is_joined_without_the_box(at_consent: FirstRun, link: StandInLink) -> None:
    (agreed,) = boxes(at_consent)
    assert not agreed.isChecked()
    assert focused() is agreed
    assert not button(at_consent, "Start training").isEnabled()
    assert says(at_consent, "Check the box if you agree.")
    QTest.keyClick(agreed, Qt.Key.Key_Space)
    press(at_consent, "Start training")
    assert link.asked[-1] == JoinCandidate(digest=EMBEDDED.digest)


def test_a_click_on_the_words_agrees_as_one_on_the_box_does(at_consent: FirstRun) -> None:
    (agreed,) = boxes(at_consent)
    words = agreed.parentWidget()
    assert words is not None
    QTest.mouseClick(words, Qt.MouseButton.LeftButton, pos=words.rect().center())
    assert agreed.isChecked()


def test_a_key_that_nobody_vouched_for_has_to_be_compared(at_consent: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(OPEN, is_vouched_for=False))
    key, agreed = boxes(at_consent)
    assert EMBEDDED.fingerprint in key.accessibleName()
    agreed.click()
    assert not button(at_consent, "Start training").isEnabled()
    key.click()
    assert button(at_consent, "Start training").isEnabled()


def test_consent_is_to_one_run(at_consent: FirstRun, link: StandInLink) -> None:
    boxes(at_consent)[0].click()
    link.show(looking_at(OPEN, digest="ef" * 32))
    assert not boxes(at_consent)[0].isChecked()


def test_files_come_with_progress_and_may_be_given_up(at_consent: FirstRun, link: StandInLink) -> None:
    boxes(at_consent)[0].click()
    press(at_consent, "Start training")
    link.show(looking_at(EMBEDDED, stage=CandidateStage.FETCHING, progress=0.42, download_bytes=5_000_000))
    assert says(at_consent, "Downloading the run's files: 42%, 5.0 MB left.")
    bars = [bar for bar in at_consent.findChildren(ProgressBar) if bar.isVisible()]
    assert [bar.value() / bar.maximum() for bar in bars] == [0.42]
    assert not button(at_consent, "Back").isEnabled()
    assert not button(at_consent, "Start training").isEnabled()
    press(at_consent, "Cancel")
    assert link.asked[-1] == LookAtRun(location="embedded")
    link.show(looking_at(EMBEDDED))
    assert button(at_consent, "Start training").isEnabled()  # the consent is still there
    assert button(at_consent, "Back").isEnabled()


def test_what_gets_the_focus_comes_into_view(at_consent: FirstRun, link: StandInLink, qtbot: QtBot) -> None:
    at_consent.resize(at_consent.minimumSize())
    link.show(looking_at(OPEN, title=" ".join(["A run with a long name"] * 80)))
    (agreed,) = boxes(at_consent)
    button(at_consent, "Back").setFocus()
    qtbot.waitUntil(lambda: agreed.visibleRegion().isEmpty())
    agreed.setFocus()
    qtbot.waitUntil(lambda: agreed.visibleRegion().boundingRect() == agreed.rect())


@pytest.mark.parametrize("by_refusal", [True, False])
def test_joining_that_fails_can_be_tried_again(
    at_consent: FirstRun, link: StandInLink, by_refusal: bool
) -> None:
    boxes(at_consent)[0].click()
    if by_refusal:
        link.answers[JoinCandidate] = JoinError("The disk is full.", "Free some space.")
    press(at_consent, "Start training")
    if not by_refusal:
        problem = ProblemView(code="join", what="The disk is full.", remedy="Free some space.")
        link.show(looking_at(EMBEDDED, stage=CandidateStage.FAILED, problem=problem))
    assert says(at_consent, "The disk is full. Free some space.")
    before = link.asked.count(JoinCandidate(digest=EMBEDDED.digest))
    press(at_consent, "Try again")
    assert link.asked.count(JoinCandidate(digest=EMBEDDED.digest)) == before + 1


def test_what_comes_next_is_reported_once_it_is_joined(
    at_consent: FirstRun, link: StandInLink, qtbot: QtBot
) -> None:
    link.show(looking_at(EMBEDDED, stage=CandidateStage.JOINED))
    assert says(at_consent, "This computer trains when you are away")
    assert button(at_consent, "Open Idlebrush").isEnabled()
    assert not boxes(at_consent)


def test_a_failure_is_that_of_one_run_and_no_way_around_consent(
    at_consent: FirstRun, link: StandInLink
) -> None:
    boxes(at_consent)[0].click()
    link.answers[JoinCandidate] = JoinError("The disk is full.", "Free some space.")
    press(at_consent, "Start training")
    again = button(at_consent, "Try again")
    boxes(at_consent)[0].click()
    before = link.asked.count(JoinCandidate(digest=EMBEDDED.digest))
    again.click()
    assert link.asked.count(JoinCandidate(digest=EMBEDDED.digest)) == before
    link.show(looking_at(OPEN, digest="ef" * 32))
    assert not says(at_consent, "The disk is full.")


def test_a_measurement_that_failed_is_no_failure_of_fetching(at_consent: FirstRun, link: StandInLink) -> None:
    problem = ProblemView(code="join", what="It could not be tried out.", remedy="")
    link.show(looking_at(EMBEDDED, problem=problem))
    assert not says(at_consent, "It could not be tried out.")


def test_who_always_trains_is_promised_no_rest_in_games(
    at_times: FirstRun, link: StandInLink, qtbot: QtBot
) -> None:
    QTest.keyClick(combo(at_times, "Train"), Qt.Key.Key_Down)
    assert not button(at_times, "Train on battery").isEnabled()
    go_to(at_times, FirstRunStep.CONSENT)
    promised = "even while you use it. Training pauses only when the computer is hot"
    qtbot.waitUntil(lambda: says(at_times, promised))
    assert not says(at_times, "games")
    link.show(looking_at(EMBEDDED, stage=CandidateStage.JOINED))
    assert says(at_times, "You have joined the run")


def test_a_daemon_that_has_come_back_is_asked_for_what_holds(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    link.answers[ShowPreferences] = NoDaemon("The daemon has ended.")
    go_to(first_run, FirstRunStep.TIMES)
    link.show(None, LinkState.ABSENT)
    link.answers[ShowPreferences] = PREFERENCES
    link.show(looking_at(EMBEDDED))
    assert combo(first_run, "Train").currentText() == "While I am away"
    assert not says(first_run, "Idlebrush is not running in the background")


def test_choices_that_come_late_are_not_cut_off(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    slow = SlowDaemon(link, ShowPreferences)
    go_to(first_run, FirstRunStep.TIMES)
    QApplication.processEvents()
    assert not button(first_run, "Next").isEnabled(), "nobody knows yet what there is to agree to"
    slow.answer(PREFERENCES)
    assert button(first_run, "Next").isEnabled()
    for name in ("Train", "Hours", "Heat and noise"):
        field = combo(first_run, name)
        longest = max(
            field.fontMetrics().horizontalAdvance(field.itemText(at)) for at in range(field.count())
        )
        assert field.minimumWidth() > longest
