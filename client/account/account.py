"""Loads, renews, keeps and forgets the volunteer's sign-in with the Hub, for the daemon.

They are in this process's memory and where the volunteer wants them kept; views and errors show no token.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import timedelta

from pydantic import SecretStr

from client.account.at_hub import AtHub, HubPatience
from client.account.attempt import Attempt
from client.account.credentials import KEPT_IN_WORDS, KEYRING_ENTRY, Credentials, Keep
from client.account.renewal import Renewal
from client.account.safekeeping import KeepNote, Safekeeping
from client.account.tasks import HubSettings
from client.api.errors import (
    ClientError,
    CredentialsRejected,
    KeyringError,
    NoKeyring,
    StateError,
)
from client.api.snapshot import AccountView, SignInView
from client.state_file import utc_now
from client.tasks import TaskRunner

_log = logging.getLogger(__name__)


class Account:
    """The volunteer's account; `run` goes on in the background for as long as the daemon lives."""

    def __init__(
        self,
        tasks: TaskRunner,
        hub: HubSettings,
        safekeeping: Safekeeping[Credentials],
        changed: Callable[[], None],
        patience: HubPatience | None = None,
    ) -> None:
        patience = patience or HubPatience()
        self._at_hub = AtHub(tasks, hub, patience, changed)
        self._safekeeping = safekeeping
        self._changed = changed
        self._renewal = Renewal(patience.retry, utc_now)
        self._note = KeepNote()
        self._credentials: Credentials | None = None
        self._problem: ClientError | None = None
        self._attempt = Attempt("idlebrush login", self._ended)
        self._replacing = asyncio.Lock()
        self._replaced = asyncio.Event()

    @property
    def credentials(self) -> Credentials | None:
        """The credentials, for calls to the Hub that issued them and to no other server."""
        return self._credentials

    @property
    def view(self) -> AccountView | None:
        """The account as a front end shows it; it is known before a keyring has opened, and `problem` says why one
        has not.
        """
        return (
            AccountView(name=self._note.name, kept=KEPT_IN_WORDS[self._note.keep])
            if self._note.name
            else None
        )

    @property
    def sign_in_view(self) -> SignInView | None:
        """The code that waits to be entered."""
        return self._at_hub.code

    @property
    def problem(self) -> ClientError | None:
        """Error of the sign-in that was kept, such as a locked keyring; None: there is none."""
        return self._problem

    async def sign_in(self, token: SecretStr | None, keep: Keep) -> str:
        """Sign in with a token, or with a code that `sign_in_view` shows.

        Returns once the volunteer has entered the code. Cancelling the caller while it waits cancels the sign-in.

        Returns:
            The result as a sentence for the volunteer.
        """
        self._at_hub.code = None
        return await self._attempt.make(self._sign_in(token, keep))

    def cancel(self) -> str:
        """End the sign-in that is under way."""
        return self._attempt.cancel()

    async def sign_out(self) -> str:
        """Forget the credentials here, then at the Hub if it offers that; nothing changes if the first fails."""
        async with self._replacing:
            credentials, (written, _) = self._credentials, self._safekeeping.where()
            if credentials is None and not self._note.name and not written.name:
                return "You were not signed in."
            left = [await self._forget(keep) for keep in {self._note.keep, written.keep}]
            self._replace(None, Keep.SESSION)
        sentences = ["You are signed out.", *left, await self._at_hub.revoke(credentials)]
        return " ".join(filter(None, sentences))

    async def _forget(self, keep: Keep) -> str:
        """Remove a sign-in that is kept in a place which is no longer used."""
        try:
            await self._safekeeping.open(keep)
            await self._safekeeping.forget(keep)
        except NoKeyring:  # the keyring may be gone for good: the user must not stay signed in for that
            self._safekeeping.forget_note()
            return (
                "The keyring that holds your sign-in is not available. When it is, remove the entry "
                f"`{KEYRING_ENTRY}` from it."
            )
        return ""

    async def run(self) -> None:
        """Load what was kept, then renew it whenever that is due."""
        while not await self._load():
            await self._unchanged_for(self._renewal.pause())
        while True:
            if await self._unchanged_for(self._renewal.wait(self._credentials)):
                await self._attend()

    def _ended(self) -> None:
        self._at_hub.code = None
        self._changed()

    async def _sign_in(self, token: SecretStr | None, keep: Keep) -> str:
        await self._safekeeping.open(keep)  # before the volunteer goes to a browser
        credentials = await self._at_hub.grant(token)
        async with self._replacing:
            doubt = await self._take(credentials, keep)
        kept = KEPT_IN_WORDS[self._note.keep]
        return f"You are signed in as {self._note.name}. The sign-in is kept {kept}. {doubt}".rstrip()

    async def _take(self, credentials: Credentials, keep: Keep) -> str:
        """Use these from now on; if they cannot be kept there, then for this session, and the reason."""
        before, doubts = self._note.keep, []
        try:
            await self._safekeeping.save(credentials, keep)
        except (KeyringError, StateError) as error:
            keep = Keep.SESSION
            doubts.append(str(error))
        if before is not keep:
            try:
                await self._safekeeping.forget(before)
            except (KeyringError, StateError) as error:
                doubts.append(f"The earlier sign-in is still kept there: {error}")
        self._replace(credentials, keep)
        return " ".join(doubts)

    def _replace(
        self, credentials: Credentials | None, keep: Keep, problem: ClientError | None = None
    ) -> None:
        self._credentials, self._problem = credentials, problem
        self._note = KeepNote(keep=keep, name=credentials.name if credentials else "")
        self._renewal.succeeded()
        self._replaced.set()
        self._changed()

    async def _load(self) -> bool:
        """Load the sign-in; return true if it is now known who is signed in."""
        async with self._replacing:
            if self._credentials:  # another sign-in was faster
                return True
            self._note, problem = self._safekeeping.where()
            keep = self._note.keep
            try:
                self._replace(await self._safekeeping.load(keep), keep, problem)
            except StateError as error:
                self._replace(None, Keep.SESSION, error)
            except NoKeyring as error:  # which waiting does not change
                self._show_problem(error)
            except ClientError as error:
                _log.warning("The sign-in could not be loaded, and is tried again: %s", error)
                self._renewal.failed()
                self._show_problem(error)
                return False
        return True

    def _show_problem(self, error: ClientError) -> None:
        self._problem = error
        self._changed()

    async def _unchanged_for(self, span: timedelta | None) -> bool:
        """Return true if no other credentials arrive within ``span``; None waits without a limit."""
        self._replaced.clear()
        try:
            async with asyncio.timeout(span.total_seconds() if span is not None else None):
                await self._replaced.wait()
        except TimeoutError:
            return True
        return False

    async def _attend(self) -> None:
        """Renew or save the credentials if that is due; what cannot be reached now is tried again."""
        async with self._replacing:
            credentials = self._credentials
            if credentials is None or not self._renewal.is_due(credentials):
                return
            try:
                due = self._renewal.is_renewal_due(credentials)
                await self._keep_renewed(await self._at_hub.renew(credentials) if due else credentials)
            except CredentialsRejected as error:
                _log.warning("The Hub ended the sign-in: %s", error)
                with contextlib.suppress(KeyringError, StateError):  # what stays there is worth nothing
                    await self._safekeeping.forget(self._note.keep)
                self._replace(None, Keep.SESSION, error)
            except ClientError as error:
                self._renewal.failed()
                _log.warning("The sign-in could not be renewed, and is tried again: %s", error)
                if credentials.expired(utc_now()):
                    self._show_problem(error)

    async def _keep_renewed(self, credentials: Credentials) -> None:
        """Use these; where they cannot be kept now, saving them is tried again: the former are void."""
        try:
            await self._safekeeping.save(credentials, self._note.keep)
        except ClientError as error:
            self._credentials = credentials
            self._renewal.not_saved()
            _log.warning("The renewed sign-in could not be saved, and is tried again: %s", error)
            self._show_problem(error)
        else:
            self._replace(credentials, self._note.keep)
