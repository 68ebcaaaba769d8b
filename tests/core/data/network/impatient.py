"""A valve that sleeps no longer than it must to be told to end, and notes what it was to sleep."""

from core.data.network.valve import Valve


class Impatient(Valve):
    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        super().sleep(0)
