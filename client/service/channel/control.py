"""The daemon's end of the control channel: carries out its own user's requests, and publishes snapshots.

Whatever front ends send, or leave unread, costs the daemon a bounded amount of memory and no waiting: lines,
connections, patience and what waits to be read are all limited. A front end that reads slowly misses
snapshots, never the latest.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from client.api.endpoint import Endpoint, local_endpoint
from client.api.errors import ControlError
from client.api.snapshot import Snapshot
from client.service.channel.front_end import FrontEndConnection, Handle, Limits
from core.messages.lines import MAX_LINE
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


_DEFAULT = Limits()


class Control:
    """Listens from `start` to `close`; of requests, `handle` sees all but those for snapshots."""

    def __init__(
        self,
        path: Path,
        handle: Handle,
        snapshot: Callable[[], Snapshot],
        *,
        limits: Limits = _DEFAULT,
        at: Callable[[Path], Endpoint] = local_endpoint,
    ) -> None:
        self._endpoint = at(path)
        self._handle = handle
        self._snapshot = snapshot
        self._limits = limits
        self._connections: dict[FrontEndConnection, asyncio.Task[None]] = {}
        self._server: asyncio.Server | None = None
        self._staying: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen; the caller holds `client.service.channel.lock`."""
        self._server = await self._listen()
        self._staying = asyncio.create_task(self._stay_reachable(self._server))

    def publish(self) -> None:
        """Send the latest snapshot to all front ends that watch, soon."""
        for connection in self._connections:
            connection.news.set()

    async def close(self) -> None:
        """Stop listening, and let answers on their way arrive. Not to be awaited by `handle`."""
        if self._server is None or self._staying is None:
            return
        self._staying.cancel()
        await asyncio.wait({self._staying})
        self._server.close()
        self._endpoint.remove()
        for connection in self._connections:
            connection.end()
        if tasks := set(self._connections.values()):
            _, late = await asyncio.wait(tasks, timeout=self._limits.flush_seconds)
            await end_tasks(late)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._accept, sock=self._endpoint.listen(), limit=MAX_LINE)

    async def _stay_reachable(self, server: asyncio.Server) -> None:
        """Listen again if the endpoint is gone: some programs clean up old files."""
        while True:
            await asyncio.sleep(self._limits.reachable)
            if not self._endpoint.is_there():
                try:
                    self._server = await self._listen()
                except ControlError as error:  # the next look may find what it needs
                    _log.warning("The control socket is gone and cannot be made again yet: %s", error)
                    continue
                _log.warning("The control socket was gone; it was made again.")
                server.close()
                server = self._server

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= self._limits.connections:
            writer.transport.abort()
            return
        connection = FrontEndConnection(reader, writer, self._handle, self._snapshot, self._limits)
        self._connections[connection] = asyncio.create_task(self._serve(connection, reader, writer))

    async def _serve(
        self, connection: FrontEndConnection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            if await self._endpoint.admits(reader, writer):
                await connection.run()
        finally:
            del self._connections[connection]
            writer.transport.abort()  # everything worth sending was waited for
