"""Keeps a sign-in in the system's own keyring, and in no other backend that calls itself a keyring.

The keyring is picked from a list by name. Neither installed plug-ins, some of which keep plain text, nor keyring's
configuration can change that. A Secret Service that is locked is left alone: the window in which it asks for its
password outlives the process that had it opened, and gnome-keyring 42.1 crashes if it is asked to close the window.
Other systems' keyrings may ask. Only `client.task`'s process, which has a time limit, loads this.

A Secret Service that ends while it is asked is asked once more, because D-Bus starts it again. Every call may be
repeated: reading changes nothing, saving replaces the entry by the same one, and removing finds nothing to remove.
"""

import importlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self, TypeVar

import keyring.errors
from keyring.backend import KeyringBackend

from client.account import secret_service
from client.account.credentials import KEYRING_ENTRY
from client.api.errors import KeyringError, KeyringLocked, NoKeyring

_log = logging.getLogger(__name__)

R = TypeVar("R")

TRUSTED = (
    "client.account.secret_service.SecretService",
    "keyring.backends.kwallet.DBusKeyring",
    "keyring.backends.macOS.Keyring",
    "keyring.backends.Windows.WinVaultKeyring",
)
_UNLOCK = (
    "Unlock it in Passwords and Keys, or log in to the desktop with your password, and try "
    "again. Or sign in for this session with `idlebrush login --keep session`."
)
_MAKE = (
    "Open or create a keyring in Passwords and Keys, or in your keyring program, and try again. "
    "Or sign in for this session with `idlebrush login --keep session`."
)


@dataclass(frozen=True)
class Keychain:
    backend: KeyringBackend

    @classmethod
    def of_system(cls) -> Self:
        """Return the keyring of this system; raise NoKeyring where there is none."""
        viable = [kind for name in TRUSTED if (kind := _backend(name)) and kind.viable]
        if not viable:
            raise NoKeyring(
                "This computer has no keyring that works.",
                "Sign in for this session with `idlebrush login --keep session`, or keep the sign-in in a "
                "file that only you can read with `idlebrush login --keep file`.",
            )
        with _in_words():
            return cls(max(viable, key=lambda kind: kind.priority)())

    def open(self) -> None:
        """Check that the keyring can be used."""
        self.read("")

    def read(self, entry: str) -> str | None:
        return _asked(lambda: self.backend.get_password(KEYRING_ENTRY, entry))

    def save(self, entry: str, secret: str) -> None:
        _asked(lambda: self.backend.set_password(KEYRING_ENTRY, entry, secret))

    def remove(self, entry: str) -> None:
        _asked(lambda: self._remove(entry))

    def _remove(self, entry: str) -> None:
        if self.backend.get_password(KEYRING_ENTRY, entry) is not None:
            self.backend.delete_password(KEYRING_ENTRY, entry)


def _backend(name: str) -> type[KeyringBackend] | None:
    module, _, kind = name.rpartition(".")
    try:
        found: type[KeyringBackend] = getattr(importlib.import_module(module), kind)
    except (ImportError, AttributeError):  # of another system
        return None
    return found


def _asked(question: Callable[[], R]) -> R:
    """Return the keyring's answer; ask once more if the keyring ended without one."""
    with _in_words():
        try:
            return question()
        except _service_errors() as error:
            if not secret_service.is_gone(error):
                raise
            _log.warning("The keyring ended while it was asked (%s). It is asked once more.", error)
        return question()


@contextmanager
def _in_words() -> Iterator[None]:
    """Translate what backends raise; their texts name no secrets, but neither do they help a volunteer."""
    locked, broken = _locked_errors(), _service_errors()
    try:
        yield
    except secret_service.NoDefaultCollection as error:
        raise KeyringLocked("This computer's keyring has no default collection.", _MAKE) from error
    except locked as error:
        raise KeyringLocked("This computer's keyring is locked.", _UNLOCK) from error
    except broken as error:
        raise KeyringError(
            f"This computer's keyring failed ({type(error).__name__}).",
            "Sign in with `idlebrush login --keep session`, and again when the keyring works.",
        ) from error


def _locked_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of a keyring that is locked, also of one that came back locked in the middle."""
    everywhere = (keyring.errors.KeyringLocked, keyring.errors.InitError)
    try:
        import secretstorage
    except ImportError:
        return everywhere
    return (*everywhere, secretstorage.LockedException)


def _service_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that keyring backends raise, and those that the Secret Service's library lets through."""
    everywhere = (keyring.errors.KeyringError, OSError)
    try:
        import jeepney
        import secretstorage
    except ImportError:
        return everywhere
    return (*everywhere, secretstorage.SecretStorageException, jeepney.DBusErrorResponse)
