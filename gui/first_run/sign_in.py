"""The screen for the optional sign-in with the Hugging Face Hub, by code or token."""

from typing import Literal

from pydantic import SecretStr
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.commands import CancelSignIn, SignIn, SignOut
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.account_view import SignInAttempt, SignInStage, kept, stage_of
from gui.first_run.screen import Screen
from gui.first_run.sign_in_panels import CodePanel, TokenPanel
from gui.first_run.steps import FirstRunStep
from gui.link.link import AppLink
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import body, title
from gui.widgets.problem_note import ProblemButton, ProblemNote
from gui.widgets.switches import SegmentedControl

_Keep = Literal["keyring", "session", "file"]
_KEYRING_FAILS = ("no_keyring", "keyring_locked", "keyring")


class SignInScreen(Screen):
    """Signs the volunteer in, or lets them skip it, because open runs need no account."""

    step = FirstRunStep.SIGN_IN

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._attempt = SignInAttempt.NONE
        self._is_cancelled = self._is_new = False
        self._keep: _Keep = "keyring"
        self._token = SecretStr("")
        self.add_heading(
            self.tr("Sign in (optional)"),
            self.tr(
                "Some runs admit only people with certain accounts on the Hugging Face Hub. Open "
                "runs and the run that comes with Idlebrush need no account. You can skip this step "
                "and sign in later."
            ),
        )
        self._problem = ProblemNote(self)
        self._out, self._in = self._signed_out(), self._signed_in()
        for widget in (self._problem, self._out, self._in):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        self._draw()

    def title(self) -> str:
        return self.tr("Sign in")

    def primary_text(self) -> str:
        return self.tr("Next") if self._is_in else self.tr("Skip")

    @property
    def is_signing_in(self) -> bool:
        return self._attempt is not SignInAttempt.NONE

    def first_focus(self) -> QWidget | None:
        if self._is_in:
            return None
        return self._token_panel.field if self._ways.choice == 1 else self._get_code

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._draw()

    def given_up(self) -> None:
        self.cancel()

    def cancel(self) -> None:
        """Cancel the sign-in."""
        if self._attempt is not SignInAttempt.NONE:
            self._is_cancelled = True
            self.link.ask(CancelSignIn(), failed=self._ignore)

    @property
    def _is_in(self) -> bool:
        return stage_of(self.link.snapshot, self._attempt) is SignInStage.IN

    def _signed_out(self) -> QWidget:
        """Create the widgets in the order of Tab."""
        out = QWidget(self)
        column = QVBoxLayout(out)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        self._ways = SegmentedControl((self.tr("With a code"), self.tr("With a token")), out)
        self._ways.chosen.connect(self._show_way)
        choice = QHBoxLayout()
        choice.addWidget(self._ways)
        choice.addStretch(1)
        column.addLayout(choice)
        self._code_panel = self._code_way()
        self._token_panel = TokenPanel(out)
        self._token_panel.given.connect(self._sign_in_by_token)
        self._token_panel.hide()
        column.addWidget(self._code_panel)
        column.addWidget(self._token_panel)
        return out

    def _code_way(self) -> QWidget:
        way = QWidget(self)
        column = QVBoxLayout(way)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        self._ask = QWidget(way)
        asking = QVBoxLayout(self._ask)
        asking.setContentsMargins(0, 0, 0, 0)
        asking.setSpacing(Space.M)
        text = self.tr(
            "You get a short code and enter it in a browser, here or on your phone. Idlebrush "
            "never sees your password. It requests only your user name."
        )
        asking.addWidget(body(text, self._ask))
        self._get_code = QuietButton(self.tr("Get a code"), self._ask)
        self._get_code.clicked.connect(self._sign_in_by_code)
        row = QHBoxLayout()
        row.addWidget(self._get_code)
        row.addStretch(1)
        asking.addLayout(row)
        self._code = CodePanel(way)
        self._code.cancelled.connect(self.cancel)
        column.addWidget(self._ask)
        column.addWidget(self._code)
        column.addStretch(1)
        return way

    def _signed_in(self) -> QWidget:
        card = Card("", self)
        self._name = title("", card)
        self._kept = body("", card)
        another = QuietButton(self.tr("Sign out"), card)
        another.clicked.connect(self._sign_out)
        row = QHBoxLayout()
        row.addWidget(another)
        row.addStretch(1)
        card.body.addWidget(self._name)
        card.body.addWidget(self._kept)
        card.body.addLayout(row)
        return card

    def _show_way(self, index: int) -> None:
        self._code_panel.setVisible(index == 0)
        self._token_panel.setVisible(index == 1)
        self._problem.clear()
        self._token = SecretStr("")

    def _sign_in_by_code(self) -> None:
        self._begin(SignInAttempt.CODE, SignIn(keep=self._keep))

    def _sign_in_by_token(self, text: str) -> None:
        self._token = SecretStr(text)
        self._begin(SignInAttempt.TOKEN, SignIn(token=self._token, keep=self._keep))

    def _begin(self, attempt: SignInAttempt, request: SignIn) -> None:
        self._attempt, self._is_cancelled = attempt, False
        self._problem.clear()
        self._draw()
        self.link.ask(request, self._succeed, self._fail)

    def _succeed(self, _: Done | Status) -> None:
        """Note the success; the name arrives with the next snapshot."""
        self._attempt, self._token, self._is_new = SignInAttempt.NONE, SecretStr(""), True
        self._draw()

    def _fail(self, error: ClientError) -> None:
        attempt, self._attempt = self._attempt, SignInAttempt.NONE
        self._draw()
        if self._is_cancelled:
            self._get_code.setFocus()
        else:
            self._report(error, attempt)
            self._problem.take_focus()

    def _report(self, error: ClientError, attempt: SignInAttempt) -> None:
        if error.code in _KEYRING_FAILS:
            self._report_keyring(error, attempt)
            return
        self._token = SecretStr("")
        if attempt is SignInAttempt.CODE:
            self._problem.show_error(error, ProblemButton(self.tr("Get a new code"), self._sign_in_by_code))
        else:
            self._problem.show_error(error)

    def _report_keyring(self, error: ClientError, attempt: SignInAttempt) -> None:
        self._again = attempt
        remedies = [
            ProblemButton(self.tr("Try again"), self._try_keyring),
            ProblemButton(self.tr("Only until Idlebrush quits"), self._keep_for_session),
            ProblemButton(self.tr("In a file that only I can read"), self._keep_in_file),
        ]
        self._problem.show_message(
            self.tr("This computer's keyring cannot store your sign-in"),
            self.tr("Unlock the keyring and try again, or store the sign-in elsewhere."),
            *remedies[error.code == "no_keyring" :],
            kind=BannerKind.WARNING,
        )

    def _try_keyring(self) -> None:
        self._sign_in_again("keyring")

    def _keep_for_session(self) -> None:
        self._sign_in_again("session")

    def _keep_in_file(self) -> None:
        self._sign_in_again("file")

    def _sign_in_again(self, keep: _Keep) -> None:
        self._keep = keep
        if self._again is SignInAttempt.TOKEN:
            self._begin(SignInAttempt.TOKEN, SignIn(token=self._token, keep=keep))
        else:
            self._sign_in_by_code()

    def _sign_out(self) -> None:
        self.link.ask(SignOut(), failed=self._problem.show_error)

    def _ignore(self, _: ClientError) -> None:
        """Ignore that there was nothing to cancel."""

    def _draw(self) -> None:
        snapshot = self.link.snapshot
        stage = stage_of(snapshot, self._attempt)
        self._in.setVisible(stage is SignInStage.IN)
        self._out.setVisible(stage is not SignInStage.IN)
        self._ways.setEnabled(stage is SignInStage.OUT)
        self._ask.setVisible(stage in (SignInStage.OUT, SignInStage.ASKED))
        self._get_code.setEnabled(stage is SignInStage.OUT)
        self._get_code.setText(
            self.tr("Requesting a code…") if stage is SignInStage.ASKED else self.tr("Get a code")
        )
        self._code.show_sign_in(snapshot.sign_in if snapshot and stage is SignInStage.CODE else None)
        self._token_panel.show_checking(stage is SignInStage.CHECKING)
        if snapshot and snapshot.account:
            self._name.setText(self.tr("Signed in as {name}").format(name=snapshot.account.name))
            self._kept.setText(kept(snapshot.account))
        self.altered.emit()
        if self._is_new and stage is SignInStage.IN:
            self._is_new = False
            self.settled.emit()
