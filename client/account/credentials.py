"""A volunteer's sign-in with the Hugging Face Hub, and the file that keeps a sign-in for who asked for one.

`repr`, `str` and tracebacks of credentials show no token; their JSON does, for the keyring, that file, and
the channel to a process of ours, and is made for nothing else.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AwareDatetime, ConfigDict, PlainSerializer, SecretStr, ValidationError

from client.api.errors import StateError
from client.state_file import set_aside
from core.messages.lines import Message
from core.storage import moving
from core.storage.files import read_bounded, write_atomically

LARGEST = 32 * 1024
"""Bytes of credentials in JSON."""
KEYRING_ENTRY = "idlebrush"
"""Name of a sign-in in the keyring."""
_OWNER_ONLY = 0o600
_RENEW_BEFORE = timedelta(days=1)
_RENEW_SHARE = 4
"""Short-lived tokens are renewed in this last part of their life."""

StoredSecret = Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]


class Keep(StrEnum):
    """Place where a sign-in is kept."""

    KEYRING = "keyring"
    SESSION = "session"
    FILE = "file"


KEPT_IN_WORDS = {
    Keep.KEYRING: "in this computer's keyring",
    Keep.SESSION: "until the client ends",
    Keep.FILE: "in a file that only you can read",
}


class SignedIn(Message):
    """Base of what is kept of a sign-in, wherever that was."""

    model_config = ConfigDict(hide_input_in_errors=True)

    name: str
    """User name of the volunteer who is signed in."""

    @property
    def entry(self) -> str:
        """Name in the keyring that tells this sign-in from the volunteer's others."""
        raise NotImplementedError


class Credentials(SignedIn):
    """Credentials of a volunteer at one Hub; they are sent to that Hub and nowhere else."""

    endpoint: str
    """Address of the Hub that gave them."""
    token: StoredSecret
    kind: Literal["oauth", "token"]
    """Origin of the token: granted to this app in a browser, or made by the volunteer."""
    issued: AwareDatetime
    expires: AwareDatetime | None = None
    refresh_token: StoredSecret | None = None

    @property
    def entry(self) -> str:
        return self.endpoint

    @property
    def renewal_due(self) -> datetime | None:
        """Time at which to renew them; None: they do not expire, or cannot be renewed."""
        if self.expires is None or self.refresh_token is None:
            return None
        return self.expires - min(_RENEW_BEFORE, (self.expires - self.issued) / _RENEW_SHARE)

    def expired(self, now: datetime) -> bool:
        return self.expires is not None and now >= self.expires


K = TypeVar("K", bound=SignedIn)


@dataclass(frozen=True)
class SignInFile(Generic[K]):
    """File for the sign-in of a volunteer who has no keyring and explicitly asked for a file."""

    path: Path
    kind: type[K]
    again: str = "Sign in again with `idlebrush login`."
    """Remedy where the sign-in is lost."""

    def load(self) -> K | None:
        """Return the sign-in that is kept, or None if there is no file.

        Raise StateError if the file cannot be read or understood; one that cannot be understood is set aside.
        """
        try:
            self.path.chmod(_OWNER_ONLY)  # a copy may be readable by others
            return self.kind.model_validate_json(read_bounded(self.path, LARGEST))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._error("cannot be read", error) from error
        except (ValidationError, ValueError):
            pass  # the error quotes the file, so neither its text nor its trace may go further
        raise self._set_aside()

    def save(self, signed_in: K) -> None:
        try:
            write_atomically(self.path, signed_in.model_dump_json().encode(), mode=_OWNER_ONLY)
        except OSError as error:
            raise self._error("cannot be written", error) from error

    def forget(self) -> None:
        """Remove the file, those that were set aside under its name, and what a save that was killed has left."""
        folder, name = self.path.parent, self.path.name
        try:
            for file in (self.path, *folder.glob(f"{name}.set-aside-*"), *folder.glob(f".{name}.*")):
                moving.remove(file)
        except OSError as error:
            raise self._error("cannot be removed", error) from error

    def _set_aside(self) -> StateError:
        try:
            place = set_aside(self.path, datetime.now(UTC)).name
        except OSError as error:
            return self._error("is damaged, and cannot be set aside", error)
        what = f"{self.path} is damaged, so you are signed out. It was set aside as {place}."
        return StateError(what, self.again)

    def _error(self, fault: str, error: OSError) -> StateError:
        return StateError(
            f"The file of your sign-in, {self.path}, {fault}: {error.strerror or error}.",
            f"Check that the disk has space and that you may write to {self.path.parent}.",
        )


@dataclass(frozen=True)
class CredentialsFile(SignInFile[Credentials]):
    kind: type[Credentials] = Credentials
