"""Choosing a run: by a card, a link or a file; what is shown of it, measured, entered by its gate, and gone wrong."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from pydantic import SecretStr
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import (
    CancelSignIn,
    EnterGate,
    ForgetCandidate,
    LookAtRun,
    MeasureCandidate,
    StopMeasuring,
)
from client.api.errors import DownloadError, GateError, JoinError, NoKeyring
from client.api.protocol import ProblemView
from client.api.runs import LOCAL_SWARM, LocalSwarmView, SwarmObstacle
from client.api.snapshot import SignInView
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.widgets.progress import ProgressBar
from gui.widgets.switches import Switch
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, GATE, GATED, OPEN, PLAN, looking_at
from tests.gui.first_run.hands import button, focused, go_to, press, says
from tests.gui.first_run.stand_ins import SlowDaemon, browser
from tests.gui.stand_in_link import StandInLink


@pytest.fixture
def choosing(first_run: FirstRun) -> FirstRun:
    go_to(first_run, FirstRunStep.RUN)
    return first_run


def field(within: QWidget) -> QLineEdit:
    """The visible one."""
    (found,) = (each for each in within.findChildren(QLineEdit) if each.isVisible())
    return found


def test_arrow_keys_go_from_choice_to_choice(choosing: FirstRun, link: StandInLink) -> None:
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert link.asked[-1] == LookAtRun(location="embedded")
    QTest.keyClick(focused(), Qt.Key.Key_Right)
    assert button(choosing, "From a list").isChecked()
    QTest.keyClick(focused(), Qt.Key.Key_Left)
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    assert button(choosing, "From a link").isChecked()
    assert field(choosing).isVisible()
    assert ForgetCandidate() in link.asked


def switch(within: QWidget) -> Switch:
    (found,) = (each for each in within.findChildren(Switch) if each.text() == "Try it with a swarm")
    return found


def test_the_embedded_run_comes_with_a_swarm_where_there_is_room(
    choosing: FirstRun, link: StandInLink
) -> None:
    link.show(IDLE.model_copy(update={"local_swarm": LocalSwarmView()}))
    press(choosing, "On this computer")
    assert link.asked[-1] == LookAtRun(location=LOCAL_SWARM)
    assert switch(choosing).isChecked()
    press(choosing, "Try it with a swarm")
    assert link.asked[-1] == LookAtRun(location="embedded")
    assert not switch(choosing).isChecked()
    press(choosing, "Try it with a swarm")
    assert link.asked[-1] == LookAtRun(location=LOCAL_SWARM)


@pytest.mark.parametrize("obstacle", SwarmObstacle)
def test_a_computer_without_room_for_a_swarm_is_told_why(
    choosing: FirstRun, link: StandInLink, obstacle: SwarmObstacle
) -> None:
    link.show(IDLE.model_copy(update={"local_swarm": LocalSwarmView(obstacle=obstacle)}))
    press(choosing, "On this computer")
    assert link.asked[-1] == LookAtRun(location="embedded")
    assert not switch(choosing).isEnabled()
    assert not says(choosing, "coordinator with a website"), "it cannot have one"


def test_the_offer_of_the_embedded_run_takes_the_swarm_too(choosing: FirstRun, link: StandInLink) -> None:
    link.show(IDLE.model_copy(update={"local_swarm": LocalSwarmView()}))
    choosing.offer("embedded")
    assert link.asked[-1] == LookAtRun(location=LOCAL_SWARM)


def test_a_link_is_looked_at(choosing: FirstRun, link: StandInLink) -> None:
    press(choosing, "From a link")
    QTest.keyClicks(field(choosing), "a.example")
    press(choosing, "Show the run")
    assert says(choosing, "This is not a link to a run")
    field(choosing).clear()
    QTest.keyClicks(field(choosing), "idlebrush:join?run=x")
    assert not says(choosing, "This is not a link to a run")
    QTest.keyClick(field(choosing), Qt.Key.Key_Return)
    assert link.asked[-1] == LookAtRun(location="idlebrush:join?run=x")


def test_a_file_is_chosen_in_a_dialog(
    choosing: FirstRun, link: StandInLink, tmp_path: Path, qtbot: QtBot
) -> None:
    press(choosing, "From a file")
    press(choosing, "Choose a file…")
    dialog = choosing.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "run.toml"))
    dialog.reject()
    assert link.asked[-1] == LookAtRun(location=str(tmp_path / "run.toml"))
    assert says(choosing, str(tmp_path / "run.toml"))


def test_a_file_that_is_dropped_is_looked_at(choosing: FirstRun, link: StandInLink, tmp_path: Path) -> None:
    file = QUrl.fromLocalFile(str(tmp_path / "run.toml"))
    assert is_taken(choosing, file)
    dropped = QMimeData()
    dropped.setUrls([file])
    choosing.screen_shown.dropEvent(QDropEvent(QPointF(5, 5), *drag_of(dropped)))
    assert button(choosing, "From a file").isChecked()
    assert link.asked[-1] == LookAtRun(location=str(tmp_path / "run.toml"))


def test_what_is_no_run_is_not_taken_when_it_is_dragged_over(choosing: FirstRun, tmp_path: Path) -> None:
    file = QUrl.fromLocalFile(str(tmp_path / "run.toml"))
    assert not is_taken(choosing, file, file)
    assert not is_taken(choosing, QUrl("mailto:somebody@example.org"))


def is_taken(choosing: FirstRun, *dragged: QUrl) -> bool:
    """Whether the screen takes what is dragged over it."""
    held = QMimeData()
    held.setUrls(list(dragged))
    event = QDragEnterEvent(QPoint(5, 5), *drag_of(held))
    event.ignore()
    choosing.screen_shown.dragEnterEvent(event)
    return event.isAccepted()


def drag_of(
    held: QMimeData,
) -> tuple[Qt.DropAction, QMimeData, Qt.MouseButton, Qt.KeyboardModifier]:
    return Qt.DropAction.CopyAction, held, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def test_a_card_is_chosen_by_a_click_anywhere_on_it(choosing: FirstRun) -> None:
    card = button(choosing, "From a link")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(card.width() - 6, card.height() - 6))
    assert card.isChecked()


def test_looking_can_be_given_up(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(CandidateView(location="https://a.example", stage=CandidateStage.LOOKING)))
    assert says(choosing, "Inspecting the run")
    assert not button(choosing, "Next").isEnabled()
    press(choosing, "Cancel")
    assert link.asked[-1] == ForgetCandidate()
    link.show(IDLE)
    assert not says(choosing, "Inspecting the run")


def test_all_that_matters_of_a_run_is_shown(choosing: FirstRun, link: StandInLink, qtbot: QtBot) -> None:
    link.show(looking_at(OPEN))
    for text in (
        "A large run",
        "A small model learns",
        "red heart · pizza",
        "train.example.org",
        "abcd-efgh",
        "Trains on the processor with 2.4 GB",
        "1.2 GB, once",
        "41.0 GB in each direction",
        "Internet address",
    ):
        qtbot.waitUntil(partial(says, choosing, text))
    assert button(choosing, "Next").isEnabled()


def test_what_went_wrong_is_reported_and_tried_again(choosing: FirstRun, link: StandInLink) -> None:
    problem = ProblemView(
        code="download", what="https://a.example cannot be reached.", remedy="Try again later."
    )
    link.show(
        looking_at(CandidateView(location="https://a.example", stage=CandidateStage.FAILED, problem=problem))
    )
    assert says(choosing, "https://a.example cannot be reached. Try again later.")
    assert not button(choosing, "Next").isEnabled()


def test_a_refusal_stays_until_another_attempt(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(OPEN))
    link.answers[LookAtRun] = DownloadError("There is no such run.", "Check the link.")
    press(choosing, "From a link")
    field(choosing).setText("https://a.example/run.toml")
    press(choosing, "Show the run")
    link.show(looking_at(OPEN))
    assert says(choosing, "There is no such run. Check the link.")
    del link.answers[LookAtRun]
    press(choosing, "Try again")
    link.show(looking_at(OPEN))
    assert not says(choosing, "There is no such run.")


def test_the_button_of_a_problem_keeps_the_focus_while_snapshots_come(
    choosing: FirstRun, link: StandInLink
) -> None:
    problem = ProblemView(code="download", what="It cannot be reached.", remedy="Try again later.")
    failed = looking_at(
        CandidateView(location="https://a.example", stage=CandidateStage.FAILED, problem=problem)
    )
    link.show(failed)
    button(choosing, "Try again").setFocus()
    link.show(failed)
    assert focused() is button(choosing, "Try again")


def test_a_run_that_is_too_large_is_called_so(choosing: FirstRun, link: StandInLink) -> None:
    plan = PLAN.model_copy(update={"fits": False, "text": "It takes 40 GB, and there are 8."})
    link.show(looking_at(OPEN, plan=plan))
    assert says(choosing, "This run is too large for this computer")
    assert says(choosing, "It takes 40 GB, and there are 8.")
    assert not button(choosing, "Next").isEnabled()


def test_a_minute_is_measured_with_progress_and_may_end_early(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(EMBEDDED))
    press(choosing, "Measure the speed")
    assert link.asked[-1] == MeasureCandidate()
    link.show(looking_at(EMBEDDED, stage=CandidateStage.MEASURING, progress=0.25))
    bars = [bar for bar in choosing.findChildren(ProgressBar) if bar.isVisible()]
    assert [bar.value() / bar.maximum() for bar in bars] == [0.25]
    assert focused() is button(choosing, "Stop measuring")
    press(choosing, "Stop measuring")
    assert StopMeasuring() in link.asked
    link.show(looking_at(EMBEDDED, samples_per_hour=5321.0))
    assert says(choosing, "About 5,300 samples per hour.")
    assert button(choosing, "Measure again").isEnabled()


def test_a_run_that_could_not_be_measured_can_be_joined_all_the_same(
    choosing: FirstRun, link: StandInLink
) -> None:
    problem = ProblemView(code="join", what="Its first step took too long.", remedy="Try again.")
    link.show(looking_at(EMBEDDED, problem=problem))
    assert says(choosing, "Its first step took too long. Try again.")
    assert button(choosing, "Next").isEnabled()


def test_a_run_that_is_joined_already_says_so(choosing: FirstRun, link: StandInLink) -> None:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"digest": EMBEDDED.digest})
    link.show(looking_at(EMBEDDED).model_copy(update={"run": run}))
    assert says(choosing, "This computer already trains this run.")
    assert button(choosing, "Next").isEnabled()


ENTERING = EnterGate(
    run=GATED.digest, coordinator=GATE.coordinator, gate=GATE.key, flow="browser", keep="keyring"
)


def test_a_gate_is_entered_by_the_browser(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    assert says(choosing, "This run admits members of learners")
    assert says(choosing, "proves your identity to train.example.org only")
    assert not button(choosing, "Next").isEnabled()
    SlowDaemon(link, EnterGate)
    press(choosing, "Sign in with the browser")
    assert link.asked[-1] == ENTERING
    page = SignInView(address="https://huggingface.co/oauth/x?y", code="", expires=later())
    waiting = looking_at(GATED).model_copy(update={"sign_in": page})
    with browser() as opened:
        link.show(waiting)
        link.show(waiting)
    assert opened == [page.address]  # once, however many snapshots come
    assert says(choosing, "Continue in your browser at huggingface.co/oauth/x.")
    link.show(looking_at(GATED, gate=GATE.model_copy(update={"is_member": True})))


def test_a_gate_is_entered_by_a_code(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    daemon = SlowDaemon(link, EnterGate)
    press(choosing, "Use a code instead")
    assert link.asked[-1] == ENTERING.model_copy(update={"flow": "device"})
    code = SignInView(address="https://hub.example/device", code="WXYZ-9876", expires=later())
    link.show(looking_at(GATED).model_copy(update={"sign_in": code}))
    assert says(choosing, "WXYZ-9876")
    assert not button(choosing, "Next").isEnabled()
    member = looking_at(GATED, gate=GATE.model_copy(update={"is_member": True}))
    daemon.succeed()
    link.show(member)
    assert says(choosing, "You are admitted to this run.")
    assert button(choosing, "Next").isEnabled()


def test_a_sign_in_at_a_gate_may_be_cancelled(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    daemon = SlowDaemon(link, EnterGate)
    press(choosing, "Use a code instead")
    code = SignInView(address="https://hub.example/device", code="WXYZ-9876", expires=later())
    link.show(looking_at(GATED).model_copy(update={"sign_in": code}))
    press(choosing, "Cancel")
    assert link.asked[-1] == CancelSignIn()
    daemon.refuse(GateError("It was cancelled.", ""))
    assert not says(choosing, "It was cancelled.")
    assert button(choosing, "Sign in with the browser").isEnabled()


def test_a_gate_that_refuses_says_why(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    link.answers[EnterGate] = GateError("You are not a member.", "Ask the organiser.")
    press(choosing, "Sign in with the browser")
    assert says(choosing, "You are not a member. Ask the organiser.")
    assert button(choosing, "Try again").isEnabled()


def test_without_a_keyring_a_membership_lasts_for_the_session(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    link.answers[EnterGate] = NoKeyring("There is none.", "")
    press(choosing, "Use a code instead")
    press(choosing, "Only until Idlebrush quits")
    assert link.asked[-1] == ENTERING.model_copy(update={"flow": "device", "keep": "session"})


@pytest.mark.parametrize("is_invited", [True, False])
def test_an_invitation_is_asked_for_where_the_link_has_none(
    choosing: FirstRun, link: StandInLink, is_invited: bool
) -> None:
    gate = GATE.model_copy(update={"admits": "invitation", "is_invited": is_invited})
    link.show(looking_at(GATED, gate=gate))
    codes = [each for each in choosing.findChildren(QLineEdit) if each.accessibleName() == "Invitation code"]
    assert [each.isVisible() for each in codes] == [not is_invited]
    if not is_invited:
        QTest.keyClicks(codes[0], "welcome")
    press(choosing, "Sign in with the browser")
    assert link.asked[-1] == ENTERING.model_copy(
        update={"invitation": None if is_invited else SecretStr("welcome")}
    )


def test_an_invitation_goes_to_the_gate_that_it_was_entered_for(
    choosing: FirstRun, link: StandInLink
) -> None:
    by_invitation = GATE.model_copy(update={"admits": "invitation"})
    link.show(looking_at(GATED, gate=by_invitation))
    (code,) = (
        each for each in choosing.findChildren(QLineEdit) if each.accessibleName() == "Invitation code"
    )
    QTest.keyClicks(code, "welcome")
    link.show(looking_at(GATED, gate=by_invitation))
    assert code.text() == "welcome"
    link.show(looking_at(EMBEDDED.model_copy(update={"digest": "", "stage": CandidateStage.LOOKING})))
    link.show(looking_at(GATED, gate=GATE, digest="ef" * 32))
    press(choosing, "Sign in with the browser")
    assert link.asked[-1] == ENTERING.model_copy(update={"run": "ef" * 32})
    link.show(looking_at(GATED, gate=by_invitation))
    assert code.text() == ""


def test_a_sign_in_ends_when_another_run_is_looked_at(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    SlowDaemon(link, EnterGate)
    press(choosing, "Use a code instead")
    link.show(looking_at(GATED, digest="ef" * 32))
    assert link.asked[-1] == CancelSignIn()


def test_a_membership_that_the_gate_has_ended_can_be_had_again(choosing: FirstRun, link: StandInLink) -> None:
    assert FULL.run is not None
    member = looking_at(GATED, gate=GATE.model_copy(update={"is_member": True}))
    joined = member.model_copy(update={"run": FULL.run.model_copy(update={"digest": GATED.digest})})
    link.show(joined)
    assert says(choosing, "You are admitted to this run.")
    ended = ProblemView(code="membership", what="Your membership has ended.", remedy="")
    link.show(joined.model_copy(update={"problem": ended}))
    assert not says(choosing, "You are admitted to this run.")
    press(choosing, "Sign in with the browser")
    assert link.asked[-1] == ENTERING


def test_what_went_wrong_goes_with_the_choice_that_it_was_about(
    choosing: FirstRun, link: StandInLink
) -> None:
    link.answers[LookAtRun] = JoinError("The link is damaged.", "Ask for another.")
    press(choosing, "From a link")
    QTest.keyClicks(field(choosing), "idlebrush:join?run=x")
    press(choosing, "Show the run")
    assert says(choosing, "The link is damaged.")
    press(choosing, "From a file")
    assert not says(choosing, "The link is damaged.")


def test_an_address_is_shown_with_its_port(choosing: FirstRun, link: StandInLink) -> None:
    link.show(looking_at(GATED))
    SlowDaemon(link, EnterGate)
    press(choosing, "Use a code instead")
    code = SignInView(address="http://127.0.0.1:8080/device?x", code="WXYZ-9876", expires=later())
    link.show(looking_at(GATED).model_copy(update={"sign_in": code}))
    assert says(choosing, "Open 127.0.0.1:8080/device, here or on your phone.")


def later() -> datetime:
    return datetime.now(UTC) + timedelta(minutes=5)
