"""Tells a computer without a route to its swarm from one whose peers do not answer."""

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hivemind.utils.multiaddr import Multiaddr

from core.errors import SwarmError

_FAMILIES = {"ip4": socket.AF_INET, "ip6": socket.AF_INET6}
_ANY_PORT = 9


@contextmanager
def naming_missing_routes(initial_peers: Sequence[str]) -> Iterator[None]:
    """Within the context, add to a SwarmError that there is no route to any of ``initial_peers``, if that is so.

    libp2p only reports that they did not answer. ``initial_peers`` are well-formed multiaddresses.
    """
    try:
        yield
    except SwarmError as error:
        if type(error) is not SwarmError or (reason := missing_route(initial_peers)) is None:
            raise
        raise SwarmError(
            f"{error.what} This computer has no route to any of them ({reason}).",
            "Check this computer's network connection.",
        ) from error


def missing_route(addresses: Sequence[str]) -> str | None:
    """Return why the system has no route to any of ``addresses``, multiaddresses; None if it has one to some.

    No packet is sent. An address that must be looked up by its name counts as one with a route.
    """
    reasons = [_refusal(Multiaddr(address)) for address in addresses]
    return reasons[0] if reasons and all(reasons) else None


def _refusal(address: Multiaddr) -> str | None:
    protocol = next(iter(address.protocols())).name
    family = _FAMILIES.get(protocol)
    if family is None:
        return None
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address.value_for_protocol(protocol), _ANY_PORT))  # which only looks for a route
    except OSError as error:
        return os.strerror(error.errno) if error.errno else str(error)
    return None
