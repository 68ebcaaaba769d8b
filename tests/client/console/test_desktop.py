"""The app checks that its windows can open: for a display and for the system libraries that Qt needs."""

import socket
from pathlib import Path

import pytest

from client.api.errors import DisplayError
from client.console.desktop import check_display, check_libraries, has_display
from tests.desktops.desktop import virtual_display


@pytest.mark.parametrize(
    ("environment", "platform", "is_there"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":10.0", "SSH_CONNECTION": "1"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "1"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_there_is_a_display_where_a_user_would_see_a_window(
    environment: dict[str, str], platform: str, is_there: bool
) -> None:
    assert has_display(environment, platform) is is_there


def lacking(*names: str) -> "Loader":
    return Loader(names)


class Loader:
    """Stands in for the system's loader."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        self._missing = missing

    def __call__(self, name: str) -> object:
        if name in self._missing:
            raise OSError(f"{name}: cannot open shared object file")
        return self


def test_missing_libraries_are_named_with_the_command_that_brings_them() -> None:
    with pytest.raises(DisplayError) as caught:
        check_libraries({"DISPLAY": ":0"}, "linux", lacking("libEGL.so.1", "libxcb-cursor.so.0"))
    assert caught.value.remedy == "Install them: sudo apt install libegl1 libxcb-cursor0"


def test_wayland_needs_nothing_of_x11_and_other_systems_nothing_at_all() -> None:
    missing = lacking("libxcb-cursor.so.0")
    check_libraries({"WAYLAND_DISPLAY": "wayland-0"}, "linux", missing)
    check_libraries({}, "darwin", missing)
    with pytest.raises(DisplayError):
        check_libraries({"DISPLAY": ":0"}, "linux", missing)


@pytest.mark.posix
def test_a_display_that_answers_is_one_to_open_windows_on(tmp_path: Path) -> None:
    with virtual_display() as display:
        check_display({"DISPLAY": display})
        check_display({"DISPLAY": display, "WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": str(tmp_path)})
    with pytest.raises(DisplayError, match=f"display {display} does not answer"):
        check_display({"DISPLAY": display})
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        wayland = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": display}
        check_display(wayland)
    with pytest.raises(DisplayError, match="wayland-7"):
        check_display(wayland)


@pytest.mark.parametrize(
    ("environment", "platform"),
    [({}, "darwin"), ({}, "win32"), ({"DISPLAY": ":999", "QT_QPA_PLATFORM": "offscreen"}, "linux")],
)
def test_no_display_is_asked_for_where_windows_need_none(environment: dict[str, str], platform: str) -> None:
    check_display(environment, platform)
