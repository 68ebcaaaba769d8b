"""The options by which a command takes a description of an emulated Internet, and the topology that they describe."""

import argparse
from pathlib import Path

from benchmarks.internet.line_options import add_line_options, line_of
from benchmarks.internet.topology import EmulatedSite, Router, Topology, TopologyError, homes, seconds

SERVER = "server"
"""Name of the rented server."""


def add_topology_options(parser: argparse.ArgumentParser, count: int) -> None:
    """Add to ``parser`` the homes, ``count`` of them by default, their lines and routers, or a file of all of it."""
    parser.add_argument(
        "--topology", type=Path, help="a file of sites, one of them named server; replaces homes and lines"
    )
    parser.add_argument("--homes", type=int, default=count)
    add_line_options(parser)
    parser.add_argument("--jitter", default="0ms", help="largest further delay of a packet each way")
    parser.add_argument("--loss", type=float, default=0.0, help="share of the packets that are lost each way")
    parser.add_argument("--router", choices=list(Router), default=Router.NAT, help="that of each home")
    parser.add_argument(
        "--nat", dest="router", action="store_const", const=Router.NAT, help="the same as --router nat"
    )


def topology_of(given: argparse.Namespace) -> Topology:
    """Return the topology that the options describe; raises TopologyError if it makes no sense."""
    topology = _homes(given) if given.topology is None else Topology.load(given.topology)
    server = EmulatedSite(name=SERVER, router=Router.NONE)
    if server not in topology.sites or len(topology.sites) < 2:
        raise TopologyError(
            f"Homes need a site named {SERVER}, without a router and with no line described.",
            "Describe it and at least one home.",
        )
    return topology


def _homes(given: argparse.Namespace) -> Topology:
    jitter = seconds(given.jitter)
    try:
        line = line_of(given, jitter=jitter, loss=given.loss)
        return homes(given.homes, line, router=Router(given.router))
    except ValueError as error:
        raise TopologyError(
            f"Such an Internet cannot be emulated: {error}.", "Change the options."
        ) from error
