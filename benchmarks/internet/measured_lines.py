"""Measures the lines of an emulated Internet before it is used, and refuses one that is not as described.

Each home measures its line to a rented server, all homes at the same time: the backbone has no limit of its own.
Rates are in Mbit/s of data, so headers of TCP and IP take 1 to 4 % of them. Round trips are those of the idle line.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

from benchmarks.internet.emulation import EmulatedInternet, EmulationError
from benchmarks.internet.probe import ProbeResult, measured_from, served
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from benchmarks.measuring.report import rounded

SECONDS = 3.0
"""Seconds of a measurement before a run, each way; with TCP's beginning that is about ten seconds in all."""
_LEAST, _MOST = 0.75, 1.25
"""Shares of a described rate between which a measured one has to lie."""
_LEAST_OF_LOSSY = 0.25
"""Least share of what TCP gets where packets are lost: chance decides much in a few seconds."""
_LATE_SECONDS = 0.03
"""Longest time by which a busy machine may answer late; half of a long round trip is allowed as well."""


@dataclass(frozen=True)
class MeasuredLine:
    """The line of a site, as it is described and as it was found."""

    site: EmulatedSite
    found: ProbeResult

    def row(self) -> dict[str, Any]:
        """Return what was found, beside the description."""
        line, found = self.site.line, self.found
        return {
            "home": self.site.name,
            "router": str(self.site.router),
            "loss": line.loss,
            "round_trip_ms": rounded(1000 * found.round_trip, 3),
            "round_trip_of_described": rounded(found.round_trip / line.delay, 3) if line.delay else None,
            "down": rounded(found.down, 3),
            "down_of_described": rounded(found.down / line.down, 3) if line.down else None,
            "up": rounded(found.up, 3),
            "up_of_described": rounded(found.up / line.up, 3) if line.up else None,
        }

    def faults(self) -> Iterator[str]:
        """Yield what is far off the description, in words."""
        line, found = self.site.line, self.found
        longest = 1.5 * line.delay + 2 * line.jitter + _LATE_SECONDS
        if not 0.98 * line.delay <= found.round_trip <= longest:
            yield f"a round trip of {1000 * found.round_trip:.0f} ms instead of {1000 * line.delay:.0f}"
        for way, described, seen in (("down", line.down, found.down), ("up", line.up, found.up)):
            if described is not None and not _least(line, described) <= seen <= _MOST * described:
                yield f"{seen:.3g} Mbit/s {way} instead of {described:g}"


def measured_lines(internet: EmulatedInternet) -> list[dict[str, Any]]:
    """Measure all lines of a running ``internet``, and return a row for each, for the settings of a result.

    Raises EmulationError if the throughput or the round trip of a line is far off its description: what is measured
    there says nothing of such lines.
    """
    lines = measure(internet, SECONDS)
    require_described(lines)
    return [line.row() for line in lines]


def measure(internet: EmulatedInternet, seconds: float) -> list[MeasuredLine]:
    """Measure each home's line for that many ``seconds`` each way."""
    server = internet.computer(server_of(internet.topology))
    sites = [site for site in internet.topology.sites if not _is_rented(site)]
    with served(server), ThreadPoolExecutor(len(sites)) as measuring:
        found = measuring.map(
            lambda site: measured_from(internet.computer(site.name), server.address, seconds), sites
        )
        return [MeasuredLine(*item) for item in zip(sites, found, strict=True)]


def server_of(topology: Topology) -> str:
    """Return the name of the rented server to which lines are measured; raises EmulationError if there is none."""
    for site in topology.sites:
        if _is_rented(site):
            return site.name
    raise EmulationError(
        "Lines are measured to a rented server, and there is none.",
        "Describe a site without a router and without a line.",
    )


def _is_rented(site: EmulatedSite) -> bool:
    return site.router is Router.NONE and site.line == SiteLine()


def require_described(lines: Sequence[MeasuredLine]) -> None:
    """Raise EmulationError if one of the ``lines`` was found far off its description."""
    faults = [f"{line.site.name} has {fault}" for line in lines for fault in line.faults()]
    if faults:
        raise EmulationError(
            f"The emulated lines are not as described: {'; '.join(faults)}.",
            "Let nothing else run on this machine, or describe fewer homes or slower lines.",
        )


def _least(line: SiteLine, described: float) -> float:
    """Return the least Mbit/s of TCP at a ``described`` rate: where packets are lost, TCP takes less than there is.

    It then gets about one packet a round trip, times the square root of 1.5 packets for each that is lost.
    """
    if not line.loss:
        return _LEAST * described
    delay = line.delay + line.jitter + _LATE_SECONDS
    return _LEAST_OF_LOSSY * min(described, line.mtu * 8e-6 / delay * sqrt(1.5 / line.loss))
