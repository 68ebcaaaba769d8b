"""A user who works an app by keys alone, and finds the way as a screen reader tells it."""

from dataclasses import dataclass

from tests.desktops.screen_reader import Reader
from tests.desktops.tray_host import TrayDesk
from tests.waiting import COSTLY, DEADLINE, wait_until


@dataclass(frozen=True)
class Hands:
    """A user who presses a key only once the focus is where they mean it to be, as a screen reader says.

    The daemon tells the app and this test at different moments, and a busy app takes a while to move the focus.
    """

    desk: TrayDesk
    reader: Reader

    def wait_at(self, name: str, seconds: float = DEADLINE) -> None:
        """Wait until the focus is on the part with that name."""
        wait_until(
            lambda: self.reader.focus() == name, f"the focus never comes to {name}", seconds, every=COSTLY
        )

    def press(self, name: str, *keys: str) -> None:
        """Press keys once the focus is on the part with that name."""
        self.wait_at(name)
        self.desk.press(*keys)

    def go_to(self, name: str) -> None:
        """Press Tab, from part to part, until the focus is on the one with that name."""

        def is_there() -> bool:
            before = self.reader.focus()
            if before in (name, None):
                return before == name
            self.desk.press("Tab")
            wait_until(lambda: self.reader.focus() not in (before, None), "Tab does nothing", every=COSTLY)
            return False

        wait_until(is_there, f"Tab never leads to {name}", every=COSTLY)

    def choose(self, name: str) -> None:
        """Press the button with that name, by the Tab and Return keys."""
        self.go_to(name)
        self.desk.press("Return")
