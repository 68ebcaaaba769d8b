"""Goes through the app's first run by keys alone, from the greeting to a run that was joined; takes pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.desktops.hands import Hands
from tests.waiting import COSTLY, wait_until

GREETING = "Welcome to Idlebrush"
WINDOW = "Idlebrush"
_BEGIN, _NO_ACCOUNT, _NEXT, _END = "Get started", "Skip", "Next", "Open Idlebrush"
_EMBEDDED, _LINK, _ADDRESS = "On this computer", "From a link", "Link to the run"
_SOMETIMES, _ALWAYS = "While I am away", "Always"
_CONSENT = "I agree that this computer trains this run as described above."
_TRAIN, _INSTALL = "Start training", "Download and install"
_SECONDS = 180.0
"""Longest wait for a screen on a machine that is busy."""


@dataclass(frozen=True)
class FirstRunByKeys:
    """A user before the first screen."""

    hands: Hands
    pictures: Path
    """Folder for a picture of each screen."""

    def be_greeted(self, is_running: Callable[[], bool]) -> None:
        """Wait for the first screen; AssertionError once ``is_running`` is false, as the app has ended."""

        def is_there() -> bool:
            assert is_running(), "the app has ended; read app.log"
            return self.hands.desk.takes_keys(GREETING)

        wait_until(is_there, "no greeting comes up", _SECONDS, every=COSTLY)

    def go_through(self, link: str, is_inspected: Callable[[], bool], is_joined: Callable[[], bool]) -> None:
        """Join the run of that ``link``, to train it always.

        Args:
            link: Link to type.
            is_inspected: True once the daemon knows the run.
            is_joined: True once it has joined it.
        """
        self._begin()
        self._choose(link, is_inspected)
        self.hands.press(_SOMETIMES, "Down")
        self.hands.wait_at(_ALWAYS)
        self._picture("times")
        self.hands.choose(_NEXT)
        self.hands.wait_at(_CONSENT)
        self.hands.desk.press("space")
        self._picture("consent")
        self.hands.choose(_TRAIN)
        wait_until(is_joined, "the run is never joined", _SECONDS, every=10 * COSTLY)
        self.hands.wait_at(_NEXT, _SECONDS)
        self._picture("joined")

    def set_up(self, is_fetching: Callable[[], bool]) -> None:
        """Have the packages for training installed, which goes on in the background, and open the window.

        Args:
            is_fetching: True once they are being fetched.
        """
        self.hands.press(_NEXT, "Return")
        self.hands.wait_at(_INSTALL, _SECONDS)
        self._picture("packages")
        self.hands.desk.press("Return")
        wait_until(is_fetching, "no package is ever fetched", _SECONDS, every=10 * COSTLY)
        self._picture("progress")
        self.hands.choose(_END)
        wait_until(lambda: self.hands.desk.takes_keys(WINDOW), "the window does not come up", every=COSTLY)

    def _begin(self) -> None:
        desk = self.hands.desk
        self.hands.wait_at(_BEGIN)
        self._picture("welcome")
        desk.press("Return")
        self.hands.go_to(_NO_ACCOUNT)
        self._picture("sign-in")
        desk.press("Return")

    def _choose(self, link: str, is_inspected: Callable[[], bool]) -> None:
        """Choose the run by its link; what the link names is fetched by the daemon."""
        self.hands.go_to(_EMBEDDED)
        self.hands.desk.press("space", "Right")
        self.hands.press(_LINK, "Tab")
        self.hands.wait_at(_ADDRESS)
        self.hands.desk.type(link)
        self.hands.desk.press("Return")
        wait_until(is_inspected, "the run is never inspected", _SECONDS, every=10 * COSTLY)
        self._picture("run")
        self.hands.choose(_NEXT)

    def _picture(self, name: str) -> None:
        number = len(list(self.pictures.glob("*.png"))) + 1
        self.hands.desk.picture(self.pictures / f"{number}-{name}.png")
