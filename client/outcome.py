"""How a child process ended, as a plain value that words its own sentence for the user."""

import signal
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from core.messages import Failed


class Ending(Enum):
    FINISHED = auto()  # it had done its work
    STOPPED = auto()  # it was asked to
    FAILED = auto()  # it said why it cannot go on
    CRASHED = auto()  # it ended without a word, or was killed
    HUNG = auto()  # no sign of life
    GARBLED = auto()  # it said something that is no message
    FORCED = auto()  # it was asked to stop, and did not in time


_SENTENCES = {
    Ending.FINISHED: "The {name} has finished.",
    Ending.STOPPED: "The {name} has stopped.",
    Ending.CRASHED: "The {name} ended unexpectedly ({how}). The end of {log} may say why.",
    Ending.HUNG: "The {name} gave no sign of life any more and was ended. The end of {log} may say why.",
    Ending.GARBLED: "The {name} is not of this version of Idlebrush. Install Idlebrush again.",
    Ending.FORCED: "The {name} did not stop in time and was ended; work since its checkpoint is lost.",
}


@dataclass(frozen=True)
class Outcome:
    name: str
    """What the process is to a person, such as "trainer"."""
    ending: Ending
    status: int
    """Exit status; above 128 it is 128 + the signal that ended the process."""
    log: Path
    failure: Failed | None = None

    @property
    def in_order(self) -> bool:
        return self.ending in (Ending.FINISHED, Ending.STOPPED)

    def sentence(self) -> str:
        if self.ending is Ending.FAILED and self.failure:
            return f"{self.failure.what} {self.failure.remedy}"
        return _SENTENCES[self.ending].format(name=self.name, how=_how(self.status), log=self.log)


def judge(given_up: Ending | None, failure: Failed | None, stopping: bool, status: int) -> Ending:
    """The ending, given what the supervisor gave it up for, what the child said, and its exit status."""
    if given_up is not None:
        return given_up
    if status != 0:
        return Ending.FAILED if failure else Ending.CRASHED
    return Ending.STOPPED if stopping else Ending.FINISHED


def _how(status: int) -> str:
    if status <= 128:
        return f"exit status {status}"
    name = signal.Signals(status - 128).name
    return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name
