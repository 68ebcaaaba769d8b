"""How long the app waits for the daemon, in seconds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    answer: float = 30.0
    """For the answer to a request."""
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
