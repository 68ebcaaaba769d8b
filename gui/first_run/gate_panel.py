"""The gate of a run that is looked at: who may join it, to whom one proves who one is, and the sign-in itself."""

from typing import Literal

from pydantic import SecretStr
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from client.api.answers import Done, Status
from client.api.commands import CancelSignIn, EnterGate
from client.api.errors import ClientError
from client.api.prospect import GateView, ProspectView
from client.api.snapshot import SignInView, Snapshot
from gui.design.tokens import Space
from gui.first_run.code_panel import CodePanel
from gui.first_run.problem_note import ProblemNote, Remedy
from gui.first_run.prospect_view import admits, proof
from gui.first_run.steps import is_admitted
from gui.link.link import Link
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.card import Card
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import Tone, body

_LONGEST_INVITATION = 512


class GatePanel(Card):
    """Shown for runs that have a gate; signing in here is consent to proving one's name to the coordinator."""

    altered = Signal()
    settled = Signal()

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Only members train this run"), parent)
        self._link = link
        self._prospect: ProspectView | None = None
        self._digest = ""
        """Of the run that was shown last."""
        self._flow: Literal["browser", "device"] = "browser"
        self._is_entering = self._is_cancelled = self._is_opened = self._is_new = False
        self._keep: Literal["keyring", "session"] = "keyring"
        self._who = body("", self)
        self._proof = body("", self)
        self._proof.set_tone(Tone.SOFT)
        self._invitation = QLineEdit(self)
        self._invitation.setPlaceholderText(self.tr("Code of your invitation"))
        self._invitation.setAccessibleName(self.tr("Code of your invitation"))
        self._invitation.setMaxLength(_LONGEST_INVITATION)
        self._problem = ProblemNote(self)
        self._browser = PrimaryButton(self.tr("Sign in with the browser"), self)
        self._browser.clicked.connect(self._enter_by_browser)
        self._device = QuietButton(self.tr("Get a code instead"), self)
        self._device.clicked.connect(self._enter_by_code)
        self._code = CodePanel(self)
        self._code.cancelled.connect(self.cancel)
        self._arrange()

    @property
    def is_entering(self) -> bool:
        return self._is_entering

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Hidden where the run has no gate."""
        prospect = snapshot.prospect if snapshot else None
        self._turn_to(prospect)
        gate = prospect.gate if prospect else None
        self.setVisible(gate is not None)
        if gate is None or prospect is None or snapshot is None:
            return
        is_in = is_admitted(snapshot, prospect)
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
        """Wait for the browser no longer."""
        if self._is_entering:
            self._is_cancelled = True
            self._link.ask(CancelSignIn(), failed=self._ignore)

    def _turn_to(self, prospect: ProspectView | None) -> None:
        """What was entered or begun at the gate of one run is not for another's."""
        self._prospect = prospect
        if prospect is not None and prospect.digest not in ("", self._digest):
            if self._digest:
                self._invitation.clear()
                self._problem.clear()
                self.cancel()
            self._digest = prospect.digest

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
        prospect = self._prospect
        if prospect is None or prospect.gate is None:
            return
        self._flow, self._is_entering = flow, True
        self._is_cancelled = self._is_opened = False
        self._problem.clear()
        code = self._invitation.text().strip() if _wants_code(prospect.gate) else ""
        request = EnterGate(
            run=prospect.digest,
            coordinator=prospect.gate.coordinator,
            gate=prospect.gate.key,
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
            self._tell(error)
            self._problem.take_focus()

    def _tell(self, error: ClientError) -> None:
        again = self._enter_by_browser if self._flow == "browser" else self._enter_by_code
        if error.code in ("no_keyring", "keyring_locked", "keyring"):
            remedy = Remedy(self.tr("Only until Idlebrush ends"), self._keep_for_session)
            self._problem.say(
                self.tr("This computer's keyring cannot keep your membership"),
                self.tr("Unlock it and try again, or sign in until Idlebrush ends."),
                Remedy(self.tr("Try again"), again),
                remedy,
                kind=BannerKind.WARNING,
            )
        else:
            self._problem.tell(error, Remedy(self.tr("Try again"), again))

    def _keep_for_session(self) -> None:
        self._keep = "session"
        self._enter(self._flow)

    def _ignore(self, _: ClientError) -> None:
        """There was nothing to cancel any more: what has become of it is told by itself."""

    def _redraw(self) -> None:
        self.show_snapshot(self._link.snapshot)
        self.altered.emit()


def _wants_code(gate: GateView) -> bool:
    """Whether an invitation has to be entered, as the link of the run had none."""
    return gate.admits == "invitation" and not gate.is_invited
