"""Listens for the user's other computers: accepts connections, and hands over those whose TLS handshake succeeds.

Before that, a connection has sent nothing that this process interprets beside OpenSSL. Unproven connections are few,
have little time, and addresses that fail often have to wait.
"""

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from client.api.errors import RemoteError
from client.remote.addresses import own_networks
from client.remote.backoff import Backoff
from client.service.channel.front_end import Limits
from core.messages.lines import MAX_LINE
from core.tasks import end_tasks

_BACKLOG = 16
_FLUSH_SECONDS = 2.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RemoteLimits:
    """Limits for other computers, together and each."""

    connections: int = 16
    of_each: int = 4
    """Connections of one paired computer; the oldest makes way for another."""
    unproven: int = 8
    """Connections whose handshake or pairing is not over."""
    handshake: float = 5.0
    """Seconds for a TLS handshake."""
    pairing: float = 60.0
    """Seconds for a pairing after its handshake."""
    served: Limits = field(default_factory=lambda: Limits(bad_lines=1, unread=30.0, interval=2.0))
    """Limits of a paired computer's connection."""


class RemoteConnection:
    """A connection after its handshake."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str) -> None:
        """Take over the streams; ``address`` is the host at the other end."""
        self.reader, self.writer, self.address = reader, writer, address
        self.is_proven = False
        """True once a paired computer has proved that it is at the other end."""

    async def finish(self) -> None:
        """Send what was written, and end the connection, within two seconds."""
        self.writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_FLUSH_SECONDS):
                await self.writer.wait_closed()

    def abort(self) -> None:
        """End the connection at once."""
        self.writer.transport.abort()


class RemoteListener:
    """Listens at one port from `open` to `close`."""

    def __init__(
        self,
        context: Callable[[], ssl.SSLContext],
        serve: Callable[[RemoteConnection], Awaitable[None]],
        limits: RemoteLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to listen.

        Args:
            context: Returns the TLS context of a connection that begins now.
            serve: Serves a connection until it ends; sets `RemoteConnection.is_proven`.
            limits: Limits for all connections.
            clock: Clock in seconds that is never set back.
        """
        self._context, self._serve, self._limits, self._clock = context, serve, limits, clock
        self._backoff = Backoff(own_networks)
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], RemoteConnection | None] = {}

    @property
    def port(self) -> int:
        """Port at which it listens; 0: it does not."""
        sockets = self._server.sockets if self._server is not None else ()
        return int(sockets[0].getsockname()[1]) if sockets else 0

    async def open(self, port: int) -> None:
        """Listen at ``port`` of all networks; RemoteError if that is not possible."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: _Arrival(self._accept), sock=_listening(port))
        except OSError as error:
            raise RemoteError(
                f"The port {port} cannot be used: {error.strerror or error}.",
                "End the program that uses it, or set another with `idlebrush prefs set remote-port`.",
            ) from error

    async def close(self) -> None:
        """Stop listening, and end all connections."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        await end_tasks(list(self._connections))

    def _accept(self, accepted: asyncio.Transport) -> None:
        peer = accepted.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        unproven = sum(1 for known in self._connections.values() if known is None or not known.is_proven)
        is_full = unproven >= self._limits.unproven or len(self._connections) >= self._limits.connections
        if is_full or self._backoff.refuses(address, self._clock()):
            accepted.abort()
            return
        task = asyncio.create_task(self._greet(accepted, address))
        self._connections[task] = None
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        del self._connections[task]
        if not task.cancelled() and (error := task.exception()):
            _log.error("A connection of another computer ended by an error.", exc_info=error)

    async def _greet(self, accepted: asyncio.Transport, address: str) -> None:
        """Shake hands and serve; whatever proves nothing counts as a failure of its address."""
        connection = await self._shaken(accepted, address)
        if connection is None:
            self._backoff.failed(address, self._clock())
            return
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = connection
        try:
            await self._serve(connection)
        finally:
            connection.abort()
            if connection.is_proven:
                self._backoff.succeeded(address)
            else:
                self._backoff.failed(address, self._clock())

    async def _shaken(self, accepted: asyncio.Transport, address: str) -> RemoteConnection | None:
        """Return the connection after its handshake; None if that failed."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=MAX_LINE)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport = await loop.start_tls(
                accepted,
                protocol,
                self._context(),
                server_side=True,
                ssl_handshake_timeout=self._limits.handshake,
            )
        except (OSError, RemoteError) as error:  # OpenSSL's errors are OSErrors
            _log.info("A computer at %s was refused: %s", address, error)
            accepted.abort()
            return None
        if transport is None or transport.is_closing():
            return None
        protocol.connection_made(transport)
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        return RemoteConnection(reader, writer, address)


class _Arrival(asyncio.Protocol):
    """A connection that has just been accepted; nothing is read before the handshake."""

    def __init__(self, accept: Callable[[asyncio.Transport], None]) -> None:
        self._accept = accept

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "it is TCP"
        transport.pause_reading()
        self._accept(transport)


def _listening(port: int) -> socket.socket:
    """Return a socket that listens at ``port``, for IPv6 too where the system has it."""
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(
                ("", port), family=socket.AF_INET6, backlog=_BACKLOG, dualstack_ipv6=True
            )
        except OSError as error:  # IPv6 may be turned off
            _log.debug("No socket of IPv6: %s", error)
    return socket.create_server(("", port), backlog=_BACKLOG)
