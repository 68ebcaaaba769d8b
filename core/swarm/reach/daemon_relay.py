"""The relay in the libp2p daemon of a peer: what it has passed on for others, and how it is kept from more."""

import logging
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import Any

import hivemind
import psutil

from core.swarm.p2pd import close_connections
from core.swarm.reach.board import state_no_relaying
from core.swarm.reach.relaying import COUNTED_AT, refuse_to_relay

_COUNTER = b"libp2p_relaysvc_data_transferred_bytes_total "
"""Beginning of the line in which go-libp2p's relay says how many bytes it has passed on, both ways together."""
_ANSWER_SECONDS, _ANSWER_BYTES = 1.0, 1 << 20
_log = logging.getLogger(__name__)


class DaemonRelay:
    """The relay in the libp2p daemon of a DHT node, which was started with a total of a day."""

    def __init__(self, dht: "hivemind.DHT") -> None:
        """Ask the daemon of ``dht``."""
        self._dht = dht
        self._pid = int(dht.run_coroutine(_daemon))
        self._port: int | None = None

    def passed(self) -> int:
        """Return the bytes since the daemon's start, both ways together; raises OSError if it does not tell."""
        for port in [self._port] if self._port is not None else list(_local_ports(self._pid)):
            try:
                count = _count_at(port)
            except (OSError, HTTPException, ValueError) as error:
                _log.debug("Port %d does not tell what was relayed: %r", port, error)
            else:
                self._port = port
                return count
        self._port = None
        raise OSError("the libp2p daemon does not tell what it has relayed")

    def refuse(self) -> None:
        """Take from the daemon its handler of relay requests, and have the peer's contact state it."""
        refuse_to_relay(self._dht)
        state_no_relaying(self._dht)

    def close(self) -> None:
        """Close all connections of the daemon: it does not tell which of them are relayed."""
        self._dht.run_coroutine(_close)


async def _daemon(_: "hivemind.DHT", node: Any) -> int:
    return int(node.p2p._child.pid)


async def _close(_: "hivemind.DHT", node: Any) -> None:
    await close_connections(node.p2p)


def _local_ports(pid: int) -> Iterator[int]:
    """Yield the ports at which that process listens for this computer alone; raises OSError if they aren't known."""
    try:
        found = psutil.Process(pid).net_connections("tcp4")
    except psutil.Error as error:
        raise OSError(f"the ports of the libp2p daemon are not known: {error}") from error
    for item in found:
        if item.status == psutil.CONN_LISTEN and item.laddr.ip == COUNTED_AT:
            yield item.laddr.port


def _count_at(port: int) -> int:
    """Return what a relay has passed on, by its metrics; raises ValueError if they don't tell, or as http.client."""
    with closing(HTTPConnection(COUNTED_AT, port, timeout=_ANSWER_SECONDS)) as daemon:
        daemon.request("GET", "/metrics")
        lines = daemon.getresponse().read(_ANSWER_BYTES).splitlines()
    for line in lines:
        if line.startswith(_COUNTER):
            return int(float(line.removeprefix(_COUNTER)))
    raise ValueError("The metrics do not tell what was relayed.")
