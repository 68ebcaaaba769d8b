"""A clock for code that waits by sleeping: it goes on only while the code sleeps."""


class WaitingClock:
    """Time since its making, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
