"""The screen of the sign-in with the Hugging Face Hub: by a code or a token, or not at all."""

from typing import Literal

from pydantic import SecretStr
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.commands import CancelSignIn, SignIn, SignOut
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.account_view import Attempt, Stage, kept, stage_of
from gui.first_run.code_panel import CodePanel
from gui.first_run.problem_note import ProblemNote, Remedy
from gui.first_run.screen import Screen
from gui.first_run.steps import Step
from gui.first_run.token_panel import TokenPanel
from gui.link.link import Link
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.labels import body, title
from gui.widgets.segmented import SegmentedControl

Keep = Literal["keyring", "session", "file"]
_KEYRING_FAILS = ("no_keyring", "keyring_locked", "keyring")


class SignInScreen(Screen):
    """May be passed without signing in: open runs need no account."""

    step = Step.SIGN_IN

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._attempt = Attempt.NONE
        self._is_cancelled = self._is_new = False
        self._keep: Keep = "keyring"
        self._token = SecretStr("")
        self.add_heading(
            self.tr("Sign in, if you like"),
            self.tr(
                "Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and "
                "the one that comes with Idlebrush, need no account: you can skip this, and sign in later."
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
        return self._attempt is not Attempt.NONE

    def first_focus(self) -> QWidget | None:
        if self._is_in:
            return None
        return self._token_panel.field if self._ways.choice == 1 else self._get_code

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._draw()

    def given_up(self) -> None:
        self.cancel()

    def cancel(self) -> None:
        """Wait for the browser no longer."""
        if self._attempt is not Attempt.NONE:
            self._is_cancelled = True
            self.link.ask(CancelSignIn(), failed=self._ignore)

    @property
    def _is_in(self) -> bool:
        return stage_of(self.link.snapshot, self._attempt) is Stage.IN

    def _signed_out(self) -> QWidget:
        """In the order in which Tab goes through it."""
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
            "You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your "
            "password, and asks for nothing but your name."
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
        self._begin(Attempt.CODE, SignIn(keep=self._keep))

    def _sign_in_by_token(self, text: str) -> None:
        self._token = SecretStr(text)
        self._begin(Attempt.TOKEN, SignIn(token=self._token, keep=self._keep))

    def _begin(self, attempt: Attempt, request: SignIn) -> None:
        self._attempt, self._is_cancelled = attempt, False
        self._problem.clear()
        self._draw()
        self.link.ask(request, self._succeed, self._fail)

    def _succeed(self, _: Done | Status) -> None:
        """The name comes by the next snapshot."""
        self._attempt, self._token, self._is_new = Attempt.NONE, SecretStr(""), True
        self._draw()

    def _fail(self, error: ClientError) -> None:
        attempt, self._attempt = self._attempt, Attempt.NONE
        self._draw()
        if self._is_cancelled:
            self._get_code.setFocus()
        else:
            self._tell(error, attempt)
            self._problem.take_focus()

    def _tell(self, error: ClientError, attempt: Attempt) -> None:
        if error.code in _KEYRING_FAILS:
            self._tell_of_keyring(error, attempt)
            return
        self._token = SecretStr("")
        if attempt is Attempt.CODE:
            self._problem.tell(error, Remedy(self.tr("Get a new code"), self._sign_in_by_code))
        else:
            self._problem.tell(error)

    def _tell_of_keyring(self, error: ClientError, attempt: Attempt) -> None:
        self._again = attempt
        remedies = [
            Remedy(self.tr("Try again"), self._try_keyring),
            Remedy(self.tr("Only until Idlebrush ends"), self._keep_for_session),
            Remedy(self.tr("In a file that only I can read"), self._keep_in_file),
        ]
        self._problem.say(
            self.tr("This computer's keyring cannot keep your sign-in"),
            self.tr("Unlock it and try again, or choose where else to keep the sign-in."),
            *remedies[error.code == "no_keyring" :],
            kind=BannerKind.WARNING,
        )

    def _try_keyring(self) -> None:
        self._sign_in_again("keyring")

    def _keep_for_session(self) -> None:
        self._sign_in_again("session")

    def _keep_in_file(self) -> None:
        self._sign_in_again("file")

    def _sign_in_again(self, keep: Keep) -> None:
        self._keep = keep
        if self._again is Attempt.TOKEN:
            self._begin(Attempt.TOKEN, SignIn(token=self._token, keep=keep))
        else:
            self._sign_in_by_code()

    def _sign_out(self) -> None:
        self.link.ask(SignOut(), failed=self._problem.tell)

    def _ignore(self, _: ClientError) -> None:
        """There was nothing to cancel any more: what has become of it is told by itself."""

    def _draw(self) -> None:
        snapshot = self.link.snapshot
        stage = stage_of(snapshot, self._attempt)
        self._in.setVisible(stage is Stage.IN)
        self._out.setVisible(stage is not Stage.IN)
        self._ways.setEnabled(stage is Stage.OUT)
        self._ask.setVisible(stage in (Stage.OUT, Stage.ASKED))
        self._get_code.setEnabled(stage is Stage.OUT)
        self._get_code.setText(
            self.tr("Asking for a code…") if stage is Stage.ASKED else self.tr("Get a code")
        )
        self._code.show_sign_in(snapshot.sign_in if snapshot and stage is Stage.CODE else None)
        self._token_panel.show_checking(stage is Stage.CHECKING)
        if snapshot and snapshot.account:
            self._name.setText(self.tr("Signed in as {name}").format(name=snapshot.account.name))
            self._kept.setText(kept(snapshot.account))
        self.altered.emit()
        if self._is_new and stage is Stage.IN:
            self._is_new = False
            self.settled.emit()
