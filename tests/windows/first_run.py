"""Goes through the app's first run by keys alone, in front of a real daemon.

``python -m tests.windows.first_run FOLDER``: the keys go through Windows' own input to the window that has the focus,
and FOLDER gets a picture of each screen as it was shown. The exit status is 0 only if a run was joined in the end.
"""

import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject
from PySide6.QtWidgets import QApplication, QWidget

from client.api.launch import DaemonProgram
from client.paths import HOME_VARIABLE, Paths
from gui.app import DesktopApp, Opening, compose
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from tests.gui.first_run.hands import button, focused, sayings, says

RETURN, SHIFT, SPACE, TAB = 0x0D, 0x10, 0x20, 0x09
"""Windows' numbers of the keys."""
_KEY_UP = 2
_SECONDS = 90.0
_MOST_TABS = 60
_MOST_TRIES = 300


class KeyListener(QObject):
    """Notes whether the app is told of a key."""

    has_heard = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - a name of Qt
        self.has_heard = self.has_heard or event.type() is QEvent.Type.KeyPress
        return False


class Person:
    """Sits in front of the screen, with a keyboard alone."""

    def __init__(self, app: DesktopApp, pictures: Path) -> None:
        self.app, self._pictures = app, pictures

    @property
    def first_run(self) -> FirstRun:
        assert self.app.first_run is not None
        return self.app.first_run

    def wait(self, until: Callable[[], object], what: str) -> None:
        """Let the app work until a condition holds."""
        deadline = time.monotonic() + _SECONDS
        while not until():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what}; the screen says {sayings(self._front())}")
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)

    def press(self, key: int) -> None:
        """Press a key of the keyboard, and let the app take it."""
        user32 = ctypes.windll.user32  # type: ignore[attr-defined]
        for flags in (0, _KEY_UP):
            user32.keybd_event(key, 0, flags, 0)
        self._settle()

    def try_keyboard(self) -> None:
        """Press a key without an effect until the app hears of it: Windows may take a moment after activation."""
        heard = KeyListener()
        QApplication.instance().installEventFilter(heard)  # type: ignore[union-attr]
        for _ in range(_MOST_TRIES):
            self.press(SHIFT)
            if heard.has_heard:
                return
        raise AssertionError("no key reaches the app")

    def tab_to(self, text: str) -> None:
        """Press the tabulator until the button with that text has the focus."""
        for _ in range(_MOST_TABS):
            if focused() is button(self.first_run, text):
                return
            self.press(TAB)
        raise AssertionError(f"{text!r} is not reached by the tabulator")

    def reach(self, step: FirstRunStep) -> None:
        self.wait(lambda: self.first_run.step is step, f"{step} is not shown")
        self._settle()

    def keep_picture(self, name: str) -> None:
        """Keep what the screen shows of the window in front."""
        self._settle(0.5)
        window = self._front()
        place = window.geometry()
        shown = window.screen().grabWindow(0, place.x(), place.y(), place.width(), place.height())
        assert shown.save(str(self._pictures / f"{name}.png"))

    def _front(self) -> QWidget:
        return self.app.first_run or self.app.window or QWidget()

    def _settle(self, seconds: float = 0.15) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def go_through(person: Person) -> None:
    """Join the embedded run, from the first screen to the app's window."""
    person.wait(lambda: person.app.first_run is not None, "the first run does not open")
    person.wait(person.first_run.isActiveWindow, "its window is not active")
    person.wait(lambda: person.app.link.snapshot is not None, "no daemon answers")
    person.try_keyboard()
    person.keep_picture("1-welcome")
    person.press(RETURN)
    person.reach(FirstRunStep.SIGN_IN)
    person.keep_picture("2-sign-in")
    person.wait(lambda: button(person.first_run, "Skip").isEnabled(), "one cannot go on without signing in")
    person.tab_to("Skip")
    person.press(RETURN)
    person.reach(FirstRunStep.RUN)
    person.press(SPACE)  # the first of the choices has the focus
    person.wait(lambda: button(person.first_run, "Next").isEnabled(), "the run cannot be chosen")
    person.keep_picture("3-run")
    person.tab_to("Next")
    person.press(RETURN)
    person.reach(FirstRunStep.TIMES)
    person.keep_picture("4-times")
    person.tab_to("Next")
    person.press(RETURN)
    person.reach(FirstRunStep.CONSENT)
    person.press(SPACE)  # the box has the focus
    person.keep_picture("5-consent")
    person.tab_to("Start training")
    person.press(RETURN)
    person.wait(lambda: person.first_run.screen_shown.primary_text() == "Next", "no run is joined")
    person.press(RETURN)
    leave_packages_for_later(person)
    person.wait(lambda: person.app.first_run is None and person.app.window is not None, "no window opens")
    person.keep_picture("7-now")


def leave_packages_for_later(person: Person) -> None:
    """Leave the screen about the packages for training, of which a clone of the source has no list."""
    person.reach(FirstRunStep.SETUP)
    person.wait(lambda: says(person.first_run, "does not say where the packages"), "no reason is shown")
    person.keep_picture("6-setup")
    person.tab_to("Open Idlebrush")
    person.press(RETURN)


def main(pictures: Path) -> int:
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ.setdefault(HOME_VARIABLE, home)
        paths = Paths.of_user()
        paths.prepare()
        app = compose(paths, DaemonProgram(), Opening())
        assert app is not None, "an app runs already"
        app.open()
        try:
            go_through(Person(app, pictures))
        except BaseException:
            print(paths.log("daemon").read_text(encoding="utf-8"), file=sys.stderr)
            raise
        finally:
            app.link.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
