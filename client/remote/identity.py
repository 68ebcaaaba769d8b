"""This computer's certificate and key, made once, and the password of the key in keyring or file."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from client.account.credentials import Keep, SignInFile
from client.account.safekeeping import Safekeeping
from client.api.errors import ClientError, NoKeyring, StateError
from client.remote.tasks import KEY_ENTRY, IdentityMade, MakeIdentity, RemoteKey
from client.remote.tls import own_certificate
from client.tasks import TaskRunner
from core.storage.files import write_atomically

_OWNER_ONLY = 0o600
_SECONDS = 60.0
"""Time limit to make a key."""
_AGAIN = "Pair your computers again with `idlebrush remote pair`."


@dataclass(frozen=True)
class ComputerIdentity:
    """A certificate whose key can be used."""

    file: Path
    """File with certificate and encrypted key, in PEM."""
    password: str
    certificate: bytes
    """The certificate in DER."""

    def __repr__(self) -> str:
        return f"ComputerIdentity({self.file})"


def note_of(folder: Path) -> Path:
    """Return the path of the note that says where the password is kept; it holds no secret."""
    return folder / "key.json"


class IdentityStore:
    """The identity in a folder; it is made when it is first needed."""

    def __init__(
        self,
        folder: Path,
        tasks: TaskRunner,
        keep: Keep = Keep.KEYRING,
        replaced: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare to load it.

        Args:
            folder: Folder for its files.
            tasks: Runs what needs cryptography or the keyring.
            keep: Place of the password where both are possible.
            replaced: Called once an identity whose password was lost is replaced, which other computers know.
        """
        self._replaced = replaced
        self._folder, self._tasks, self._keep = folder, tasks, keep
        self._file = folder / "identity.pem"
        self._loaded: ComputerIdentity | None = None
        self._loading = asyncio.Lock()
        self._safekeeping = Safekeeping(
            tasks, KEY_ENTRY, note_of(folder), SignInFile(folder / "key.secret.json", RemoteKey, _AGAIN)
        )

    async def load(self) -> ComputerIdentity:
        """Return the identity, made if there is none; one whose password is lost is replaced.

        Raises:
            KeyringError: The keyring is locked, or does not work.
            StateError: A file cannot be used.
        """
        async with self._loading:
            if self._loaded is None:
                self._loaded = await self._kept() or await self._renewed()
            return self._loaded

    async def _kept(self) -> ComputerIdentity | None:
        note, problem = self._safekeeping.where()
        if problem is not None:
            raise problem
        key = await self._safekeeping.load(note.keep) if self._file.exists() else None
        if key is None:
            return None
        return ComputerIdentity(self._file, key.password.get_secret_value(), own_certificate(self._file))

    async def _renewed(self) -> ComputerIdentity:
        is_another = self._file.exists()
        made = await self._made()
        if is_another:
            self._replaced()
        return made

    async def _made(self) -> ComputerIdentity:
        self._make_folder()
        made = await self._tasks.run(MakeIdentity(), IdentityMade, _SECONDS)
        key, keep = RemoteKey(name="remote control", password=made.password), await self._place()
        await self._safekeeping.save(key, keep)
        try:
            await asyncio.to_thread(write_atomically, self._file, made.pem.encode(), _OWNER_ONLY)
        except OSError as error:
            raise _unsaved(self._file, error) from error
        return ComputerIdentity(self._file, made.password.get_secret_value(), own_certificate(self._file))

    async def _place(self) -> Keep:
        """Return the keyring where there is one, else a file."""
        try:
            await self._safekeeping.open(self._keep)
        except NoKeyring:
            return Keep.FILE
        return self._keep

    def _make_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _unsaved(self._folder, error) from error


def _unsaved(path: Path, error: OSError) -> ClientError:
    return StateError(
        f"{path} cannot be written: {error.strerror or error}.",
        "Check that the disk has space and that you may write there.",
    )
