"""Bytes of a computer are counted by transport, and the busiest ten seconds by the rate that they really had."""

import sys

import pytest

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.paced.passed_bytes import BusiestWindow, count_transports, transports_of
from benchmarks.internet.topology import SiteLine, homes

HINDRANCE = why_unsupported()
BYTES = 20_000
RECEIVE = """
import socket
with socket.create_server(("0.0.0.0", 4001)) as server:
    print("ready", flush=True)
    connection, _ = server.accept()
    while connection.recv(65536):
        pass
"""
SEND = f"""
import socket, sys
with socket.create_connection((sys.argv[1], 4001)) as there:
    there.sendall(bytes({BYTES}))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
    for _ in range(10):
        udp.sendto(bytes(1000), (sys.argv[1], 4002))
"""


def noted(seconds: list[float], rate: int) -> BusiestWindow:
    """Return a window that saw ``rate`` bytes a second down, and half of them up, at those times."""
    window = BusiestWindow()
    for now in seconds:
        window.note(now, round(now * rate), round(now * rate / 2))
    return window


@pytest.mark.parametrize("pause", [1.0, 1.25])
def test_late_looks_do_not_make_a_computer_busier(pause: float) -> None:
    assert noted([100 + pause * look for look in range(12)], 4000).most == (40_000, 20_000)


def test_less_than_ten_seconds_are_no_window() -> None:
    assert noted([100.0 + look for look in range(10)], 4000).most == (0, 0)


def test_the_busiest_window_stays() -> None:
    window = noted([100.0 + look for look in range(11)], 4000)
    for look in range(20):
        window.note(111.0 + look, 440_000, 220_000)
    assert window.most == (40_000, 20_000)


@pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
def test_bytes_are_counted_by_transport_and_way() -> None:
    with EmulatedInternet(homes(1, SiteLine())) as internet:
        home, server = internet.computer("home1"), internet.computer("server")
        receiving = server.start((sys.executable, "-S", "-c", RECEIVE))
        assert receiving.stdout is not None
        assert receiving.stdout.readline() == "ready\n"
        count_transports(home)
        home.run(sys.executable, "-S", "-c", SEND, server.address)
        receiving.communicate()
        counted = transports_of(home)
    assert BYTES < counted["tcp_up"] < 1.2 * BYTES
    assert 0 < counted["tcp_down"] < 0.2 * BYTES
    assert counted["udp_up"] == 10 * (1000 + 28)
    assert counted["udp_down"] == 0
