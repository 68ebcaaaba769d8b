"""A screen reader finds the app's window and its parts over the real accessibility bus."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.desktops.desktop import private_bus, running, virtual_display
from tests.desktops.screen_reader import AccessibleObject, NoAnswer, Reader, reading
from tests.waiting import COSTLY, wait_until

SKIPPED = {"filler", "unknown"}
"""Roles whose names and descriptions Orca does not say."""
CONSENT = "I agree that this computer trains this run as described above."


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a desktop with a screen reader."""
    folder = str(tmp_path_factory.mktemp("s"))
    with virtual_display() as display:
        own = {
            "DISPLAY": display,
            "XDG_RUNTIME_DIR": folder,
            "QT_QPA_PLATFORM": "xcb",
            "GSETTINGS_BACKEND": "memory",
        }
        with private_bus(own) as bus:
            yield {**own, "DBUS_SESSION_BUS_ADDRESS": bus, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}


@pytest.fixture(scope="module")
def reader(session: dict[str, str]) -> Iterator[Reader]:
    with reading(session["DBUS_SESSION_BUS_ADDRESS"]) as made:
        yield made


@pytest.fixture(scope="module")
def window(
    session: dict[str, str], reader: Reader, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AccessibleObject]:
    """The window with the page Preferences, once the page is filled."""
    with shown("preferences", "Start at login", session, reader, tmp_path_factory.mktemp("w")) as window:
        yield window


@contextmanager
def shown(
    page: str, filled: str, session: dict[str, str], reader: Reader, folder: Path
) -> Iterator[AccessibleObject]:
    """The app with a page of `window_shown`, once it shows the part with that name."""
    command = (sys.executable, "-m", "tests.integration.gui.window_shown", page, str(folder))
    with running(*command, environment=session):
        window = reader.window()
        wait_until(lambda: filled in names(window), f"{filled} is never shown", every=COSTLY)
        yield window
    wait_until(lambda: not reader.has_window(), "the app is still reported", every=COSTLY)


def names(window: AccessibleObject) -> set[str]:
    """Return the names of all that is to be seen; none while that changes."""
    with suppress(NoAnswer):
        return {part.name for part in window.showing()}
    return set()


def stops_of(window: AccessibleObject) -> list[AccessibleObject]:
    """Return all that takes the focus, after asserting that each says what it is."""
    stops = [part for part in window.showing() if part.is_focusable]
    assert [(part.role, part.name) for part in stops if part.role in SKIPPED or not part.name] == []
    return stops


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("0", [("combo box", "English"), ("push button", "Get started")]),
        ("1", [("push button", "Back"), ("push button", "Next")]),
        ("2", [("radio button", "From a list"), ("push button", "Measure again"), ("push button", "Next")]),
        ("3", [("combo box", "While I am away"), ("check box", "Train on battery"), ("push button", "Next")]),
        ("4", [("check box", CONSENT), ("push button", "Start training")]),
        ("now", [("check box", "Gallery"), ("push button", "Pause"), ("button menu", "Snooze")]),
    ],
    ids=["welcome", "sign in", "run", "times", "consent", "now"],
)
def test_each_screen_of_the_first_run_and_the_page_now_say_what_takes_the_focus(
    page: str,
    expected: list[tuple[str, str]],
    session: dict[str, str],
    reader: Reader,
    tmp_path: Path,
) -> None:
    """They come before the tests of the page Preferences, whose window stays open."""
    with shown(page, expected[-1][1], session, reader, tmp_path) as window:
        found = [(part.role, part.name) for part in stops_of(window)]
        assert [stop for stop in found if stop in expected] == expected


def test_all_that_takes_the_focus_says_what_it_is(window: AccessibleObject) -> None:
    assert len(stops_of(window)) > 30


def test_the_window_and_its_pages_are_reported(window: AccessibleObject) -> None:
    assert window.role == "frame"
    expected = [
        "Now",
        "Gallery",
        "My contribution",
        "Leaderboard",
        "My computers",
        "Preferences",
        "Log",
        "About",
    ]
    pages = [part.name for part in window.showing() if part.role == "check box"][: len(expected)]
    assert pages == expected


def test_a_choice_is_reported_with_its_label(window: AccessibleObject) -> None:
    """A choice is named by what is chosen."""
    choice = next(part for part in window.showing() if part.name == "Same as the system")
    assert (choice.role, choice.label) == ("combo box", "Language")


def test_an_editor_is_reported_with_what_it_does(window: AccessibleObject) -> None:
    editor = next(part for part in window.showing() if part.name == "Idle after" and part.is_focusable)
    assert editor.description.startswith("The computer counts as idle")
