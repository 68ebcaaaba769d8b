"""Manages the volunteer's memberships of runs: enters gates, and keeps what they issue as the Hub's sign-in is kept.

Secrets are in this process's memory and where the volunteer wants them kept; views and errors show none.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import SecretStr

from client.account.attempt import Attempt
from client.account.credentials import KEPT_IN_WORDS, Keep, SignInFile
from client.account.safekeeping import KeepNote, Safekeeping
from client.account.tasks import CarriedOut
from client.admission.membership import Access, RunMembership, entry_of
from client.admission.tasks import AddressShown, EndMembership, Enter, GateAdmission
from client.api.commands import EnterGate
from client.api.errors import ClientError, KeyringError, MembershipEnded
from client.api.snapshot import SignInView
from client.task_kinds import Shown
from client.tasks import TaskRunner

_AGAIN = "Sign in to the run again with `idlebrush join`."


@dataclass(frozen=True)
class Places:
    """Places of memberships and of peers' keys."""

    kept: Path
    """Folder of the notes of where memberships are, and of the files of those who wanted one."""
    identity: Callable[[str], Path]
    """File of the peer's key, for a run of that digest."""

    def note(self, run: str) -> Path:
        return note_of(self.kept, run)

    def file(self, run: str) -> Path:
        return self.kept / f"{run[:16]}.secret.json"


class Memberships:
    """Memberships of all runs; each is loaded when it is needed."""

    def __init__(
        self,
        tasks: TaskRunner,
        hub: str,
        places: Places,
        changed: Callable[[], None],
        now: Callable[[], datetime],
        seconds: float = 900.0,
    ) -> None:
        """Prepare to load memberships when they are needed.

        ``hub`` is the address of the only Hub to sign in at; ``seconds``: for the volunteer to have done it.
        """
        self.tasks, self.places = tasks, places
        self.entered: Callable[[str], None] = lambda run: None
        """Receiver of the digest of each run to which the volunteer has just been admitted."""
        self._hub, self._changed, self._now, self._seconds = hub, changed, now, seconds
        self._attempt = Attempt("idlebrush join", self._ended)
        self._held: dict[str, RunMembership] = {}
        self._given: dict[str, Access] = {}
        self._notes: dict[str, KeepNote] = {}
        self.sign_in_view: SignInView | None = None
        """Address that the volunteer has to open now, as a front end shows it."""

    async def enter(self, request: EnterGate) -> str:
        """Sign in to a run; lasts until the volunteer has done it in a browser."""
        return await self._attempt.make(self._enter(request))

    def cancel(self) -> str:
        return self._attempt.cancel()

    @property
    def is_entering(self) -> bool:
        return self._attempt.is_under_way

    async def load(self, run: str) -> RunMembership | None:
        """Return the membership of a run, or None.

        Raise KeyringError or StateError where what is kept cannot be read.
        """
        if run in self._held:
            return self._held[run]
        safekeeping = self._safekeeping(run)
        note, problem = safekeeping.where()
        if problem is not None:
            raise problem
        self._notes[run] = note
        found = await safekeeping.load(note.keep)
        if found is not None:
            self._held[run] = found
        return found

    async def take(self, membership: RunMembership) -> None:
        """Keep a membership that the volunteer got on another computer, in a file that only they can read.

        Raise StateError if it cannot be kept.
        """
        safekeeping = self._safekeeping(membership.run)
        before = safekeeping.where()[0].keep
        await safekeeping.save(membership, Keep.FILE)
        if before is Keep.KEYRING:
            with contextlib.suppress(KeyringError):  # a server may have none any more
                await safekeeping.forget(before)
        self._notes[membership.run] = KeepNote(keep=Keep.FILE, name=membership.name)
        self._held[membership.run] = membership

    def take_access(self, run: str) -> Access | None:
        """Return the access token that came with a sign-in, at the first call only; otherwise return None."""
        return self._given.pop(run, None)

    def where(self, run: str) -> KeepNote:
        """Note of who is a member and where that is kept, if it was read already; it holds no secret."""
        return self._notes.get(run, KeepNote())

    def recall(self, run: str) -> None:
        """Find out by its note whether there is a membership, without a look at its secret."""
        if run not in self._notes:
            self._notes[run] = self._safekeeping(run).where()[0]

    def is_member(self, run: str) -> bool:
        """Return true if a membership was read or loaded; its coordinator may have ended it since."""
        return run in self._held or bool(self.where(run).name)

    async def forget(self, run: str) -> None:
        """Remove all that is kept of it; KeyringError or StateError if that is not possible."""
        self._held.pop(run, None)
        self._given.pop(run, None)
        self._notes.pop(run, None)
        safekeeping = self._safekeeping(run)
        await safekeeping.forget(safekeeping.where()[0].keep)

    async def end(self, run: str) -> str:
        """End the membership at the coordinator and then here; return a sentence about the outcome."""
        membership = await self.load(run)
        if membership is None:
            return "You were not a member of the run."
        try:
            task = EndMembership(coordinator=membership.coordinator, membership=membership)
            await self.tasks.run(task, CarriedOut, 60.0)
            sentence = "Its coordinator has ended your membership."
        except ClientError as error:
            sentence = f"Its coordinator could not be notified: {error.what}"
        await self.forget(run)
        return sentence

    async def _enter(self, request: EnterGate) -> str:
        run, keep = request.run, Keep(request.keep)
        safekeeping = self._safekeeping(run)
        await safekeeping.open(keep)  # before the volunteer goes to a browser
        admitted = await self.tasks.run(self._task(request), GateAdmission, self._seconds, self._show)
        membership, before = admitted.membership, safekeeping.where()[0].keep
        doubt = ""
        try:
            await safekeeping.save(membership, keep)
            if before not in (keep, Keep.SESSION):
                await safekeeping.forget(before)
        except ClientError as error:
            keep, doubt = Keep.SESSION, f" {error}"
        self._notes[run] = KeepNote(keep=keep, name=membership.name)
        self._held[run], self._given[run] = membership, self.access(admitted.token, admitted.seconds)
        self.entered(run)
        return f"You are admitted as {membership.name}. Your membership is kept {KEPT_IN_WORDS[keep]}.{doubt}"

    def access(self, token: SecretStr, seconds: float) -> Access:
        """Return an access token that came just now and is valid for ``seconds``."""
        now = self._now()
        return Access(token=token, issued=now, expires=now + timedelta(seconds=seconds))

    def _task(self, request: EnterGate) -> Enter:
        return Enter(
            coordinator=request.coordinator,
            run=request.run,
            gate=request.gate,
            identity=self.places.identity(request.run),
            hub=self._hub,
            flow=request.flow,
            invitation=request.invitation,
        )

    def _safekeeping(self, run: str) -> Safekeeping[RunMembership]:
        self.places.kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = SignInFile(self.places.file(run), RunMembership, _AGAIN)
        return Safekeeping(self.tasks, entry_of(run), self.places.note(run), file)

    def _show(self, shown: Shown) -> None:
        code = "" if isinstance(shown, AddressShown) else shown.code
        expires = self._now() + timedelta(seconds=min(shown.seconds, self._seconds))
        self.sign_in_view = SignInView(address=shown.address, code=code, expires=expires)
        self._changed()

    def _ended(self) -> None:
        self.sign_in_view = None
        self._changed()


def note_of(kept: Path, run: str) -> Path:
    """Return the path of the note that says where the membership of a run is kept; it holds no secret."""
    return kept / f"{run[:16]}.json"


def no_member() -> MembershipEnded:
    """Make a new error each time, as an error that is raised again keeps every traceback that it ever had."""
    return MembershipEnded("You are not signed in to this run.", "Sign in with `idlebrush join`.")
