"""Checks of the network: whether a port can be listened on, and whether other peers can reach this computer."""

import socket
from collections.abc import Sequence

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError
from client.api.questions import GetStatus
from client.api.snapshot import ReachView
from client.doctor import CheckVerdict, Finding
from client.paths import Paths
from client.side_thread import in_thread

_OUTSIDE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of documentation's own networks (RFC 5737, RFC 3849): they are routed like others, and get no packets."""


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
                f"{f'Port {port} cannot' if port else 'No port can'} be opened: {error.strerror}.",
                "This is fine while Idlebrush trains and uses the port. Otherwise choose another: `idlebrush "
                "prefs set listening-port auto`.",
            )
    which = f"Port {port}" if port else "A free port"
    return Finding("Port", CheckVerdict.OK, f"{which} can be opened.")


async def look_at_reach(paths: Paths) -> Sequence[Finding]:
    """Check how others reach this computer: as its trainer found out, if the daemon of ``paths`` has one."""
    return [judge_reach(*await in_thread(lambda: (outgoing_address(), _reported_reach(paths))))]


def _reported_reach(paths: Paths) -> ReachView | None:
    try:
        with Connection.open(paths.socket) as connection:
            answer = connection.ask(GetStatus(), seconds=5.0)
    except ControlError:  # the check of the daemon reports it
        return None
    return answer.snapshot.reach if isinstance(answer, Status) else None


def outgoing_address() -> str | None:
    """Return the address that this computer's packets leave from, or None if it has no way to the Internet.

    It is one of IPv6 only where there is no way by IPv4.
    """
    for family, outside in _OUTSIDE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((outside, 9))
                return str(probe.getsockname()[0])
        except OSError:  # there is no route, or the system lacks the protocol
            continue
    return None


def judge_reach(address: str | None, reach: ReachView | None) -> Finding:
    """Judge the network by this computer's own ``address``, and by how its trainer found it to be reached."""
    if address is None:
        return Finding(
            "Network",
            CheckVerdict.PROBLEM,
            "This computer has no connection to the Internet.",
            "Connect it. Training then continues by itself.",
        )
    if reach is None:
        return Finding(
            "Network",
            CheckVerdict.OK,
            f"This computer is connected (address {address}). Whether other peers can connect to it is found out "
            "when training starts.",
        )
    verdict = CheckVerdict.WARNING if reach.remedy else CheckVerdict.OK
    return Finding("Network", verdict, reach.text, reach.remedy)
