"""Lines of an emulated Internet as TCP finds them, compared with their description.

Each home measures its line to the rented server, all homes at the same time: the backbone has no limit of its own.
Rates are in Mbit/s of data, so headers of TCP and IP take 1 to 4 % of them; where packets are lost, TCP itself takes
less than there is. Round trips are those of the idle line, in milliseconds.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.internet.emulation import EmulatedInternet, exit_on_termination
from benchmarks.internet.line_options import add_line_options, line_of
from benchmarks.internet.probe import ProbeResult, measured_from, served
from benchmarks.internet.topology import EmulatedSite, Router, Topology, TopologyError, homes, seconds
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded

_SERVER = "server"


def measure(topology: Topology, each_seconds: float) -> list[dict[str, Any]]:
    """Return a row for each home of ``topology``, measured for that many seconds each way."""
    with EmulatedInternet(topology) as internet:
        server = internet.computer(_SERVER)
        sites = [site for site in topology.sites if site.name != _SERVER]
        with served(server), ThreadPoolExecutor(len(sites)) as measuring:
            found = list(
                measuring.map(
                    lambda site: measured_from(internet.computer(site.name), server.address, each_seconds),
                    sites,
                )
            )
    return [_row(site, result) for site, result in zip(sites, found, strict=True)]


def _row(site: EmulatedSite, found: ProbeResult) -> dict[str, Any]:
    line = site.line
    return {
        "home": site.name,
        "router": str(site.router),
        "loss": line.loss,
        "round_trip_ms": rounded(1000 * found.round_trip, 3),
        "round_trip_of_described": rounded(found.round_trip / line.delay, 3) if line.delay else None,
        "down": rounded(found.down, 3),
        "down_of_described": rounded(found.down / line.down, 3) if line.down else None,
        "up": rounded(found.up, 3),
        "up_of_described": rounded(found.up / line.up, 3) if line.up else None,
    }


def _topology(given: argparse.Namespace) -> Topology:
    """Return the topology that was asked for; raises TopologyError if it makes no sense."""
    topology = _homes(given) if given.topology is None else Topology.load(given.topology)
    server = EmulatedSite(name=_SERVER, router=Router.NONE)
    if server not in topology.sites or len(topology.sites) < 2:
        raise TopologyError(
            f"Homes are measured against a site named {_SERVER}, without a router and with no line described.",
            "Describe it and at least one home.",
        )
    return topology


def _homes(given: argparse.Namespace) -> Topology:
    try:
        line = line_of(given, jitter=seconds(given.jitter), loss=given.loss)
        return homes(given.homes, line, router=Router(given.router))
    except ValueError as error:
        raise TopologyError(
            f"Such an Internet cannot be emulated: {error}.", "Change the options."
        ) from error


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.internet", description=__doc__)
    parser.add_argument(
        "--topology", type=Path, help="a file of sites, one of them named server; replaces the rest"
    )
    parser.add_argument("--homes", type=int, default=8)
    add_line_options(parser)
    parser.add_argument("--jitter", default="0ms", help="largest further delay of a packet each way")
    parser.add_argument("--loss", type=float, default=0.0, help="share of the packets that are lost each way")
    parser.add_argument("--router", choices=list(Router), default=Router.NAT)
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds of each measurement, each way")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Measure the lines, print them, and save them as ``internet_lines.json``."""
    given = _parsed(words)
    exit_on_termination()
    report = BenchmarkReport("internet_lines", __doc__ or "")
    with reporting_errors():
        topology = _topology(given)
        rows = measure(topology, given.seconds)
    report.write(rows, folder=given.out, seconds=given.seconds, topology=topology.model_dump(mode="json"))


if __name__ == "__main__":
    main()
