"""Chooses the port at which a peer listens, and tells from which addresses this computer's packets leave it."""

import logging
import random
import socket
from pathlib import Path

from core.storage.files import write_atomically
from core.swarm.p2pd import everywhere, listening_at, why_unusable
from core.swarm.wire.addresses import LEAST_PORT, may_be_dialled

_log = logging.getLogger(__name__)

_OUTSIDE, _OUTSIDE6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Addresses of documentation's own networks (RFC 5737, RFC 3849): they are routed like others, and get no packets."""
_PORTS = range(20_000, 32_000)
"""Ports that no system gives to outgoing connections by itself, so that one stays free while it is not used."""
_ATTEMPTS = 20


def listening_port(host: str, preferred: int, file: Path) -> int:
    """Return the port to listen at: the preferred one, else the one of last time, else a free one, which is kept.

    A port that was forwarded by hand then stays the right one.

    Args:
        host: the address to listen at.
        preferred: the port that the volunteer chose; 0: any.
        file: the file that keeps the port.
    """
    if preferred:
        return preferred
    if (kept := _kept(file)) is not None and _is_free(host, kept):
        return kept
    drawn = (random.choice(_PORTS) for _ in range(_ATTEMPTS))
    port = next((item for item in drawn if _is_free(host, item)), None) or _any_port(host)
    try:
        write_atomically(file, f"{port}\n".encode())
    except OSError:
        _log.warning("The port to listen at could not be kept.", exc_info=True)
    return port


def _is_free(host: str, port: int) -> bool:
    return all(why_unusable(*listening_at(item)) is None for item in everywhere(host, port))


def _any_port(host: str) -> int:
    """Return a port that the system gives at ``host``, or any at all where it gives none: libp2p's start says why."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind((host, 0))
            return int(probe.getsockname()[1])
    except OSError:  # this computer has no such address, or no IPv6
        return random.choice(_PORTS)


def _kept(file: Path) -> int | None:
    try:
        port = int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 1 << 16 else None


def own_address() -> str | None:
    """Return the address that packets of IPv4 leave this computer from, or None if it has no way to the Internet."""
    return _leaving_by(socket.AF_INET, _OUTSIDE)


def own_address6() -> str | None:
    """Return the address that packets of IPv6 leave this computer from, or None if that is none of the Internet's."""
    found = _leaving_by(socket.AF_INET6, _OUTSIDE6)
    return found if found is not None and may_be_dialled(found, LEAST_PORT) else None


def own_addresses() -> tuple[str | None, str | None] | None:
    """Return the addresses that packets of IPv4 and IPv6 leave this computer from; None if there are none."""
    found = own_address(), own_address6()
    return found if any(found) else None


def _leaving_by(family: socket.AddressFamily, outside: tuple[str, int]) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(outside)
            return str(probe.getsockname()[0])
    except OSError:  # there is no route, or the system lacks the protocol
        return None
