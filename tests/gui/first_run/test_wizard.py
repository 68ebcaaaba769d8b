"""The first run as a whole: from screen to screen by keys, back without a loss, a question before it is left."""

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from client.api.candidate import CandidateStage
from client.api.commands import CancelSignIn, ForgetCandidate, JoinCandidate, LookAtRun, SignIn, StopMeasuring
from client.api.errors import NoDaemon
from client.api.questions import ShowPreferences
from client.api.runs import JoinedRunView
from gui.first_run.steps import ANOTHER_RUN, WHOLE, FirstRunStep
from gui.first_run.welcome import Welcome
from gui.first_run.wizard import FirstRun
from gui.link.link import LinkState
from gui.settings import AppSettings
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, GATED, OPEN, PREFERENCES, looking_at
from tests.gui.first_run.hands import button, focused, go_to, is_at, press, sayings, says
from tests.gui.first_run.stand_ins import SlowDaemon
from tests.gui.stand_in_link import StandInLink


def test_all_of_it_goes_by_keys_alone(first_run: FirstRun, link: StandInLink, qtbot: QtBot) -> None:
    def type_key(key: Qt.Key) -> None:
        QTest.keyClick(focused(), key)

    type_key(Qt.Key.Key_Return)  # begins
    assert is_at(first_run, FirstRunStep.SIGN_IN)
    while focused() is not button(first_run, "Skip"):
        type_key(Qt.Key.Key_Tab)
    type_key(Qt.Key.Key_Return)
    assert is_at(first_run, FirstRunStep.RUN)
    type_key(Qt.Key.Key_Space)  # the first of the choices has the focus
    assert link.asked[-1] == LookAtRun(location="embedded")
    link.show(looking_at(EMBEDDED))
    while focused() is not button(first_run, "Next"):
        type_key(Qt.Key.Key_Tab)
    type_key(Qt.Key.Key_Return)
    assert is_at(first_run, FirstRunStep.TIMES)
    while focused() is not button(first_run, "Next"):
        type_key(Qt.Key.Key_Tab)
    type_key(Qt.Key.Key_Space)
    assert is_at(first_run, FirstRunStep.CONSENT)
    type_key(Qt.Key.Key_Space)  # the box has the focus
    type_key(Qt.Key.Key_Tab)
    while focused() is not button(first_run, "Start training"):
        type_key(Qt.Key.Key_Tab)
    type_key(Qt.Key.Key_Return)
    assert JoinCandidate(digest=EMBEDDED.digest) in link.asked
    link.show(looking_at(EMBEDDED, stage=CandidateStage.FETCHING, progress=0.5))
    link.show(looking_at(EMBEDDED, stage=CandidateStage.JOINED))
    with qtbot.waitSignal(first_run.finished) as finished:
        press(first_run, "Open Idlebrush")
    assert finished.args == [True]
    assert not first_run.isVisible()


def test_every_screen_names_itself_and_its_place(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    for number, step in enumerate(WHOLE[:-1], 1):
        go_to(first_run, step)
        title = first_run.screen_shown.title()
        assert says(first_run, f"Step {number} of 5: {title}")


def test_the_first_screen_names_the_step_of_the_consent(first_run: FirstRun, link: StandInLink) -> None:
    (promise,) = [text for text in sayings(first_run) if text.startswith("Train before you agree")]
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.CONSENT)
    (place,) = [text for text in sayings(first_run) if text.startswith("Step ")]
    assert promise == f"Train before you agree in {place.partition(' of ')[0].lower()}."


def test_tab_goes_in_the_order_of_reading(first_run: FirstRun, link: StandInLink) -> None:
    first_run.resize(1020, 1200)
    gate = GATED.gate.model_copy(update={"is_member": True}) if GATED.gate else None
    for step in WHOLE[:-1]:
        if step is FirstRunStep.RUN:
            press(first_run, "Skip")
            press(first_run, "From a link")
            link.show(looking_at(GATED, gate=gate, is_vouched_for=False))
        go_to(first_run, step)
        reached: list[QWidget] = []
        while not reached or focused() is not reached[0]:
            reached.append(focused())
            QTest.keyClick(focused(), Qt.Key.Key_Tab)
        places = [each.mapTo(first_run, QPoint(0, each.height() // 2)).y() for each in reached]
        first = places.index(min(places))
        in_order = places[first:] + places[:first]
        assert in_order == sorted(in_order), [type(each).__name__ for each in reached]


def test_going_back_loses_nothing(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.RUN)
    press(first_run, "From a link")
    press(first_run, "On this computer")
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.CONSENT)
    press(first_run, "Back")
    press(first_run, "Back")
    assert first_run.step is FirstRunStep.RUN
    assert button(first_run, "On this computer").isChecked()
    assert says(first_run, EMBEDDED.title)


def test_measuring_ends_when_one_goes_on(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED, stage=CandidateStage.MEASURING, progress=0.1))
    go_to(first_run, FirstRunStep.TIMES)
    assert StopMeasuring() in link.asked


@pytest.mark.parametrize(("answer", "is_left"), [("Leave", True), ("Stay", False)])
def test_escape_asks_before_it_leaves(
    first_run: FirstRun, link: StandInLink, settings: AppSettings, qtbot: QtBot, answer: str, is_left: bool
) -> None:
    ends: list[bool] = []
    first_run.finished.connect(ends.append)
    QTest.keyClick(first_run, Qt.Key.Key_Escape)
    question = first_run.findChild(QMessageBox)
    assert question is not None
    press(question, answer)
    assert ends == ([False] if is_left else [])
    assert first_run.isVisible() is not is_left
    assert settings.first_run_done is is_left
    assert (ForgetCandidate() in link.asked) is is_left


def test_escape_after_joining_ends_it_without_a_question(first_run: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.CONSENT)
    link.show(looking_at(EMBEDDED, stage=CandidateStage.JOINED))
    ends: list[bool] = []
    first_run.finished.connect(ends.append)
    QTest.keyClick(first_run, Qt.Key.Key_Escape)
    assert ends == [True]
    assert first_run.findChild(QMessageBox) is None


@pytest.mark.parametrize(
    ("state", "text", "action"),
    [
        (LinkState.STARTING, "is starting", ""),
        (LinkState.ABSENT, "is not running", "Start it"),
        (LinkState.SILENT, "does not answer", "Restart it"),
        (LinkState.OLD, "Another version", "Restart it"),
    ],
)
def test_a_daemon_that_is_not_there_is_reported_and_helped(
    first_run: FirstRun, link: StandInLink, state: LinkState, text: str, action: str
) -> None:
    go_to(first_run, FirstRunStep.SIGN_IN)
    link.show(None, state)
    assert says(first_run, text)
    assert not button(first_run, "Skip").isEnabled()
    if action == "Restart it":
        press(first_run, action)
        assert link.restarts == 1
    elif action:
        press(first_run, action)
        assert link.state is not state or link.snapshot is None
    link.show(IDLE)
    assert not says(first_run, text)
    assert button(first_run, "Skip").isEnabled()


def test_a_run_that_the_daemon_forgot_is_looked_at_again(first_run: FirstRun, link: StandInLink) -> None:
    go_to(first_run, FirstRunStep.RUN)
    press(first_run, "On this computer")
    link.show(looking_at(EMBEDDED))
    link.show(None, LinkState.ABSENT)
    before = link.asked.count(LookAtRun(location="embedded"))
    link.show(IDLE)
    assert link.asked.count(LookAtRun(location="embedded")) == before + 1


def test_an_offered_run_is_chosen_already(first_run: FirstRun, link: StandInLink) -> None:
    first_run.offer("embedded")
    assert link.asked[-1] == LookAtRun(location="embedded")
    assert first_run.step is FirstRunStep.WELCOME
    link.show(looking_at(EMBEDDED))
    go_to(first_run, FirstRunStep.RUN)
    assert button(first_run, "On this computer").isChecked()
    assert button(first_run, "Next").isEnabled()


def test_another_run_begins_with_choosing_it(qtbot: QtBot, link: StandInLink, settings: AppSettings) -> None:
    link.answers[ShowPreferences] = PREFERENCES
    joined = JoinedRunView(digest="c" * 64, title="Emoji, a starter set", share=100, is_current=True)
    link.show(looking_at(OPEN).model_copy(update={"run": FULL.run, "runs": (joined,)}))
    shown = FirstRun(link, settings, route=ANOTHER_RUN)
    qtbot.addWidget(shown)
    shown.show()
    assert says(shown, "Step 1 of 3: Choose a run")
    go_to(shown, FirstRunStep.CONSENT)
    qtbot.waitUntil(lambda: says(shown, "You join this run in addition to Emoji, a starter set."))


def test_whoever_came_from_the_window_leaves_without_a_question(
    qtbot: QtBot, link: StandInLink, settings: AppSettings
) -> None:
    link.show(IDLE)
    shown = FirstRun(link, settings, route=ANOTHER_RUN)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    with qtbot.waitSignal(shown.finished) as finished:
        QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert finished.args == [False]


def test_a_sign_in_alone_ends_with_itself(qtbot: QtBot, link: StandInLink, settings: AppSettings) -> None:
    link.show(IDLE.model_copy(update={"account": FULL.account}))
    shown = FirstRun(link, settings, route=(FirstRunStep.SIGN_IN,))
    qtbot.addWidget(shown)
    shown.show()
    with qtbot.waitSignal(shown.finished) as finished:
        press(shown, shown.screen_shown.primary_text())
    assert finished.args == [True]


def test_a_language_is_spoken_as_soon_as_it_is_chosen(
    first_run: FirstRun, settings: AppSettings, qtbot: QtBot, speaking: QApplication
) -> None:
    choice = first_run.screen_shown.findChild(QComboBox)
    assert choice is not None
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: settings.language == "de")
    assert QLocale().language() is QLocale.Language.German
    qtbot.waitUntil(lambda: bool(first_run.screen_shown.findChildren(QComboBox)))
    assert first_run.step is FirstRunStep.WELCOME


def test_an_offer_outlives_a_change_of_the_language(
    first_run: FirstRun, link: StandInLink, qtbot: QtBot, speaking: QApplication
) -> None:
    first_run.offer("embedded")  # and the daemon has not said a word of it yet
    welcome = first_run.screen_shown
    assert isinstance(welcome, Welcome)
    welcome.language_chosen.emit("de")
    qtbot.waitUntil(lambda: first_run.screen_shown is not welcome and first_run.screen_shown.isVisible())
    assert link.asked.count(LookAtRun(location="embedded")) == 2
    link.show(looking_at(EMBEDDED))
    for _ in range(2):
        first_run.screen_shown.press_primary()
    assert button(first_run, "Auf diesem Computer").isChecked()


def test_whoever_leaves_waits_for_no_browser(first_run: FirstRun, link: StandInLink) -> None:
    go_to(first_run, FirstRunStep.SIGN_IN)
    SlowDaemon(link, SignIn)
    press(first_run, "Get a code")
    press(first_run, "Back")
    assert CancelSignIn() not in link.asked, "whoever goes back finds it again"
    QTest.keyClick(first_run, Qt.Key.Key_Escape)
    question = first_run.findChild(QMessageBox)
    assert question is not None
    press(question, "Leave")
    assert CancelSignIn() in link.asked


def test_a_small_window_shows_the_words_and_leaves_the_picture_out(first_run: FirstRun) -> None:
    first_run.resize(first_run.minimumSize())
    assert says(first_run, "What it will do")
    assert not first_run.frame.picture.isVisible()
    first_run.resize(1020, 720)
    assert first_run.frame.picture.isVisible()


def test_a_daemon_that_refuses_to_be_asked_is_reported_in_its_place(
    first_run: FirstRun, link: StandInLink
) -> None:
    link.show(looking_at(EMBEDDED))
    link.answers[ShowPreferences] = NoDaemon("The daemon has ended.")
    go_to(first_run, FirstRunStep.TIMES)
    assert says(first_run, "Idlebrush is not running in the background")
