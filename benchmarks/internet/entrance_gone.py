"""A home whose swarm has lost its only entrance for minutes, or an hour, finds it again, and so does a newcomer.

For each length of time there is an entrance on a rented server, and a home behind a router that has entered by it.
The entrance is killed with all of its processes, and started again with its identity at its address. `back_seconds`
pass from then until the home has it as a neighbour in the DHT again. A second home enters then for the first time;
`met_seconds` pass from the start of its node until it reads the first home's contact in the DHT. Nobody trains.
`lines` are what was measured of each line just before.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.internet.emulation import EmulatedComputer, EmulatedInternet, exit_on_termination
from benchmarks.internet.measured_lines import measured_lines
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.swarm.dht import Network, start_dht
from core.swarm.neighbours import knows_others
from core.swarm.reach.contacts import OwnContact
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import contact_key
from tests.swarms.networked_process import NetworkedProcess, serve

_PORT = 31_330
_LOOK_SECONDS = 2.0
_BACK_SECONDS = 300.0
"""Longest wait until all is as before."""
_LINE = SiteLine(down=20, up=5, delay=0.05)


def live(there: Connection, identity: Path, entrances: list[str], own: OwnContact) -> None:
    """Be a home until the other side ends; sends whether the swarm is in reach and the contacts, at each change."""
    network = Network(
        (f"/ip4/0.0.0.0/tcp/{_PORT}",), tuple(entrances), client_mode=True, upnp=False, contact=own
    )
    dht = start_dht(network, PeerIdentity.load_or_create(identity), prefix="tiny", total_epochs=9)
    before = None
    try:
        while not there.poll(_LOOK_SECONDS):
            found = dht.get(contact_key("tiny"), latest=True)
            now = (dht.run_coroutine(_knows_others), len(found.value) if found else 0)
            if now != before:
                there.send(before := now)
    finally:
        dht.shutdown()


async def _knows_others(_: object, node: Any) -> bool:
    return knows_others(node)


def _seconds_until(home: NetworkedProcess[tuple[bool, int]], contacts: int) -> float | None:
    """Wait until a home has a neighbour and sees ``contacts`` contacts; None if it never does."""
    began = time.monotonic()
    while home.has_result(max(0.0, began + _BACK_SECONDS - time.monotonic())):
        in_reach, seen = home.result()
        if in_reach and seen >= contacts:
            return rounded(time.monotonic() - began, 3)
    return None


def row_of(internet: EmulatedInternet, folder: Path, number: int, minutes: float) -> dict[str, Any]:
    """Return what happened at the entrance with that ``number``, which was gone for ``minutes`` minutes."""

    def home(name: str) -> NetworkedProcess[tuple[bool, int]]:
        own = OwnContact(direct=False)
        computer = internet.computer(f"{name}{number}")
        return NetworkedProcess(computer, live, folder / f"{name}{number}", entrances, own)

    with ExitStack() as stack:
        first = _entrance(internet.computer(f"server{number}"), folder / f"server{number}")
        entrances = first.result()
        old = stack.enter_context(home("old"))
        entered = _seconds_until(old, contacts=1)
        first.kill()
        time.sleep(60 * minutes)
        lost = _was_lost(old)
        again = stack.enter_context(
            _entrance(internet.computer(f"server{number}"), folder / f"server{number}")
        )
        again.result()
        back = _seconds_until(old, contacts=1)
        met = _seconds_until(stack.enter_context(home("new")), contacts=2)
    return {
        "minutes": minutes,
        "entered_seconds": entered,
        "noticed": lost,
        "back_seconds": back,
        "met_seconds": met,
    }


def _entrance(computer: EmulatedComputer, identity: Path) -> NetworkedProcess[list[str]]:
    return NetworkedProcess(computer, serve, identity, _PORT)


def _was_lost(home: NetworkedProcess[tuple[bool, int]]) -> bool:
    """Return true if the last that a home said is that the swarm is out of reach."""
    in_reach = True
    while home.has_result(0.0):
        in_reach, _ = home.result()
    return not in_reach


def main(words: Sequence[str] | None = None) -> None:
    """Run all lengths at the same time, print what happened, and save it as ``entrance_gone.json``."""
    parser = argparse.ArgumentParser("python -m benchmarks.internet.entrance_gone", description=__doc__)
    parser.add_argument("--minutes", type=float, nargs="+", default=[1.0, 16.0, 33.0, 62.0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    exit_on_termination()
    report = BenchmarkReport("entrance_gone", __doc__ or "")
    rows: dict[int, dict[str, Any]] = {}
    with reporting_errors(), tempfile.TemporaryDirectory(prefix="ib") as folder:
        sites = [_sites(number) for number in range(len(given.minutes))]
        with EmulatedInternet(Topology(sites=tuple(site for some in sites for site in some))) as internet:
            lines = measured_lines(internet)

            def watch(number: int, minutes: float) -> None:
                rows[number] = row_of(internet, Path(folder), number, minutes)
                report.show([rows[number]])

            threads = [threading.Thread(target=watch, args=item) for item in enumerate(given.minutes)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    report.write([rows[number] for number in sorted(rows)], folder=given.out, lines=lines)


def _sites(number: int) -> tuple[EmulatedSite, ...]:
    entrance = EmulatedSite(name=f"server{number}", router=Router.NONE)
    return (entrance, *(EmulatedSite(name=f"{name}{number}", line=_LINE) for name in ("old", "new")))


if __name__ == "__main__":
    main()
