"""Keeps a sign-in between runs of the daemon, in the keyring, in a file or nowhere, with a note of where it is.

The note holds no secret. Without it, the keyring of a volunteer who never signed in would be opened. It is written
before the secret, so that signing out always finds the secret.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from client import state_file
from client.account.credentials import K, Keep, SignInFile
from client.account.tasks import (
    CarriedOut,
    KeyringEntry,
    OpenKeyring,
    ReadKeyring,
    RemoveFromKeyring,
    SaveToKeyring,
)
from client.api.errors import ClientError, StateError
from client.tasks import TaskRunner
from core.storage import moving


class KeepNote(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: Keep = Keep.SESSION
    name: Annotated[str, Field(max_length=96)] = ""
    """User name of the volunteer who is signed in; empty: no sign-in."""


@dataclass(frozen=True)
class Safekeeping(Generic[K]):
    """Keeps one sign-in in the keyring or in a file.

    Methods raise KeyringError or StateError if a place cannot be used.
    """

    tasks: TaskRunner
    entry: str
    """Name of the Hub or the run that the sign-in is for; another one's sign-in is not used for it."""
    note: Path
    file: SignInFile[K]
    seconds: float = 20.0
    """Time limit for the keyring to answer, in seconds."""
    password_seconds: float = 60.0
    """Time limit of the first call, as some keyrings ask for their password then."""

    async def open(self, keep: Keep) -> None:
        """Check that the place can be used."""
        if keep is Keep.KEYRING:
            await self.tasks.run(OpenKeyring(), CarriedOut, self.password_seconds)

    def where(self) -> tuple[KeepNote, StateError | None]:
        """Read the note; without one, nothing is kept."""
        return state_file.load(self.note, KeepNote, KeepNote())

    async def load(self, keep: Keep) -> K | None:
        match keep:
            case Keep.SESSION:
                found = None
            case Keep.FILE:
                found = self.file.load()
            case Keep.KEYRING:
                task = ReadKeyring(entry=self.entry)
                found = self._read((await self.tasks.run(task, KeyringEntry, self.seconds)).secret)
        return found if found and found.entry == self.entry else None

    async def save(self, signed_in: K, keep: Keep) -> None:
        """Store the credentials where ``keep`` says; a failure restores the earlier note and raises ClientError."""
        if keep is Keep.SESSION:
            return
        before, _ = self.where()
        self._write_down(KeepNote(keep=keep, name=signed_in.name), before)
        try:
            await self._store(signed_in, keep)
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
                await self.tasks.run(RemoveFromKeyring(entry=self.entry), CarriedOut, self.seconds)
        if self.where()[0].keep is keep:
            self.forget_note()

    def forget_note(self) -> None:
        """Remove the note; unlike emptying it, that works on a full disk too.

        Raise StateError if it cannot be removed.
        """
        try:
            moving.remove(self.note)
        except OSError as error:
            raise StateError(
                f"{self.note} cannot be removed: {error.strerror or error}.",
                f"Check that you may write to {self.note.parent}.",
            ) from error

    def _write_down(self, note: KeepNote, there: KeepNote | None) -> None:
        """Write the note, unless one with the same content exists."""
        if note == KeepNote():
            self.forget_note()
        elif note != there:
            state_file.save(self.note, note)

    def _read(self, secret: SecretStr | None) -> K | None:
        try:
            return self.file.kind.model_validate_json(secret.get_secret_value()) if secret else None
        except ValidationError:
            return None  # of another version: signing in again replaces it

    async def _store(self, signed_in: K, keep: Keep) -> None:
        if keep is Keep.FILE:
            self.file.save(signed_in)
        elif keep is Keep.KEYRING:
            secret = SecretStr(signed_in.model_dump_json())
            await self.tasks.run(
                SaveToKeyring(entry=signed_in.entry, secret=secret), CarriedOut, self.seconds
            )
