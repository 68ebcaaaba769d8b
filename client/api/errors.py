"""Errors of a volunteer's client; each states what happened and what to do, as the core's do."""

from core.errors import CoreError

REPORT_THIS = "Please report this, with the daemon's log."
"""Remedy for a fault that only the developers of Idlebrush can correct."""
REPORT_IF_LASTING = "If it stays so, please report this, with the daemon's log."
"""Remedy for a fault that may be gone at another attempt or on another network."""


class ClientError(CoreError):
    """Base of the client's errors.

    ClientError
    ├── AlreadyRunning
    ├── AutostartError
    ├── BusError
    ├── ControlError
    │   ├── NoDaemon
    │   ├── DaemonSilent
    │   ├── DaemonOld
    │   ├── DaemonForeign
    │   └── DaemonFailed
    ├── CoordinatorAway
    ├── DisplayError
    ├── DownloadError
    │   └── DownloadInterrupted
    ├── DurationError
    ├── FolderError
    │   └── FolderInUse
    ├── GateError
    │   ├── MembershipEnded
    │   ├── SetAsideByEvidence
    │   └── WrongClock
    ├── JoinError
    │   └── PersonNeeded
    ├── HubError
    ├── KeyringError
    │   ├── NoKeyring
    │   └── KeyringLocked
    ├── NotebookError
    ├── NvmlError
    │   └── NvmlAbsent
    ├── PreferenceError
    ├── RamLimitError
    ├── RemoteError
    │   └── ComputerAway
    ├── RequestRefused
    ├── SetupError
    ├── SignInError
    │   └── CredentialsRejected
    ├── SourceLost
    ├── StateError
    ├── StatsError
    └── UpdateError
        └── BrokenVersion
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
    """A folder to work in holds something else, is in use, or cannot be written to."""

    code = "folder"


class FolderInUse(FolderError):
    """A folder to work in is another process's."""


class BusError(ClientError):
    """A service of the desktop or the system does not answer over D-Bus, or its answer is invalid."""

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
    """A source of the user's activity does not work any more."""

    code = "activity"


class HubError(ClientError):
    """The Hugging Face Hub cannot be reached, or its answer is invalid."""

    code = "hub"


class KeyringError(ClientError):
    """The system's keyring does not work."""

    code = "keyring"


class NoKeyring(KeyringError):
    """The system has no keyring that may be trusted with a token."""

    code = "no_keyring"


class KeyringLocked(KeyringError):
    """The system's keyring is locked, still waits for its password, or has no default collection."""

    code = "keyring_locked"


class SignInError(ClientError):
    """A sign-in was not completed, or it does not permit what was requested."""

    code = "sign_in"


class CredentialsRejected(SignInError):
    """The Hub does not accept the credentials."""

    code = "rejected"


class GateError(ClientError):
    """A run's coordinator does not admit this volunteer, or its gate is not the one that was expected."""

    code = "gate"


class MembershipEnded(GateError):
    """The membership of a run has ended, or this computer has none."""

    code = "membership"


class SetAsideByEvidence(GateError):
    """The swarm leaves this volunteer's computers out because of evidence, until the run's organiser lifts it."""

    code = "set_aside"


class WrongClock(GateError):
    """The clocks of this computer and of the coordinator differ too much."""

    code = "clock"


class CoordinatorAway(ClientError):
    """A run's coordinator cannot be reached, or its answer is invalid."""

    code = "coordinator_away"
    seconds = 0.0
    """Seconds for which the coordinator asks to be left alone."""


class AutostartError(ClientError):
    """Starting at login cannot be turned on or off."""

    code = "autostart"


class StateError(ClientError):
    """A file with the client's state cannot be used, saved or removed."""

    code = "state"


class StatsError(ClientError):
    """The record of the contribution cannot be used or written, or fetching receipts was cancelled."""

    code = "stats"


class DownloadError(ClientError):
    """A server does not deliver a requested file."""

    code = "download"


class DownloadInterrupted(DownloadError):
    """A download failed, but the same request may succeed later."""

    seconds: float | None = None
    """Seconds for which the server asks to be left alone; None: it asks for nothing."""


class SetupError(ClientError):
    """The trainer's environment cannot be set up."""

    code = "setup"


class JoinError(ClientError):
    """A run cannot be joined as requested."""

    code = "join"


class PersonNeeded(JoinError):
    """A run cannot be joined without an answer that only a person can give."""

    STATUS = 4
    """Exit status of `idlebrush join --unattended`: to start it again helps nothing."""


class UpdateError(ClientError):
    """A newer version cannot be looked for, fetched or installed."""

    code = "update"


class BrokenVersion(UpdateError):
    """A newer version does not work on this computer, so another attempt is useless."""

    code = "broken_version"


class NoRun(JoinError):
    """No run was joined, so there is no training to control."""

    def __init__(self) -> None:
        super().__init__("No run was joined.", "Join one with `idlebrush join`.")


class AlreadyRunning(ClientError):
    """A daemon of this user, or the installation of an update, runs already."""

    code = "already_running"
    STATUS = 3
    """Exit status of a second daemon, by which a front end knows to look for the first."""


class ControlError(ClientError):
    """The daemon or the app cannot be reached, or does not do what it was asked."""

    code = "control"


class NoDaemon(ControlError):
    """No daemon runs, or it has ended."""

    code = "no_daemon"

    def __init__(self, what: str) -> None:
        """Make the error from a whole sentence, which states what happened."""
        super().__init__(what, "Start it with `idlebrush daemon`.")


class DaemonSilent(ControlError):
    """The daemon runs, but does not answer."""

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
    """The daemon belongs to another user."""

    code = "daemon_foreign"


class DaemonFailed(ControlError):
    """The daemon cannot be started, or it ended during its start."""

    code = "daemon_failed"


class RamLimitError(ClientError):
    """Training holds more memory than the volunteer allows."""

    code = "ram_limit"


class RemoteError(ClientError):
    """Pairing or controlling computers failed, on this computer or on the other one."""

    code = "remote"


class ComputerAway(RemoteError):
    """A paired computer cannot be reached, or does not accept this one."""

    code = "computer_away"


class RequestRefused(ClientError):
    """The daemon refused a request; the error carries the code, the words and the remedy of its answer."""

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
    """The X server or the Wayland compositor does not answer as it should, or lacks what is needed."""

    code = "display"


class WakeLockError(ClientError):
    """The system cannot be kept awake."""

    code = "wake_lock"


class NvmlError(ClientError):
    """NVIDIA's driver does not report its GPUs."""

    code = "nvml"


class NvmlAbsent(NvmlError):
    """This computer has no NVIDIA driver, or lacks the library that asks it."""

    code = "nvml_absent"


class PreferenceError(ClientError):
    """A preference cannot have that value, or the file of the preferences cannot be used."""

    code = "preference"


class DurationError(ClientError):
    """A text is no length of time to pause for."""

    code = "duration"

    def __init__(self, text: str) -> None:
        """Quote ``text``, the words of the user that name no time to pause for."""
        super().__init__(
            f"{text!r} is not a time to pause for.",
            "Write a number and a unit, such as 15m, 1h or 1h30m, of at most 366 days; or: tomorrow.",
        )
