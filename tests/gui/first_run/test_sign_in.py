"""The sign-in's screen: by code and by token, cancelled, refused, and without a keyring."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from client.api.commands import CancelSignIn, SignIn, SignOut
from client.api.errors import CredentialsRejected, KeyringLocked, NoKeyring, SignInError
from client.api.snapshot import SignInView
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.widgets.picture import QrCode
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.hands import button, focused, go_to, press, says
from tests.gui.first_run.stand_ins import SlowDaemon, browser
from tests.gui.stand_in_link import StandInLink

CODE = SignInView(
    address="https://hub.example/device",
    code="ABCD-1234",
    expires=datetime.now(UTC) + timedelta(hours=9),  # the whole suite may run before it is shown
)
WAITING = IDLE.model_copy(update={"sign_in": CODE})
SIGNED_IN = IDLE.model_copy(update={"account": FULL.account})


@pytest.fixture
def at_sign_in(first_run: FirstRun) -> FirstRun:
    go_to(first_run, FirstRunStep.SIGN_IN)
    return first_run


def test_a_code_is_shown_with_all_that_helps_to_enter_it(at_sign_in: FirstRun, link: StandInLink) -> None:
    SlowDaemon(link)
    press(at_sign_in, "Get a code")
    assert link.asked[-1] == SignIn(keep="keyring")
    assert not button(at_sign_in, "Requesting a code…").isEnabled()
    link.show(WAITING)
    assert says(at_sign_in, "ABCD-1234")
    assert says(at_sign_in, "hub.example/device")
    assert says(at_sign_in, "Valid for another")
    code = at_sign_in.screen_shown.findChild(QrCode)
    assert code is not None
    assert code.accessibleDescription() == CODE.address
    press(at_sign_in, "Copy the code")
    assert QGuiApplication.clipboard().text() == "ABCD-1234"
    assert says(at_sign_in, "Copied")
    assert not button(at_sign_in, "Skip").isEnabled()
    link.show(SIGNED_IN)


def test_the_browser_is_opened_where_the_code_is_entered(at_sign_in: FirstRun, link: StandInLink) -> None:
    SlowDaemon(link)
    press(at_sign_in, "Get a code")
    link.show(WAITING)
    with browser() as opened:
        press(at_sign_in, "Open in the browser")
    assert opened == [CODE.address]


def test_whoever_has_signed_in_sees_their_name_and_goes_on(at_sign_in: FirstRun, link: StandInLink) -> None:
    link.show(SIGNED_IN)
    assert says(at_sign_in, "Signed in as somebody")
    assert button(at_sign_in, "Next").isEnabled()
    press(at_sign_in, "Sign out")
    assert link.asked[-1] == SignOut()


def test_a_cancelled_sign_in_is_no_trouble(at_sign_in: FirstRun, link: StandInLink) -> None:
    daemon = SlowDaemon(link)
    press(at_sign_in, "Get a code")
    link.show(WAITING)
    press(at_sign_in, "Cancel")
    assert link.asked[-1] == CancelSignIn()
    daemon.refuse(SignInError("The sign-in was cancelled.", "Sign in when you like."))
    assert button(at_sign_in, "Get a code").isEnabled()
    assert not says(at_sign_in, "not completed")


def test_a_code_that_has_run_out_is_followed_by_a_new_one(at_sign_in: FirstRun, link: StandInLink) -> None:
    daemon = SlowDaemon(link)
    press(at_sign_in, "Get a code")
    daemon.refuse(SignInError("Nobody entered the code in time.", "Sign in again."))
    assert says(at_sign_in, "Nobody entered the code in time.")
    before = link.asked.count(SignIn(keep="keyring"))
    press(at_sign_in, "Get a new code")
    assert link.asked.count(SignIn(keep="keyring")) == before + 1
    assert not says(at_sign_in, "Nobody entered the code in time.")


def test_a_token_is_sent_once_and_forgotten(at_sign_in: FirstRun, link: StandInLink) -> None:
    press(at_sign_in, "With a token")
    field = at_sign_in.screen_shown.findChild(QLineEdit)
    assert field is not None
    assert field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(field, "hf_secret")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert link.asked[-1] == SignIn(token=SecretStr("hf_secret"), keep="keyring")
    assert field.text() == ""


def test_a_token_is_legible_while_the_volunteer_wants_to_read_it(at_sign_in: FirstRun) -> None:
    press(at_sign_in, "With a token")
    field = at_sign_in.screen_shown.findChild(QLineEdit)
    assert field is not None
    (eye,) = field.actions()
    for mode, name in (
        (QLineEdit.EchoMode.Normal, "Hide the token"),
        (QLineEdit.EchoMode.Password, "Show the token"),
    ):
        eye.trigger()
        assert (field.echoMode(), eye.text()) == (mode, name)


def test_who_comes_back_to_the_token_goes_on_in_its_field(at_sign_in: FirstRun) -> None:
    press(at_sign_in, "With a token")
    press(at_sign_in, "Skip")
    press(at_sign_in, "Back")
    assert at_sign_in.step is FirstRunStep.SIGN_IN
    field = focused()
    assert (field.accessibleName(), type(field)) == ("Token", QLineEdit)


def test_a_token_is_created_in_the_browser(at_sign_in: FirstRun) -> None:
    press(at_sign_in, "With a token")
    with browser() as opened:
        press(at_sign_in, "Create a token")
    assert opened == ["https://huggingface.co/settings/tokens"]


def test_a_token_that_is_none_is_not_sent(at_sign_in: FirstRun, link: StandInLink) -> None:
    press(at_sign_in, "With a token")
    before = len(link.asked)
    press(at_sign_in, "Check and sign in")
    assert says(at_sign_in, "Paste a token first.")
    assert len(link.asked) == before


def test_a_token_that_the_hub_rejects_is_reported(at_sign_in: FirstRun, link: StandInLink) -> None:
    link.answers[SignIn] = CredentialsRejected("The Hub does not know this token.", "Copy it again.")
    press(at_sign_in, "With a token")
    field = at_sign_in.screen_shown.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "hf_old")
    press(at_sign_in, "Check and sign in")
    assert says(at_sign_in, "The Hub does not know this token. Copy it again.")
    assert button(at_sign_in, "Check and sign in").isEnabled()


def test_without_a_keyring_the_volunteer_says_where_to_keep_it(
    at_sign_in: FirstRun, link: StandInLink
) -> None:
    link.answers[SignIn] = NoKeyring("There is none.", "Do without.")
    press(at_sign_in, "Get a code")
    assert says(at_sign_in, "keyring cannot store your sign-in")
    assert not says(at_sign_in, "Try again")  # there is nothing to unlock
    press(at_sign_in, "In a file that only I can read")
    assert link.asked[-1] == SignIn(keep="file")


def test_a_locked_keyring_may_be_unlocked_and_tried_again(at_sign_in: FirstRun, link: StandInLink) -> None:
    link.answers[SignIn] = KeyringLocked("It is locked.", "Unlock it.")
    press(at_sign_in, "With a token")
    field = at_sign_in.screen_shown.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "hf_secret")
    press(at_sign_in, "Check and sign in")
    press(at_sign_in, "Only until Idlebrush quits")
    assert link.asked[-1] == SignIn(token=SecretStr("hf_secret"), keep="session")
    press(at_sign_in, "Try again")
    assert link.asked[-1] == SignIn(token=SecretStr("hf_secret"), keep="keyring")
