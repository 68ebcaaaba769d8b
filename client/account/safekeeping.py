"""Where a sign-in is kept between the daemon's lives: the keyring, a file, or nowhere; and the note of which.

The note holds no secret. It is there so that nobody's keyring is touched who did not sign in; and it is written
before a secret is, so that none is ever kept where signing out would not look.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from client import state_file
from client.account.credentials import Credentials, CredentialsFile, Keep
from client.account.errands import (
    CarriedOut,
    Errands,
    Found,
    OpenKeyring,
    ReadKeyring,
    RemoveFromKeyring,
    SaveToKeyring,
)
from client.api.errors import ClientError, StateError


class KeepNote(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: Keep = Keep.SESSION
    name: Annotated[str, Field(max_length=96)] = ""
    """Who is signed in; empty: nobody."""


@dataclass(frozen=True)
class Safekeeping:
    """All of it raises KeyringError or StateError where a place cannot be used."""

    errands: Errands
    endpoint: str
    """Of the Hub; what another one gave is not for this one."""
    note: Path
    file: CredentialsFile
    seconds: float = 20.0
    """For the keyring to answer."""
    password_seconds: float = 60.0
    """At first, as some keyrings ask for their password then."""

    async def open(self, keep: Keep) -> None:
        """See that the place can be used."""
        if keep is Keep.KEYRING:
            await self.errands.run(OpenKeyring(), CarriedOut, self.password_seconds)

    def where(self) -> tuple[KeepNote, StateError | None]:
        """What the note says; without one, nothing is kept."""
        return state_file.load(self.note, KeepNote, KeepNote())

    async def load(self, keep: Keep) -> Credentials | None:
        match keep:
            case Keep.SESSION:
                found = None
            case Keep.FILE:
                found = self.file.load()
            case Keep.KEYRING:
                errand = ReadKeyring(endpoint=self.endpoint)
                found = (await self.errands.run(errand, Found, self.seconds)).credentials
        return found if found and found.endpoint == self.endpoint else None

    async def save(self, credentials: Credentials, keep: Keep) -> None:
        """Keep these there, or nothing of them."""
        if keep is Keep.SESSION:
            return
        before, _ = self.where()
        self._write_down(KeepNote(keep=keep, name=credentials.name), before)
        try:
            await self._store(credentials, keep)
        except ClientError:
            with contextlib.suppress(StateError):  # a note of what is not there is not fatal
                self._write_down(before, None)
            raise

    async def forget(self, keep: Keep) -> None:
        match keep:
            case Keep.SESSION:
                return
            case Keep.FILE:
                self.file.forget()
            case Keep.KEYRING:
                await self.errands.run(RemoveFromKeyring(endpoint=self.endpoint), CarriedOut, self.seconds)
        if self.where()[0].keep is keep:
            self.forget_note()

    def forget_note(self) -> None:
        """Removed rather than emptied, which also a full disk permits."""
        try:
            self.note.unlink(missing_ok=True)
        except OSError as error:
            raise StateError(
                f"{self.note} cannot be removed: {error.strerror or error}.",
                f"See that you may write to {self.note.parent}.",
            ) from error

    def _write_down(self, note: KeepNote, there: KeepNote | None) -> None:
        """Leaves alone what says the same already."""
        if note == KeepNote():
            self.forget_note()
        elif note != there:
            state_file.save(self.note, note)

    async def _store(self, credentials: Credentials, keep: Keep) -> None:
        if keep is Keep.FILE:
            self.file.save(credentials)
        elif keep is Keep.KEYRING:
            await self.errands.run(SaveToKeyring(credentials=credentials), CarriedOut, self.seconds)
