"""The gate of a candidate run: who may join, who learns the volunteer's identity, and the sign-in."""

from typing import Literal

from pydantic import SecretStr
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from client.api.answers import Done, Status
from client.api.candidate import CandidateView, GateView
from client.api.commands import CancelSignIn, EnterGate
from client.api.errors import ClientError
from client.api.snapshot import SignInView, Snapshot
from gui.design.tokens import Space
from gui.first_run.candidate_view import admits, proof
from gui.first_run.sign_in_panels import CodePanel
from gui.first_run.steps import is_admitted
from gui.link.link import AppLink
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body
from gui.widgets.layouts import FlowLayout
from gui.widgets.problem_note import ProblemButton, ProblemNote

_LONGEST_INVITATION = 512


class GatePanel(Card):
    """Panel for runs with a gate; by signing in here the user consents to prove their identity to the coordinator."""

    altered = Signal()
    settled = Signal()

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Only members can train this run"), parent)
        self._link = link
        self._candidate: CandidateView | None = None
        self._digest = ""
        """Digest of the run that was shown last."""
        self._flow: Literal["browser", "device"] = "browser"
        self._is_entering = self._is_cancelled = self._is_opened = self._is_new = False
        self._keep: Literal["keyring", "session"] = "keyring"
        self._who = body("", self)
        self._proof = body("", self)
        self._proof.set_tone(Tone.SOFT)
        self._invitation = QLineEdit(self)
        self._invitation.setPlaceholderText(self.tr("Invitation code"))
        self._invitation.setAccessibleName(self.tr("Invitation code"))
        self._invitation.setMaxLength(_LONGEST_INVITATION)
        self._problem = ProblemNote(self)
        self._browser = PrimaryButton(self.tr("Sign in with the browser"), self)
        self._browser.clicked.connect(self._enter_by_browser)
        self._device = QuietButton(self.tr("Use a code instead"), self)
        self._device.clicked.connect(self._enter_by_code)
        self._code = CodePanel(self)
        self._code.cancelled.connect(self.cancel)
        self._arrange()

    @property
    def is_entering(self) -> bool:
        return self._is_entering

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show the gate of the candidate run; hide the panel if the run has none."""
        candidate = snapshot.candidate if snapshot else None
        self._follow_candidate(candidate)
        gate = candidate.gate if candidate else None
        self.setVisible(gate is not None)
        if gate is None or candidate is None or snapshot is None:
            return
        is_in = is_admitted(snapshot, candidate)
        self._who.setText(self.tr("You are admitted to this run.") if is_in else admits(gate))
        self._proof.setText(proof(gate))
        self._proof.setVisible(not is_in)
        self._invitation.setVisible(_wants_code(gate) and not is_in)
        for button in (self._browser, self._device):
            button.setVisible(not is_in and not self._is_entering)
        self._show_code(snapshot.sign_in if self._is_entering else None)
        if is_in and self._is_new:
            self._is_new = False
            self.settled.emit()

    def cancel(self) -> None:
        """Cancel the sign-in."""
        if self._is_entering:
            self._is_cancelled = True
            self._link.ask(CancelSignIn(), failed=self._ignore)

    def _follow_candidate(self, candidate: CandidateView | None) -> None:
        """Drop input and sign-in of another run's gate."""
        self._candidate = candidate
        if candidate is not None and candidate.digest not in ("", self._digest):
            if self._digest:
                self._invitation.clear()
                self._problem.clear()
                self.cancel()
            self._digest = candidate.digest

    def _arrange(self) -> None:
        row = FlowLayout(spacing=Space.S)
        row.addWidget(self._browser)
        row.addWidget(self._device)
        for widget in (self._who, self._proof, self._invitation, self._problem):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        self.body.addWidget(self._code)

    def _show_code(self, view: SignInView | None) -> None:
        mine = view if view is not None and bool(view.code) == (self._flow == "device") else None
        self._code.show_sign_in(mine)
        if mine is not None and self._flow == "browser" and not self._is_opened:
            self._is_opened = True
            self._code.open_page()

    def _enter_by_browser(self) -> None:
        self._enter("browser")

    def _enter_by_code(self) -> None:
        self._enter("device")

    def _enter(self, flow: Literal["browser", "device"]) -> None:
        candidate = self._candidate
        if candidate is None or candidate.gate is None:
            return
        self._flow, self._is_entering = flow, True
        self._is_cancelled = self._is_opened = False
        self._problem.clear()
        code = self._invitation.text().strip() if _wants_code(candidate.gate) else ""
        request = EnterGate(
            run=candidate.digest,
            coordinator=candidate.gate.coordinator,
            gate=candidate.gate.key,
            flow=flow,
            invitation=SecretStr(code) if code else None,
            keep=self._keep,
        )
        self._redraw()
        self._link.ask(request, self._succeed, self._fail)

    def _succeed(self, _: Done | Status) -> None:
        self._is_entering, self._is_new = False, True
        self._redraw()

    def _fail(self, error: ClientError) -> None:
        self._is_entering = False
        self._redraw()
        if self._is_cancelled:
            self._browser.setFocus()
        else:
            self._report(error)
            self._problem.take_focus()

    def _report(self, error: ClientError) -> None:
        again = self._enter_by_browser if self._flow == "browser" else self._enter_by_code
        if error.code in ("no_keyring", "keyring_locked", "keyring"):
            remedy = ProblemButton(self.tr("Only until Idlebrush quits"), self._keep_for_session)
            self._problem.show_message(
                self.tr("This computer's keyring cannot store your membership"),
                self.tr("Unlock the keyring and try again, or sign in only until Idlebrush quits."),
                ProblemButton(self.tr("Try again"), again),
                remedy,
                kind=BannerKind.WARNING,
            )
        else:
            self._problem.show_error(error, ProblemButton(self.tr("Try again"), again))

    def _keep_for_session(self) -> None:
        self._keep = "session"
        self._enter(self._flow)

    def _ignore(self, _: ClientError) -> None:
        """Ignore that there was nothing to cancel."""

    def _redraw(self) -> None:
        self.show_snapshot(self._link.snapshot)
        self.altered.emit()


def _wants_code(gate: GateView) -> bool:
    """Return true if an invitation code must be entered, because the run's link contains none."""
    return gate.admits == "invitation" and not gate.is_invited
