"""Checks of the network: whether a port can be listened on, and whether other peers can reach this computer."""

import ipaddress
import socket
from collections.abc import Sequence

from client.doctor import CheckVerdict, Finding
from client.side_thread import in_thread

_OUTSIDE = ("192.0.2.1", 9)
"""Documentation's own network (RFC 5737): routed like any other address, and nothing is sent there."""
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Addresses between a provider's NAT and its customers (RFC 6598)."""


async def look_at_port(port: int | None) -> Sequence[Finding]:
    """Check the port; ``port``: as the volunteer prefers; None: any that is free."""
    return [await in_thread(lambda: judge_port(port))]


def judge_port(port: int | None) -> Finding:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("0.0.0.0", port or 0))
            listening.listen()
        except OSError as error:
            return Finding(
                "Port",
                CheckVerdict.WARNING,
                f"Port {port or 'of any number'} cannot be opened: {error.strerror}.",
                "This is fine while Idlebrush trains and uses the port. Otherwise choose another: `idlebrush "
                "prefs set listening-port auto`.",
            )
    which = f"Port {port}" if port else "A free port"
    return Finding("Port", CheckVerdict.OK, f"{which} can be opened.")


async def look_at_address() -> Sequence[Finding]:
    return [judge_address(await in_thread(outgoing_address))]


def outgoing_address() -> str | None:
    """Return the address that this computer's packets leave from, or None if it has no way to the Internet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def judge_address(address: str | None) -> Finding:
    if address is None:
        return Finding(
            "Network",
            CheckVerdict.PROBLEM,
            "This computer has no connection to the Internet.",
            "Connect it. Training then continues by itself.",
        )
    parsed = ipaddress.ip_address(address)
    if not (parsed.is_private or parsed in _SHARED):
        return Finding(
            "Network",
            CheckVerdict.OK,
            f"The address of this computer, {address}, can be reached from the Internet.",
        )
    return Finding(
        "Network",
        CheckVerdict.OK,
        f"This computer is behind a router or a container (address {address}). It reaches other "
        "peers; they reach it if the router opens a port (UPnP), or through a relay.",
        "To help the swarm more, forward the port of the preference listening-port to this computer "
        "in the router.",
    )
