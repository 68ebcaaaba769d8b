"""The options by which a command takes a description of its homes' line, and the line that they describe."""

import argparse

from benchmarks.internet.topology import SiteLine, seconds


def add_line_options(parser: argparse.ArgumentParser) -> None:
    """Add to ``parser`` the rates and the round trip of a home's line; the defaults are a common line's."""
    parser.add_argument("--down", type=float, default=20.0, help="Mbit/s to a home")
    parser.add_argument("--up", type=float, default=5.0, help="Mbit/s from a home")
    parser.add_argument("--delay", default="50ms", help="round trip between a home and the backbone")


def line_of(given: argparse.Namespace, *, jitter: float = 0.0, loss: float = 0.0) -> SiteLine:
    """Return the line that the options of `add_line_options` describe.

    ``jitter`` (in seconds) and ``loss`` (a share of the packets) are the line's own. Raises TopologyError if the
    delay is no duration, and ValueError if there can be no such line.
    """
    return SiteLine(down=given.down, up=given.up, delay=seconds(given.delay), jitter=jitter, loss=loss)
