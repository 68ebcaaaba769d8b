"""Errors of a volunteer's client; each states what happened and what to do, as the core's do."""

from core.errors import CoreError

REPORT_THIS = "Please report this, with the daemon's log."
"""Remedy for a fault that only the developers of Idlebrush can correct."""
REPORT_IF_LASTING = "If it stays so, please report this, with the daemon's log."
"""Remedy for a fault that may be gone at another attempt or on another network."""


class ClientError(CoreError):
    """Base of the client's errors.

    ClientError
    ├── AlreadyRunning  this user's daemon runs already
    ├── AutostartError  starting at login cannot be turned on or off
    ├── BusError        a service of the desktop or the system does not answer over D-Bus
    ├── ControlError    daemon and front end cannot communicate
    │   ├── NoDaemon        no daemon runs, or it has ended
    │   ├── DaemonSilent    the daemon runs, but does not answer
    │   ├── DaemonOld       daemon and front end are of different versions
    │   ├── DaemonForeign   the daemon belongs to another user
    │   └── DaemonFailed    the daemon ended while it was starting
    ├── CoordinatorAway a run's coordinator cannot be reached, or its answer is invalid
    ├── DisplayError    the X server or the Wayland compositor does not answer as it should
    ├── DownloadError   a server does not deliver a requested file
    │   └── DownloadInterrupted   the same request may succeed later
    ├── DurationError   a text is no length of time
    ├── FolderError     a folder to work in holds something else, or is in use
    ├── GateError       a run's coordinator does not admit this volunteer
    │   ├── MembershipEnded   the membership has ended
    │   └── WrongClock        the clocks of this computer and of the coordinator differ too much
    ├── JoinError       a run cannot be joined as requested
    ├── HubError        the Hugging Face Hub cannot be reached, or its answer is invalid
    ├── KeyringError    the system's keyring does not work
    │   ├── NoKeyring       there is no keyring that may be trusted with a token
    │   └── KeyringLocked   it is locked, or still waits for its password
    ├── NvmlError       NVIDIA's driver does not report its GPUs
    │   └── NvmlAbsent      there is no such driver
    ├── PreferenceError a preference cannot have that value, or its file cannot be used
    ├── RamLimitError   training holds more memory than the volunteer allows
    ├── RequestRefused  the daemon refuses a request, with a reason
    ├── SetupError      the trainer's environment cannot be set up
    ├── SignInError     a sign-in was not completed
    │   └── CredentialsRejected   the Hub does not accept the credentials
    ├── SourceLost      a source of the user's activity does not work any more
    ├── StateError      a file with the client's state cannot be used or saved
    ├── StatsError      the record of the contribution cannot be used or written
    └── UpdateError     a newer version cannot be looked for, fetched or installed
        └── BrokenVersion   it does not work here, so another attempt is useless
    """

    code = "client"

    @classmethod
    def of(cls, error: CoreError) -> "ClientError":
        """Return an error of the client with the words and the code of ``error``.

        Front ends tell errors by their codes.
        """
        known = cls(error.what, error.remedy)
        known.code = error.code
        return known


class FolderError(ClientError):
    code = "folder"


class BusError(ClientError):
    code = "bus"

    def __init__(self, what: str, remedy: str, name: str = "") -> None:
        """Make an error of D-Bus.

        Args:
            what: Sentence that states what happened.
            remedy: Sentence that states what the user can do.
            name: D-Bus's name of the error; empty: D-Bus named none, as without an answer.
        """
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


class WrongClock(GateError):
    code = "clock"


class CoordinatorAway(ClientError):
    code = "coordinator_away"
    seconds = 0.0
    """Seconds for which the coordinator asks to be left alone."""


class AutostartError(ClientError):
    code = "autostart"


class StateError(ClientError):
    code = "state"


class StatsError(ClientError):
    code = "stats"


class DownloadError(ClientError):
    code = "download"


class DownloadInterrupted(DownloadError):
    seconds: float | None = None
    """Seconds for which the server asks to be left alone; None: it asks for nothing."""


class SetupError(ClientError):
    code = "setup"


class JoinError(ClientError):
    code = "join"


class UpdateError(ClientError):
    code = "update"


class BrokenVersion(UpdateError):
    code = "broken_version"


class NoRun(JoinError):
    """No run was joined, so there is no training to control."""

    def __init__(self) -> None:
        super().__init__("No run was joined.", "Join one with `idlebrush join`.")


class AlreadyRunning(ClientError):
    code = "already_running"
    STATUS = 3
    """Exit status of a second daemon, by which a front end knows to look for the first."""


class ControlError(ClientError):
    code = "control"


class NoDaemon(ControlError):
    code = "no_daemon"

    def __init__(self, what: str) -> None:
        """Make the error from a whole sentence, which states what happened."""
        super().__init__(what, "Start it with `idlebrush daemon`.")


class DaemonSilent(ControlError):
    code = "daemon_silent"

    def __init__(self, pid: int | None = None) -> None:
        """Name the daemon's process id ``pid`` in the remedy; None: it is not known."""
        process = f"process {pid}" if pid else "its process"
        super().__init__(
            "The daemon is running, but does not answer.",
            f"Try again in a minute. If it stays silent, end {process} and start the daemon with "
            "`idlebrush daemon`.",
        )


class DaemonOld(ControlError):
    """The daemon and the front end have different versions, so their messages differ."""

    code = "daemon_old"

    def __init__(self) -> None:
        super().__init__(
            "The running daemon and this program have different versions.",
            "End it with `idlebrush quit`, and start it again with `idlebrush daemon`.",
        )


class DaemonForeign(ControlError):
    code = "daemon_foreign"


class DaemonFailed(ControlError):
    code = "daemon_failed"


class RamLimitError(ClientError):
    code = "ram_limit"


class RequestRefused(ClientError):
    """Carries the code, the words and the remedy of the daemon's refusal."""

    def __init__(self, code: str, what: str, remedy: str) -> None:
        """Take over the daemon's answer.

        Args:
            code: Code of the daemon's error, such as ``preference``; it replaces the code of this class.
            what: Sentence that states what happened.
            remedy: Sentence that states what the user can do.
        """
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
        """Quote ``text``, the words of the user that name no time to pause for."""
        super().__init__(
            f"{text!r} is not a time to pause for.",
            "Write a number and a unit, such as 15m, 1h or 1h30m, of at most 366 days; or: tomorrow.",
        )
