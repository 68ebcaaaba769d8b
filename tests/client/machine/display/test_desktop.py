"""Full-screen windows on a real X server, with a real window manager."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator, Iterator

import pytest

from client.machine.display.desktop import Desktop
from client.machine.readings import Known, Reading, Unknown
from tests.desktops.desktop import running, x_server
from tests.waiting import COSTLY, DEADLINE, wait_until

ELSEWHERE = {"XAUTHORITY": "/nonexistent"}


class DisplayScreen:
    """A display with a window manager, and what tests do on it."""

    def __init__(self, display: str) -> None:
        self.environment = {"DISPLAY": display, **ELSEWHERE}

    def read(self, **environment: str) -> Reading[str | None]:
        return asyncio.run(self._read(environment))

    async def _read(self, environment: dict[str, str]) -> Reading[str | None]:
        async with opened(self.environment | environment) as desktop:
            return await desktop.read()

    def run(self, *command: str) -> str:
        environment = {**os.environ, **self.environment}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=DEADLINE
        )
        return done.stdout

    @contextlib.contextmanager
    def window(self) -> Iterator[str]:
        """The id of a window that is in use."""
        with running("display", "-size", "100x100", "xc:red", environment=self.environment):
            search = ("xdotool", "search", "--onlyvisible", "--class", "^display")
            wait_until(lambda: bool(self.run(*search)), "no window comes up", every=COSTLY)
            window = self.run(*search).split()[-1]
            wait_until(
                lambda: self.run("xdotool", "getactivewindow").strip() == window,
                "it is not in use",
                every=COSTLY,
            )
            yield window

    def fill(self, window: str) -> None:
        self.run("wmctrl", "-i", "-r", window, "-b", "add,fullscreen")
        wait_until(
            lambda: "FULLSCREEN" in self.run("xprop", "-id", window, "_NET_WM_STATE"),
            "it is not full-screen",
            every=COSTLY,
        )


@contextlib.asynccontextmanager
async def opened(environment: dict[str, str]) -> AsyncIterator[Desktop]:
    desktop = Desktop(environment)
    try:
        yield desktop
    finally:
        await desktop.close()


@pytest.fixture
def screen(xvfb: str) -> Iterator[DisplayScreen]:
    screen = DisplayScreen(xvfb)
    with running("openbox", "--config-file", "/dev/null", environment=screen.environment):
        wait_until(
            lambda: "window id" in screen.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"),
            "no manager",
            every=COSTLY,
        )
        yield screen


def test_a_full_screen_window_is_seen_while_it_is_one(screen: DisplayScreen) -> None:
    source = "X11 window manager"
    assert screen.read() == Known(None, source)
    with screen.window() as window:
        assert screen.read() == Known(None, source)
        screen.fill(window)
        name = screen.run("xprop", "-id", window, "WM_CLASS").split('"')[-2]
        assert screen.read() == Known(name, source)
        assert screen.read(WAYLAND_DISPLAY="wayland-0") == Known(name, source), "a game on Xwayland"
    wait_until(lambda: screen.read() == Known(None, source), "it is still seen")


def test_a_window_without_a_class_has_the_name_of_its_process(screen: DisplayScreen) -> None:
    source = "X11 window manager"
    with screen.window() as window, running("sleep", "60") as sleeper:
        screen.fill(window)
        screen.run("xprop", "-id", window, "-remove", "WM_CLASS")
        assert screen.read() == Known("an application", source)
        for pid, name in ((sleeper.pid, "sleep"), (1 << 30, "an application")):
            screen.run("xprop", "-id", window, "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", str(pid))
            assert screen.read() == Known(name, source)


@pytest.mark.parametrize("variables", [{"WAYLAND_DISPLAY": "wayland-0"}, {"XDG_SESSION_TYPE": "wayland"}])
def test_on_wayland_no_full_screen_window_means_nothing(
    screen: DisplayScreen, variables: dict[str, str]
) -> None:
    reading = screen.read(**variables)
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("No Wayland compositor answers")


def test_without_a_window_manager_it_is_unknown(xvfb: str) -> None:
    reading = DisplayScreen(xvfb).read()
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("The window manager does not say")


def test_without_a_display_it_is_unknown() -> None:
    reading = asyncio.run(Desktop({}).read())
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("The client was started outside of a desktop session")


def test_a_lost_display_is_unknown_until_it_is_there_again() -> None:
    async def body() -> None:
        with contextlib.ExitStack() as life:
            display, server = life.enter_context(x_server())
            async with opened({"DISPLAY": display, **ELSEWHERE}) as desktop:
                before = await desktop.read()
                assert isinstance(before, Unknown)
                assert before.why.startswith("The window manager does not say")
                server.terminate()
                await asyncio.to_thread(server.wait, DEADLINE)
                gone = await desktop.read()
                assert isinstance(gone, Unknown)
                assert "display" in gone.why
                assert await desktop.read() == Unknown(f"The display {display} does not answer.")
                with running("Xvfb", display, "-nolisten", "tcp", "-noreset"):
                    async with asyncio.timeout(DEADLINE):
                        while await desktop.read() != before:
                            await asyncio.sleep(0.05)

    asyncio.run(body())
