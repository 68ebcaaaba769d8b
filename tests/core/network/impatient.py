"""A pause_token that sleeps no longer than it must to be told to end, and notes what it was to sleep."""

from core.network.pause_token import PauseToken


class Impatient(PauseToken):
    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        super().sleep(0)
