"""The emulated Internet behaves as described: lines, routers, cuts and new addresses; and nothing of it stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from benchmarks.internet.emulation import (
    EmulatedComputer,
    EmulatedInternet,
    EmulationError,
    exit_on_termination,
    undisturbed,
    why_unsupported,
)
from benchmarks.internet.probe import measured_from, served
from benchmarks.internet.topology import EmulatedSite, Ip6, Router, SiteLine, Topology
from tests.processes.process_tree import command_line
from tests.waiting import wait_until

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
ORDINARY = SiteLine(down=20, up=5, delay=0.05)
POOR = SiteLine(down=2, up=0.5, delay=0.3, loss=0.01)
TOPOLOGY = Topology(
    sites=(
        EmulatedSite(name="server", router=Router.NONE),
        EmulatedSite(name="home", line=ORDINARY, computers=2),
        EmulatedSite(name="other", line=ORDINARY, router=Router.SYMMETRIC),
        EmulatedSite(name="far", line=POOR, router=Router.DOUBLE),
        EmulatedSite(name="closed", router=Router.DOUBLE, ip6=Ip6.CLOSED),
        EmulatedSite(name="open", ip6=Ip6.OPEN),
    )
)
LISTEN = """
import socket
with socket.create_server(("::", 7008), family=socket.AF_INET6, dualstack_ipv6=True) as server:
    print("ready", flush=True)
    while True:
        connection, (host, port, *_) = server.accept()
        host = host.removeprefix("::ffff:")
        connection.sendall(f"{host} {port}".encode())
        connection.close()
"""
ASK = """
import socket, sys
with socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET) as asking:
    asking.settimeout(float(sys.argv[2]))
    asking.bind(("", int(sys.argv[3])))
    asking.connect((sys.argv[1], 7008))
    print(asking.recv(100).decode())
"""


@pytest.fixture(scope="module")
def internet() -> Iterator[EmulatedInternet]:
    with EmulatedInternet(TOPOLOGY) as running:
        yield running


@pytest.fixture(scope="module")
def server(internet: EmulatedInternet) -> Iterator[EmulatedComputer]:
    computer = internet.computer("server")
    with served(computer), listening(computer):
        yield computer


@contextmanager
def listening(computer: EmulatedComputer) -> Iterator[None]:
    """Tell each caller of ``computer`` the address and the port that it calls from."""
    process = computer.start((sys.executable, "-c", LISTEN))
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.communicate()


def seen_from(
    computer: EmulatedComputer, host: str, *, port: int = 0, seconds: float = 10.0
) -> tuple[str, int]:
    """The address and port that ``host`` sees of a computer which calls from ``port``; 0 takes any."""
    output = computer.run(sys.executable, "-c", ASK, host, str(seconds), str(port))
    address, seen = output.split()
    return address, int(seen)


@pytest.mark.parametrize(
    ("site", "down", "up", "delay", "least"),
    [
        ("home", 20, 5, 0.05, 0.8),
        ("far", 2, 0.5, 0.3, 0.25),
    ],  # where packets are lost, TCP takes less than there is
)
def test_a_line_has_its_rates_and_its_delay(
    internet: EmulatedInternet,
    server: EmulatedComputer,
    site: str,
    down: float,
    up: float,
    delay: float,
    least: float,
) -> None:
    found = measured_from(internet.computer(site), server.address, 4.0)
    assert delay <= found.round_trip < delay + 1.0
    assert least * up < found.up < 1.2 * up  # a busy machine measures roughly: the benchmark is for that
    assert least * down < found.down < 1.2 * down


def test_a_home_is_seen_by_the_address_of_its_router_and_reached_by_nobody(
    internet: EmulatedInternet, server: EmulatedComputer
) -> None:
    computer = internet.computer("home")
    public = internet.site("home").addresses.public
    assert seen_from(computer, server.address)[0] == public
    with listening(computer):
        assert seen_from(internet.computer("home", 2), computer.address)[0] != public
        for address in (public, computer.address):
            with pytest.raises(EmulationError, match=r"timed out|unreachable"):
                seen_from(server, address, seconds=2.0)


def test_routers_map_ports_as_they_are_described(
    internet: EmulatedInternet, server: EmulatedComputer
) -> None:
    kept = [seen_from(internet.computer("home"), server.address, port=port)[1] for port in (4001, 4002)]
    drawn = [seen_from(internet.computer("other"), server.address, port=port)[1] for port in (4001, 4002)]
    assert kept == [4001, 4002]
    assert drawn != [4001, 4002]
    assert seen_from(internet.computer("far"), server.address)[0] == internet.site("far").addresses.public


def test_nothing_passes_a_line_that_is_cut_until_it_is_mended(
    internet: EmulatedInternet, server: EmulatedComputer
) -> None:
    computer = internet.computer("home")
    internet.cut("home")
    try:
        with pytest.raises(EmulationError, match="timed out"):
            seen_from(computer, server.address, seconds=2.0)
    finally:
        internet.cut("home", False)
    assert seen_from(computer, server.address)[0] == internet.site("home").addresses.public


def test_a_home_gets_another_address(internet: EmulatedInternet, server: EmulatedComputer) -> None:
    computer, old = internet.computer("home"), internet.site("home").addresses.public
    internet.change_address("home", "11.0.9.9")
    try:
        assert seen_from(computer, server.address)[0] == "11.0.9.9"
        with pytest.raises(EmulationError, match="has the address"):
            internet.change_address("other", "11.0.9.9")
    finally:
        internet.change_address("home", old)
    assert seen_from(computer, server.address)[0] == old


def test_by_ip6_a_home_is_reached_if_its_router_lets_all_in(internet: EmulatedInternet) -> None:
    closed, opened = internet.computer("closed"), internet.computer("open")
    (own,), (other,) = (internet.site(name).addresses.computers6 for name in ("closed", "open"))
    with listening(opened), listening(closed):
        assert seen_from(closed, other)[0] == own, "no router translates it"
        with pytest.raises(EmulationError, match="timed out"):
            seen_from(opened, own, seconds=2.0)


def test_a_computer_is_carried_to_another_home(internet: EmulatedInternet, server: EmulatedComputer) -> None:
    moving = internet.computer("home", 2)
    public = internet.carry(moving, "open", 0.0)
    assert public == internet.site("open").addresses.public
    assert seen_from(moving, server.address)[0] == public
    with listening(moving):
        assert seen_from(internet.computer("open"), "192.168.15.200")[0] == "192.168.15.100", "one network"


def test_a_line_becomes_another(internet: EmulatedInternet, server: EmulatedComputer) -> None:
    computer = internet.computer("other")
    internet.change_line("other", SiteLine(down=4, up=1, delay=0.2))
    try:
        found = measured_from(computer, server.address, 3.0)
        assert found.round_trip >= 0.2
        assert found.up < 1.2
        assert found.down < 4.8
    finally:
        internet.change_line("other", ORDINARY)


def test_nothing_stays_behind() -> None:
    before = forwarders()
    with EmulatedInternet(Topology(sites=(EmulatedSite(name="home"), EmulatedSite(name="away")))) as internet:
        names = set(internet.layout.namespaces)
        running = internet.computer("home").start(("sleep", "600"))
        assert names <= set(namespaces())
    assert not names & set(namespaces())
    assert running.wait(10) != 0
    wait_until(lambda: forwarders() == before, "a forwarder is left")


def test_nothing_stays_behind_a_benchmark_that_is_terminated(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "benchmarks.internet.lines", "--homes", "1", "--out", str(tmp_path))
    with subprocess.Popen(command) as running:
        (internet,) = first_internet(running.pid)
        running.terminate()
        assert running.wait(60) == 128 + signal.SIGTERM
    assert not [name for name in namespaces() if name.startswith(internet)]


def test_a_program_ends_only_after_it_has_removed_what_it_built() -> None:
    before, removed = signal.getsignal(signal.SIGTERM), []

    def remove() -> None:
        with undisturbed():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)
            removed.append("all")

    try:
        exit_on_termination()
        with pytest.raises(SystemExit):
            remove()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert removed == ["all"]


def first_internet(pid: int) -> set[str]:
    """Return what the first look that finds something has found: programs come and go."""
    found: set[str] = set()

    def look() -> bool:
        found.update(internets_of(pid))
        return bool(found)

    wait_until(look, "no program runs on an emulated computer")
    return found


def internets_of(pid: int) -> set[str]:
    """The beginnings of the names of namespaces in which the process ``pid`` has children."""
    found = set()
    for child in psutil.Process(pid).children(recursive=True):
        named = subprocess.run(
            ("ip", "netns", "identify", str(child.pid)), capture_output=True, text=True, check=False
        )
        found.add(named.stdout.strip().partition("-")[0])
    return found - {""}


def namespaces() -> list[str]:
    listed = subprocess.run(("ip", "netns", "list"), capture_output=True, text=True, check=True)
    return [line.split()[0] for line in listed.stdout.splitlines()]


def forwarders() -> set[int]:
    """The ids of this process's children that forward packets."""
    children = psutil.Process().children()
    return {child.pid for child in children if "benchmarks.internet.forwarder" in command_line(child)}
