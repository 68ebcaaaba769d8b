"""The libp2p daemons of this computer: where their sockets lie, how long they may take, and where they listen."""

import asyncio
import errno
import logging
import socket
from tempfile import gettempdir

from hivemind.p2p import P2P
from hivemind.utils.multiaddr import Multiaddr

from core.errors import SwarmError

_log = logging.getLogger(__name__)
_ALL_IP4, _ALL_IP6 = "0.0.0.0", "::"
_NO_SUCH_PROTOCOL = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
DAEMON_SECONDS = 60.0
"""Seconds in which a libp2p daemon must listen; a busy computer needed more than hivemind's 15."""


def place_sockets() -> None:
    """Put hivemind's sockets into the temporary folder: killed processes leave them, and that folder is cleaned up.

    hivemind's own default is /tmp, whatever TMPDIR says.
    """
    P2P._UNIX_SOCKET_PREFIX = f"/unix{gettempdir()}/hivemind-"


def allow_slow_starts() -> None:
    """Give each libp2p daemon the time that it needs on a busy computer.

    hivemind passes none to the one that looks for a copied identity.
    """
    P2P.create.__func__.__kwdefaults__["startup_timeout"] = DAEMON_SECONDS


async def close_connections(p2p: P2P) -> None:
    """Close all connections of the libp2p daemon ``p2p``, so that the next calls open new ones."""
    peers = {item.peer_id for item in await p2p.list_peers()}
    closing = (p2p._client.disconnect(peer) for peer in peers)
    for result in await asyncio.gather(*closing, return_exceptions=True):
        if isinstance(result, Exception):
            _log.info("A connection could not be closed: %r", result)


def listening_at(address: str) -> tuple[str, int]:
    """Return the host and the port in an ``address`` to listen on; raises SwarmError if it is malformed."""
    try:
        parsed = Multiaddr(address)
        protocol = "ip6" if address.startswith("/ip6/") else "ip4"
        return str(parsed.value_for_protocol(protocol)), int(parsed.value_for_protocol("tcp"))
    except (ValueError, LookupError) as error:
        raise SwarmError(
            f"{address!r} is not an address to listen on ({error}).",
            "Write it like /ip4/0.0.0.0/tcp/31337; port 0 takes any free one.",
        ) from error


def everywhere(host: str, port: int) -> tuple[str, ...]:
    """Return the multiaddresses by which a peer listens at ``port`` on ``host``: for all of IPv4, on all of IPv6 too.

    libp2p leaves out those that the system does not have, as long as one is there.
    """
    own = f"/ip{6 if ':' in host else 4}/{host}/tcp/{port}"
    return (own, f"/ip6/{_ALL_IP6}/tcp/{port}") if host == _ALL_IP4 else (own,)


def by_udp(address: str) -> str | None:
    """Return the multiaddress of the same host and port for QUIC; None if ``address`` is none for TCP."""
    return address.replace("/tcp/", "/udp/") + "/quic-v1" if "/tcp/" in address else None


def why_unusable(host: str, port: int) -> str | None:
    """Return why no program can listen at ``port`` on ``host``, in the system's words; None if one can.

    libp2p would silently share a port that another program of the same user listens on. A system without IPv6 can
    listen on none of its addresses, which does no harm.
    """
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if ":" in host:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind((host, port))
    except OSError as error:
        is_missing = host == _ALL_IP6 and error.errno in _NO_SUCH_PROTOCOL
        return None if is_missing else error.strerror or str(error)
    return None


def require_free_port(address: str) -> None:
    """Raise SwarmError if ``address`` is malformed or its port is in use."""
    host, port = listening_at(address)
    if (why := why_unusable(host, port)) is not None:
        raise SwarmError(
            f"Port {port} on {host} cannot be used: {why}.",
            "Another program (perhaps another Idlebrush) uses it: end that one, or choose another port.",
        )
