"""The errors of a volunteer's client; as those of the core, each says what happened and what to do."""

from core.errors import CoreError


class ClientError(CoreError):
    """Base of the client's errors.

    ClientError
    ├── AutostartError  starting at login cannot be turned on or off
    ├── BusError        a service of the desktop or the system does not answer over D-Bus
    ├── ChildError      a process of ours cannot be kept going
    ├── DownloadError   a server does not give what was asked of it
    ├── FolderError     a folder to work in holds something else, or is in use
    ├── JoinError       a run cannot be joined as asked
    ├── HubError        the Hugging Face Hub cannot be reached, or answers what it should not
    ├── KeyringError    the system's keyring does not work
    │   ├── NoKeyring       there is none that may be trusted with a token
    │   └── KeyringLocked   it is locked, or still waits for its password
    ├── SignInError     a sign-in was not completed
    │   └── CredentialsRejected   the Hub does not accept the credentials, or not any more
    ├── SourceLost      what told of the user's activity cannot tell any more
    ├── StateError      a file of what the client remembers cannot be used or saved
    └── StatsError      the record of the contribution cannot be used or written
    """

    code = "client"


class ChildError(ClientError):
    code = "child"


class FolderError(ClientError):
    code = "folder"


class BusError(ClientError):
    code = "bus"

    def __init__(self, what: str, remedy: str, name: str = "") -> None:
        super().__init__(what, remedy)
        self.name = name
        """D-Bus's name of the error, such as ``org.freedesktop.DBus.Error.ServiceUnknown``; empty: no answer."""


class SourceLost(ClientError):
    code = "activity"


class HubError(ClientError):
    code = "hub"


class KeyringError(ClientError):
    code = "keyring"


class NoKeyring(KeyringError):
    code = "no_keyring"


class KeyringLocked(KeyringError):
    code = "keyring_locked"


class SignInError(ClientError):
    code = "sign_in"


class CredentialsRejected(SignInError):
    code = "rejected"


class AutostartError(ClientError):
    code = "autostart"


class StateError(ClientError):
    code = "state"


class StatsError(ClientError):
    code = "stats"


class DownloadError(ClientError):
    code = "download"


class JoinError(ClientError):
    code = "join"
