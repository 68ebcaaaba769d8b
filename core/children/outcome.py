"""The outcome of a child process, a plain value that words its own sentence for the user."""

import signal
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from core.errors import ChildError
from core.messages.children import Failed


class Ending(Enum):
    """Ways in which a child process ends."""

    FINISHED = auto()  # it had done its work
    STOPPED = auto()  # it was asked to
    FAILED = auto()  # it said why it cannot continue
    CRASHED = auto()  # it ended without a message, or was killed
    HUNG = auto()  # no sign of life
    GARBLED = auto()  # it said something that is no message
    FORCED = auto()  # it was asked to stop, and did not in time
    STUCK = auto()  # not even the system could end it


_LEAST_NTSTATUS = 0x8000_0000
"""Smallest exit status with which Windows names an error that ended a process; people know them in hex."""
_LOG = "The end of {log} may say why."
_WORDS = {
    Ending.FINISHED: ("The {name} has finished.", ""),
    Ending.STOPPED: ("The {name} has stopped.", ""),
    Ending.FAILED: ("The {name} cannot continue.", _LOG),
    Ending.CRASHED: ("The {name} ended unexpectedly ({how}).", _LOG),
    Ending.HUNG: ("The {name} stopped responding and was terminated.", _LOG),
    Ending.GARBLED: ("The {name} is not of this version of Idlebrush.", "Install Idlebrush again."),
    Ending.FORCED: (
        "The {name} did not stop in time and was ended.",
        "Work since its last checkpoint is lost.",
    ),
    Ending.STUCK: (
        "The {name} cannot be ended by the system; it waits for a device or a file system.",
        "Restart the computer.",
    ),
}


@dataclass(frozen=True)
class Outcome:
    """The ending of one child process, with what is needed to explain it."""

    name: str
    """Name of the process for people, such as "trainer"."""
    ending: Ending
    status: int
    """Exit status of the process; above 128 it is 128 + the signal that ended it, on Windows perhaps an NTSTATUS."""
    log: Path
    failure: Failed | None = None

    @property
    def in_order(self) -> bool:
        """True if the process has finished or was stopped."""
        return self.ending in (Ending.FINISHED, Ending.STOPPED)

    def sentence(self) -> str:
        """Return the event and its remedy in words for the user."""
        return " ".join(filter(None, self._words()))

    def error(self) -> ChildError:
        """Return the error to raise where the process is indispensable."""
        return ChildError(*self._words())

    def _words(self) -> tuple[str, str]:
        """Return the event and its remedy."""
        if self.ending is Ending.FAILED and self.failure:
            return self.failure.what, self.failure.remedy
        what, remedy = _WORDS[self.ending]
        return what.format(name=self.name, how=_how(self.status)), remedy.format(log=self.log)


def judge(given_up: Ending | None, failure: Failed | None, stopping: bool, status: int) -> Ending:
    """Return the ending of a child.

    Args:
        given_up: Ending for which the supervisor gave it up, if it did.
        failure: The child's message that it cannot continue, if there was one.
        stopping: True if the child was asked to stop.
        status: Its exit status.
    """
    if given_up is not None:
        return given_up
    if status != 0:
        return Ending.FAILED if failure else Ending.CRASHED
    return Ending.STOPPED if stopping else Ending.FINISHED


def _how(status: int) -> str:
    if status >= _LEAST_NTSTATUS:
        return f"exit status 0x{status:08X}"
    if status - 128 not in set(signal.Signals):
        return f"exit status {status}"
    name = signal.Signals(status - 128).name
    return f"{name}, possibly because memory ran out" if name == "SIGKILL" else name
