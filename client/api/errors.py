"""The errors of a volunteer's client; as those of the core, each says what happened and what to do."""

from core.errors import CoreError


class ClientError(CoreError):
    """Base of the client's errors.

    ClientError
    ├── AlreadyRunning  this user has a daemon
    ├── AutostartError  starting at login cannot be turned on or off
    ├── BusError        a service of the desktop or the system does not answer over D-Bus
    ├── ControlError    daemon and front end do not come together
    │   ├── NoDaemon        none runs, or it has ended
    │   ├── DaemonSilent    one runs, but does not answer
    │   ├── DaemonOld       it and the front end are of different versions
    │   ├── DaemonForeign   it belongs to another user
    │   └── DaemonFailed    it ended while it was starting
    ├── CoordinatorAway a run's coordinator cannot be reached, or answers what it should not
    ├── DisplayError    the X server or the Wayland compositor does not answer as it should
    ├── DownloadError   a server does not give what was asked of it
    ├── DurationError   what was given is no length of time
    ├── FolderError     a folder to work in holds something else, or is in use
    ├── GateError       a run's coordinator does not admit this volunteer
    │   └── MembershipEnded   or not any more
    ├── JoinError       a run cannot be joined as asked
    ├── HubError        the Hugging Face Hub cannot be reached, or answers what it should not
    ├── KeyringError    the system's keyring does not work
    │   ├── NoKeyring       there is none that may be trusted with a token
    │   └── KeyringLocked   it is locked, or still waits for its password
    ├── NvmlError       NVIDIA's driver does not tell of its GPUs
    │   └── NvmlAbsent      there is no such driver
    ├── PreferenceError a preference cannot have that value, or its file cannot be used
    ├── RequestRefused  the daemon says why it does not do what was asked
    ├── SignInError     a sign-in was not completed
    │   └── CredentialsRejected   the Hub does not accept the credentials, or not any more
    ├── SourceLost      what told of the user's activity cannot tell any more
    ├── StateError      a file of what the client remembers cannot be used or saved
    └── StatsError      the record of the contribution cannot be used or written
    """

    code = "client"

    @classmethod
    def of(cls, error: CoreError) -> "ClientError":
        """The same said by the client; front ends tell errors by their codes, which stay."""
        known = cls(error.what, error.remedy)
        known.code = error.code
        return known


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


class GateError(ClientError):
    code = "gate"


class MembershipEnded(GateError):
    code = "membership"


class CoordinatorAway(ClientError):
    code = "coordinator_away"
    seconds = 0.0
    """For which it asks to be left alone."""


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


class AlreadyRunning(ClientError):
    code = "already_running"
    STATUS = 3
    """Exit status of the second daemon, which tells whoever started it to look for the first."""


class ControlError(ClientError):
    code = "control"


class NoDaemon(ControlError):
    code = "no_daemon"

    def __init__(self, what: str, remedy: str = "Start it with `idlebrush daemon`.") -> None:
        super().__init__(what, remedy)


class DaemonSilent(ControlError):
    code = "daemon_silent"

    def __init__(self, pid: int | None = None) -> None:
        process = f"process {pid}" if pid else "its process"
        super().__init__(
            "The daemon runs, but does not answer.",
            f"Try again in a minute; if it stays silent, end {process} and start it with `idlebrush daemon`.",
        )


class DaemonOld(ControlError):
    code = "daemon_old"

    def __init__(self) -> None:
        super().__init__(
            "The daemon that runs is of another version than this program.",
            "End it with `idlebrush quit`, and start it again with `idlebrush daemon`.",
        )


class DaemonForeign(ControlError):
    code = "daemon_foreign"


class DaemonFailed(ControlError):
    code = "daemon_failed"


class RequestRefused(ClientError):
    """Has the code, the words and the remedy that the daemon gave."""

    def __init__(self, code: str, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.code = code


class DisplayError(ClientError):
    code = "display"


class NvmlError(ClientError):
    code = "nvml"


class NvmlAbsent(NvmlError):
    code = "nvml_absent"


class PreferenceError(ClientError):
    code = "preference"


class DurationError(ClientError):
    code = "duration"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is not a time to pause for.",
            "Write a number and a unit, such as 15m, 1h or 1h30m, of at most 366 days; or: tomorrow.",
        )
