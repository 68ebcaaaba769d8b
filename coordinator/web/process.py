"""Entry point of the website's process: it serves until the end of its input, then finishes open requests."""

import asyncio
import gc
import os
import resource
import socket
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import uvicorn
import uvloop
from pydantic import TypeAdapter

from coordinator.database.connect import Database
from coordinator.database.engines import MOST_CONNECTIONS
from coordinator.home import Home
from coordinator.messages import COUNTS_VARIABLE, StartWeb, WebReady
from coordinator.packages.folder import PackageFolder
from coordinator.settings import Settings
from coordinator.web.context import WebContext
from coordinator.web.listener import listening
from coordinator.web.pages.handbook import built_handbook
from coordinator.web.protocol import WHOLE_SECONDS, BoundedRequests
from core.children import child
from core.messages.lines import Channel
from core.run.manifest import RunManifest
from core.signing import SigningKey

_BACKLOG = 1024
_MOST_CONNECTIONS = 8000
"""Largest number of connections; beyond it uvicorn answers 503 by itself."""
_OTHER_FILES = 200
_ALL_CONNECTIONS = 40
"""Connections to the database of all processes of a website that has several: PostgreSQL usually allows a hundred."""
_FEWEST_CONNECTIONS = 3
_GRACE_SECONDS = 3
"""Seconds that open requests have to finish when the process ends."""
_TICK_SECONDS = 0.5
_SWITCH_SECONDS = 0.0005
"""Seconds for which a thread may hold Python's interpreter lock while others wait. A request to join releases
the lock at each database statement; at Python's default of 5 ms, a few dozen of them beside a busy event loop
take a fifth of a second."""
_COLLECT_AFTER = (5_000, 10, 2_000)
"""Thresholds of Python's garbage collector. A full collection of the objects of thousands of open streams
takes seconds, during which no request is answered, so it runs once in a hundred million new objects."""


class _LoopHeartbeat:
    """Records when the event loop last turned."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def silence(self) -> float:
        return time.monotonic() - self._last

    async def beat(self) -> None:
        while True:
            self._last = time.monotonic()
            await asyncio.sleep(_TICK_SECONDS)


def main() -> NoReturn:
    heartbeat = _LoopHeartbeat()
    child.live(
        TypeAdapter(StartWeb), lambda start, channel: serve(start, channel, heartbeat), heartbeat.silence
    )


def serve(start: StartWeb, channel: Channel, heartbeat: _LoopHeartbeat) -> None:
    """Serve the home's website until the input ends; raise CoreError if it cannot start."""
    home = Home(start.home)
    settings = Settings.load(home.settings)
    RunManifest.load(home.manifest)  # so that an error in it is reported now, and not by each page
    packages = PackageFolder.of(settings.packages, home.root)
    _allow_many_connections()
    shared = start.processes > 1
    with listening(settings.web.host, start.port, _BACKLOG, shared=shared) as listener:
        database = Database.open(start.database, connections=_connections(start.processes))
        key = SigningKey.load(home.gate_key)
        counts = Path(os.environ[COUNTS_VARIABLE]) if shared else None
        context = WebContext(
            home, settings, database, key, _now, start.hub_token, packages, built_handbook(), counts
        )
        try:
            uvloop.run(_serve(context, listener, channel, heartbeat))
        finally:
            database.close()


def _connections(processes: int) -> int:
    """Return the most connections to the database of each of the website's processes."""
    return MOST_CONNECTIONS if processes == 1 else max(_FEWEST_CONNECTIONS, _ALL_CONNECTIONS // processes)


def _allow_many_connections() -> None:
    """Raise the limit of open files: each listener holds one, and many systems allow 1,024 per process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _serve(
    context: WebContext, listener: socket.socket, channel: Channel, heartbeat: _LoopHeartbeat
) -> None:
    from coordinator.web.app import create_app  # once the channel is ours, since it takes a second

    app = create_app(context)
    gc.collect()
    gc.freeze()  # what is there by now stays, and need not be looked through again
    gc.set_threshold(*_COLLECT_AFTER)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server = uvicorn.Server(server_config(app))

    def end() -> None:
        asyncio.get_running_loop().remove_reader(channel.fileno())
        app.state.broadcast.close()  # streams have no end of their own
        server.should_exit = True

    asyncio.get_running_loop().add_reader(channel.fileno(), end)
    beating = asyncio.create_task(heartbeat.beat())
    host, port = listener.getsockname()[:2]
    channel.send(WebReady(address=f"http://{f'[{host}]' if ':' in host else host}:{port}"))
    try:
        await server.serve(sockets=[listener])
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


def server_config(app: object, grace_seconds: int = _GRACE_SECONDS) -> uvicorn.Config:
    """Return uvicorn's configuration; open requests have ``grace_seconds`` to finish when the site ends."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=BoundedRequests,
        loop="asyncio",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # who asks is found by `client_of`, which believes our own proxy alone
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=round(WHOLE_SECONDS),
        timeout_graceful_shutdown=grace_seconds,
    )


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    main()
