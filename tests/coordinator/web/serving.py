"""Serves an application on a free port of loopback, in a thread, for tests that need a real connection."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from coordinator.web.process import server_config
from coordinator.web.protocol import BoundedRequests
from tests.waiting import wait_until


@contextmanager
def served(app: FastAPI, protocol: type[BoundedRequests] = BoundedRequests) -> Iterator[str]:
    """The address of the website."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = server_config(app, grace_seconds=1)
        config.http = protocol
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started, "the server does not start")
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
