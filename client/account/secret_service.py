"""The Secret Service as keyring's backend, asked so that gnome-keyring survives it and opens no window.

gnome-keyring (42.1, and main of March 2026) takes note of a new caller beside its main loop. If that loop is awake
then, it may handle the caller's first call before. One for a property, with which secretstorage begins, then aborts
the whole keyring, while `ReadAlias` is harmless. Once it is answered, the caller is known. The path of an alias is
avoided because gnome-keyring resolves it from memory that another thread may have freed.

A busy computer's bus may take longer to know a caller than the second that secretstorage allows.
"""

from contextlib import closing
from typing import TYPE_CHECKING

import keyring.errors
from keyring.backends.SecretService import Keyring
from keyring.compat import properties

if TYPE_CHECKING:
    import secretstorage
    from jeepney.io.blocking import DBusConnection

_GONE = frozenset(
    {
        "org.freedesktop.DBus.Error.Disconnected",
        "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.NoReply",
        "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.Secret.Error.NoSession",
    }
)
"""D-Bus's names of the errors of a service that ended while it was asked; the last is that of its successor."""


class NoDefaultCollection(keyring.errors.InitError):
    """The keyring has no default collection, and creating one would open a window."""


_BUS_SECONDS = 10.0
"""Seconds in which the session's bus must accept a caller."""


class SecretService(Keyring):
    """The default collection of the Secret Service, if it is unlocked."""

    @properties.classproperty
    def priority(cls) -> float:  # noqa: N805 - a property of the class
        """Return 5; raise RuntimeError if no Secret Service runs, and the bus can start none."""
        import secretstorage

        try:
            with closing(_connected()) as connection:
                if secretstorage.check_service_availability(connection):
                    return 5.0
        except secretstorage.SecretStorageException as error:
            raise RuntimeError(f"The Secret Service cannot be asked: {error}") from error
        raise RuntimeError("No Secret Service runs, and D-Bus can start none.")

    def get_preferred_collection(self) -> "secretstorage.Collection":
        """Return the default collection on a connection of its own, which the caller closes.

        Raise KeyringLocked rather than unlock it, and NoDefaultCollection if there is none.
        """
        connection = _connected()
        try:
            collection = _default_collection(connection)
            if collection.is_locked():
                raise keyring.errors.KeyringLocked("The default collection is locked.")
        except BaseException:
            connection.close()
            raise
        return collection


def _connected() -> "DBusConnection":
    """Return a new connection to the session's bus, which the caller closes.

    Raises secretstorage's exception if there is no bus, and TimeoutError if it does not accept the caller in time.
    """
    from jeepney.io.blocking import open_dbus_connection
    from secretstorage.exceptions import SecretServiceNotAvailableException
    from secretstorage.util import add_match_rules

    try:
        connection = open_dbus_connection(auth_timeout=_BUS_SECONDS)
    except BlockingIOError as error:  # jeepney's time was over between two of its calls
        raise TimeoutError(f"The bus did not accept this program in {_BUS_SECONDS:.0f} s.") from error
    except (KeyError, ConnectionError, ValueError) as error:
        raise SecretServiceNotAvailableException(f"{type(error).__name__}: {error}") from error
    add_match_rules(connection)
    return connection


def _default_collection(connection: "DBusConnection") -> "secretstorage.Collection":
    import secretstorage

    for _ in range(2):  # the first answer may be that of a gnome-keyring that does not know this caller yet
        try:
            return secretstorage.get_collection_by_alias(connection, "default")
        except secretstorage.ItemNotFoundException as error:
            missing = error
    raise NoDefaultCollection("There is no default collection.") from missing


def is_gone(error: BaseException) -> bool:
    """Return true if the service ended while it was asked, by ``error`` or what it was raised from."""
    cause: BaseException | None = error
    while cause is not None:
        if getattr(cause, "name", None) in _GONE:  # other systems lack the library of these errors
            return True
        cause = cause.__cause__
    return False
