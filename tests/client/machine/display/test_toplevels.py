"""Full-screen windows of Wayland: with a real Sway, a real KWin, and messages as tables."""

import asyncio
import contextlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.machine.display.desktop import Desktop
from client.machine.display.toplevels import LACKING, SOURCE, Toplevel, WaylandWindows, full_screen_name
from client.machine.readings import Known, Reading, Unknown
from tests.client.machine.activity.stand_in_compositor import StandInCompositor
from tests.desktops.desktop import Process, first_line, running, wayland_compositor, wlroots_compositor
from tests.waiting import COSTLY, wait_until

TITLE, APP_ID, STATE = 0, 1, 4
ACTIVATED, FULL_SCREEN = 2, 3
SHOWN = """
import sys
from PySide6.QtGui import QGuiApplication, QRasterWindow
app = QGuiApplication([])
app.setDesktopFileName("a-game")
window = QRasterWindow()
window.showFullScreen() if sys.argv[1] == "full" else window.show()
window.activeChanged.connect(lambda: print("in use", flush=True))
app.exec()
"""
Compositor = tuple[dict[str, str], Process]


@pytest.fixture
def sway(tmp_path: Path) -> Iterator[Compositor]:
    with wlroots_compositor(tmp_path) as compositor:
        yield compositor


@contextlib.contextmanager
def window(environment: dict[str, str], extent: str) -> Iterator[None]:
    """A window in use, of a program named a-game: ``full`` for one that fills the screen."""
    own = {**environment, "QT_QPA_PLATFORM": "wayland"}
    with running(sys.executable, "-c", SHOWN, extent, environment=own) as program:
        first_line(program)
        yield


def read(environment: dict[str, str]) -> Reading[str | None]:
    async def body() -> Reading[str | None]:
        desktop = Desktop(environment)
        try:
            return await desktop.read()
        finally:
            await desktop.close()

    return asyncio.run(body())


def test_sway_tells_which_application_fills_the_screen(sway: Compositor) -> None:
    assert read(sway[0]) == Known(None, SOURCE)
    with window(sway[0], "full"):
        wait_until(lambda: read(sway[0]) == Known("a-game", SOURCE), "it is never seen", every=COSTLY)
    wait_until(lambda: read(sway[0]) == Known(None, SOURCE), "it is still seen", every=COSTLY)


def test_windows_are_followed_over_one_connection(sway: Compositor) -> None:
    async def body() -> None:
        windows = WaylandWindows(sway[0])
        assert await windows.read() == Known(None, SOURCE)
        for _ in range(2):
            with window(sway[0], "full"):
                await until(windows, Known("a-game", SOURCE))
            await until(windows, Known(None, SOURCE))
        await windows.close()

    asyncio.run(body())


async def until(windows: WaylandWindows, expected: Reading[str | None]) -> None:
    """Wait for a reading of the windows."""
    async with asyncio.timeout(60):
        while await windows.read() != expected:
            await asyncio.sleep(0.05)


def test_a_window_in_use_that_leaves_room_for_others_fills_no_screen(sway: Compositor) -> None:
    async def body() -> None:
        windows = WaylandWindows(sway[0])
        with window(sway[0], "usual"):
            assert await windows.read() == Known(None, SOURCE)
        await windows.close()

    asyncio.run(body())


def test_a_compositor_that_ends_is_unknown(sway: Compositor) -> None:
    async def body() -> None:
        windows = WaylandWindows(sway[0])
        assert await windows.read() == Known(None, SOURCE)
        sway[1].kill()
        await asyncio.to_thread(sway[1].wait)
        reading = await windows.read()
        assert isinstance(reading, Unknown)
        assert "Wayland compositor" in reading.why
        await windows.close()

    asyncio.run(body())


def test_kwin_does_not_tell(tmp_path: Path) -> None:
    with wayland_compositor(tmp_path) as (environment, _):
        assert read(environment) == LACKING


def test_the_first_version_of_the_protocol_does_not_tell(tmp_path: Path) -> None:
    async def body() -> None:
        async with StandInCompositor.running(tmp_path, {"zwlr_foreign_toplevel_manager_v1": 1}) as compositor:
            windows = WaylandWindows(compositor.environment)
            assert await windows.read() == LACKING
            await windows.close()

    asyncio.run(body())


def text(words: str) -> bytes:
    """A text as an argument of the protocol."""
    data = words.encode() + b"\0"
    return struct.pack("<I", len(data)) + data + bytes(-len(data) % 4)


def states(*numbers: int) -> bytes:
    """States as an argument of the protocol."""
    return struct.pack(f"<I{len(numbers)}I", 4 * len(numbers), *numbers)


@pytest.mark.parametrize(
    ("events", "name"),
    [
        ([], None),
        ([(STATE, states(FULL_SCREEN))], None),
        ([(STATE, states(ACTIVATED))], None),
        ([(STATE, states(ACTIVATED, FULL_SCREEN))], "an application"),
        ([(STATE, states(0, ACTIVATED, FULL_SCREEN)), (TITLE, text("Chess"))], "Chess"),
        (
            [(TITLE, text("Chess")), (STATE, states(ACTIVATED, FULL_SCREEN)), (APP_ID, text("org.chess"))],
            "org.chess",
        ),
        ([(STATE, states(ACTIVATED, FULL_SCREEN)), (STATE, states())], None),
        ([(STATE, states(ACTIVATED, FULL_SCREEN)), (APP_ID, text("é" * 200))], "é" * 99 + "…"),
    ],
)
def test_a_window_fills_the_screen_if_it_is_in_use_and_full(
    events: list[tuple[int, bytes]], name: str | None
) -> None:
    described = Toplevel()
    for event, arguments in events:
        described = described.after(event, arguments)
    assert full_screen_name([Toplevel(), described]) == name


@pytest.mark.parametrize("arguments", [b"", b"\1\0", struct.pack("<I", 5) + b"\0\0\0\0\0"])
def test_states_that_are_cut_off_are_an_error_that_ends_the_connection(arguments: bytes) -> None:
    with pytest.raises(struct.error):
        Toplevel().after(STATE, arguments)
