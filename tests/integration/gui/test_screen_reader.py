"""A screen reader finds the app's window and its parts over the real accessibility bus."""

import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.desktops.desktop import private_bus, running, virtual_display
from tests.desktops.screen_reader import AccessibleObject, NoAnswer, Reader, reading
from tests.waiting import COSTLY, wait_until

SKIPPED = {"filler", "unknown"}
"""Roles whose names and descriptions Orca does not say."""


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
    command = (sys.executable, "-m", "tests.integration.gui.window_shown", "preferences")
    with running(*command, str(tmp_path_factory.mktemp("w")), environment=session):
        window = reader.window()
        wait_until(lambda: "Start at login" in names(window), "the page is never filled", every=COSTLY)
        yield window


def names(window: AccessibleObject) -> set[str]:
    """Return the names of all that is to be seen; none while that changes."""
    with suppress(NoAnswer):
        return {part.name for part in window.showing()}
    return set()


def test_all_that_takes_the_focus_says_what_it_is(window: AccessibleObject) -> None:
    stops = [part for part in window.showing() if part.is_focusable]
    assert len(stops) > 30
    assert [(part.role, part.name) for part in stops if part.role in SKIPPED or not part.name] == []


def test_the_window_and_its_pages_are_reported(window: AccessibleObject) -> None:
    assert window.role == "frame"
    pages = [part.name for part in window.showing() if part.role == "check box"][:7]
    assert pages == ["Now", "Gallery", "My contribution", "Leaderboard", "Preferences", "Log", "About"]


def test_a_choice_is_reported_with_its_label(window: AccessibleObject) -> None:
    """A choice is named by what is chosen."""
    choice = next(part for part in window.showing() if part.name == "Same as the system")
    assert (choice.role, choice.label) == ("combo box", "Language")


def test_an_editor_is_reported_with_what_it_does(window: AccessibleObject) -> None:
    editor = next(part for part in window.showing() if part.name == "Idle after" and part.is_focusable)
    assert editor.description.startswith("The computer counts as idle")
