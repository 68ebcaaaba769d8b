"""Connections to real X servers, one of which asks for a cookie."""

import asyncio
import socket
import struct
import subprocess
from pathlib import Path

import pytest

from client.api.errors import DisplayError
from client.machine.display.x11 import X11Connection
from client.machine.display.x11_setup import DisplayName, cookie_for
from tests.desktops.desktop import x_server

COOKIE = bytes(range(16))


def authority(*entries: tuple[str, str, bytes], family: int = 256) -> bytes:
    """An authority file with a host, a display's number and a cookie for each."""
    contents = b""
    for host, number, cookie in entries:
        contents += struct.pack(">H", family)
        for field in (host.encode(), number.encode(), b"MIT-MAGIC-COOKIE-1", cookie):
            contents += struct.pack(">H", len(field)) + field
    return contents


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (":0", DisplayName("", 0)),
        (":12.1", DisplayName("", 12)),
        ("unix:3", DisplayName("", 3)),
        ("localhost:10.0", DisplayName("localhost", 10)),
        ("::1:2", DisplayName("::1", 2)),
    ],
)
def test_the_name_of_a_display_is_read(text: str, name: DisplayName) -> None:
    assert DisplayName.parse(text) == name


@pytest.mark.parametrize("text", ["", "0", ":", ":x", "host:", ":-1"])
def test_what_is_no_name_of_a_display_is_refused(text: str) -> None:
    with pytest.raises(DisplayError):
        DisplayName.parse(text)


def test_a_property_of_the_root_window_is_read(xvfb: str) -> None:
    async def body() -> None:
        connection = await X11Connection.open({"DISPLAY": xvfb})
        root = connection.server.root
        assert (await connection.window_property(root, "_XKB_RULES_NAMES")).startswith(b"evdev\0")
        assert await connection.window_property(root, "_IDLEBRUSH_HAS_NEVER_SET_THIS") == b""
        await connection.close()

    asyncio.run(body())


def test_many_questions_at_once_find_their_own_answers(xvfb: str) -> None:
    async def body() -> None:
        connection = await X11Connection.open({"DISPLAY": xvfb})
        one, two = await connection.atom("WM_NAME"), await connection.atom("WM_CLASS")
        asked = [connection.extension(name) for name in ("SYNC", "XTEST", "SYNC")]
        sync, test, again = await asyncio.gather(*asked)
        assert (one, two) == (39, 67), "the protocol says so"
        assert sync == again != test
        await connection.close()

    asyncio.run(body())


def test_what_the_server_refuses_is_an_error_for_who_asked_alone(xvfb: str) -> None:
    async def body() -> None:
        connection = await X11Connection.open({"DISPLAY": xvfb})
        with pytest.raises(DisplayError, match="error 3"):
            await connection.window_property(0x7FFFFFF, "WM_NAME")
        with pytest.raises(DisplayError, match="lacks the extension NONSENSE"):
            await connection.extension("NONSENSE")
        assert await connection.extension("SYNC")
        await connection.close()

    asyncio.run(body())


def test_numbers_of_requests_may_overflow(xvfb: str) -> None:
    async def body() -> None:
        connection = await X11Connection.open({"DISPLAY": xvfb})
        no_operation = struct.pack("<BxH", 127, 1)
        for _ in range(70_000):
            connection.send(no_operation)
        assert await connection.extension("SYNC")
        await connection.close()

    asyncio.run(body())


def test_a_server_that_asks_for_a_cookie_gets_that_of_the_session(tmp_path: Path) -> None:
    path = tmp_path / "authority"
    path.write_bytes(authority((socket.gethostname(), "", COOKIE)))

    async def body(display: str) -> None:
        connection = await X11Connection.open({"DISPLAY": display, "XAUTHORITY": str(path)})
        assert await connection.extension("SYNC")
        await connection.close()
        with pytest.raises(DisplayError, match="refuses us"):
            await X11Connection.open({"DISPLAY": display, "XAUTHORITY": str(tmp_path / "none")})

    with x_server("-auth", str(path)) as (display, _):
        asyncio.run(body(display))


def test_the_cookie_of_this_host_comes_before_others(tmp_path: Path) -> None:
    (tmp_path / ".Xauthority").write_bytes(
        authority(("elsewhere", "0", b"a"), ("here", "1", b"b"), ("here", "0", b"c"))
    )
    assert cookie_for(0, {"HOME": str(tmp_path)}, host="here") == b"c"
    assert cookie_for(0, {"HOME": str(tmp_path)}, host="renamed") == b"a"
    assert cookie_for(7, {"HOME": str(tmp_path)}, host="here") == b""


@pytest.mark.parametrize("length", range(0, 50, 7))
def test_a_damaged_authority_file_is_read_as_far_as_it_goes(tmp_path: Path, length: int) -> None:
    (tmp_path / ".Xauthority").write_bytes(authority(("here", "0", b"a"))[:length])
    assert cookie_for(0, {"HOME": str(tmp_path)}, host="here") in (b"", b"a")


def test_a_lost_server_is_an_error_for_who_waits() -> None:
    async def body(display: str, server: subprocess.Popen[str]) -> None:
        connection = await X11Connection.open({"DISPLAY": display})
        server.terminate()
        await connection.lost.wait()
        with pytest.raises(DisplayError, match="ended"):
            await connection.extension("SYNC")
        await connection.close()

    with x_server() as (display, server):
        asyncio.run(body(display, server))
