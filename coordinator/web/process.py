"""Entry point of the website's process: it serves until the end of its input, and answers what is under way."""

import asyncio
import gc
import resource
import socket
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import NoReturn

import uvicorn
import uvloop
from pydantic import TypeAdapter

from coordinator.database.connect import Database
from coordinator.errors import WebError
from coordinator.home import Home
from coordinator.messages import StartWeb, WebReady
from coordinator.settings import Settings
from coordinator.web.context import WebContext
from coordinator.web.protocol import WHOLE_SECONDS, BoundedRequests
from core import child
from core.lines import Channel
from core.run import RunManifest
from core.signing import SigningKey

_BACKLOG = 1024
_MOST_CONNECTIONS = 8000
"""Beyond them uvicorn answers 503 by itself."""
_OTHER_FILES = 200
_GRACE_SECONDS = 3
"""For requests that are under way when it ends."""
_TICK_SECONDS = 0.5
_SWITCH_SECONDS = 0.0005
"""For which a thread may keep Python to itself while others wait. Whoever joins gives it up at each statement to the
database; by Python's own 5 ms, a few dozen of them beside a busy event loop are a fifth of a second."""
_COLLECT_AFTER = (5_000, 10, 2_000)
"""Thresholds of Python's garbage collector: a look through all that thousands of open streams hold takes seconds, in
which nobody is answered, so it is left for once in a hundred million new objects."""


class _Pulse:
    """When the event loop last went round."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def silence(self) -> float:
        return time.monotonic() - self._last

    async def beat(self) -> None:
        while True:
            self._last = time.monotonic()
            await asyncio.sleep(_TICK_SECONDS)


def main() -> NoReturn:
    pulse = _Pulse()
    child.live(TypeAdapter(StartWeb), lambda start, channel: serve(start, channel, pulse), pulse.silence)


def serve(start: StartWeb, channel: Channel, pulse: _Pulse) -> None:
    """Serve the home's website until the input ends; a CoreError if it cannot begin."""
    home = Home(start.home)
    settings = Settings.load(home.settings)
    RunManifest.load(home.manifest)  # so that what is wrong with it is told now, and not by each page
    _allow_many_connections()
    with listening(settings.web.host, start.port) as listener:
        database = Database.open(start.database)
        key = SigningKey.load(home.gate_key)
        context = WebContext(home, settings, database, key, _now, hub_token=start.hub_token)
        try:
            uvloop.run(_serve(context, listener, channel, pulse))
        finally:
            database.close()


def _allow_many_connections() -> None:
    """Each reader who watches holds one; many systems begin with 1,024 files a process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; WebError if it cannot."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise WebError(
            f"The website cannot listen on {host}, port {port}: {error.strerror or error}.",
            "Choose another port in coordinator.toml, [web], or end the program that has this one.",
        ) from error


async def _serve(context: WebContext, listener: socket.socket, channel: Channel, pulse: _Pulse) -> None:
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
    beating = asyncio.create_task(pulse.beat())
    host, port = listener.getsockname()[:2]
    channel.send(WebReady(address=f"http://{f'[{host}]' if ':' in host else host}:{port}"))
    try:
        await server.serve(sockets=[listener])
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


def server_config(app: object, grace_seconds: int = _GRACE_SECONDS) -> uvicorn.Config:
    """How uvicorn serves the site; ``grace_seconds``: for requests that are under way when it ends."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=BoundedRequests,
        loop="asyncio",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # who asks is found by client_address, which believes our own proxy alone
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=round(WHOLE_SECONDS),
        timeout_graceful_shutdown=grace_seconds,
    )


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    main()
