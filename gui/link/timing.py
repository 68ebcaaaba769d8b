"""How long the app waits for the daemon, in seconds."""

from dataclasses import dataclass

from client.api.commands import EnterGate, HideName, JoinProspect, KeepFrames, KeepReceipts, OpenPage, SignIn
from client.api.connection import ANSWER_SECONDS, COORDINATOR_SECONDS
from client.api.questions import ShowBoard
from client.api.requests import AnyRequest

_COORDINATORS = (ShowBoard, OpenPage, HideName)
_UNTIL_IT_IS_DONE = (SignIn, EnterGate, JoinProspect, KeepFrames, KeepReceipts)
"""These take as long as a person, or a download, takes; the daemon bounds them, and its end is noticed."""


@dataclass(frozen=True)
class Timing:
    answer: float = ANSWER_SECONDS
    """For the answer to a request that the daemon answers by itself."""
    coordinator: float = COORDINATOR_SECONDS
    """For an answer that the daemon has to ask the run's coordinator for."""
    quiet: float = 10.0
    """Without a word from the daemon before it is asked whether it lives."""
    sign_of_life: float = 10.0
    """For its answer to that; later, it counts as hung."""
    start: float = 30.0
    """For a daemon that was started to answer."""
    poll: float = 0.1
    """Between two looks at whether it does."""
    look: float = 2.0
    """Between two looks at whether somebody has started one meanwhile."""
    settle: float = 0.3
    """After a connection has ended, for its daemon to be gone altogether."""
    patience: float = 120.0
    """In which a daemon may collapse `collapses` times before no other is started."""
    collapses: int = 3

    def seconds_for(self, request: AnyRequest) -> float | None:
        """Until its answer; None: for as long as the daemon is there."""
        if isinstance(request, _UNTIL_IT_IS_DONE):
            return None
        return self.coordinator if isinstance(request, _COORDINATORS) else self.answer
