"""Serves a list of wheels and the wheels on this machine: ``python -m installer.environment.serve FOLDER``.

It is for trying installations out: it answers ranges, and nothing but this machine reaches it, unless another address
is named. `served` is the same for programs, on another thread.
"""

import argparse
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

HOST = "127.0.0.1"
_END_SECONDS = 10.0


def application(folder: Path) -> Starlette:
    """Return the server's application, for the files below ``folder``."""
    return Starlette(routes=[Mount("/", StaticFiles(directory=folder))])


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve ``folder`` while the context lasts, at the web address that it yields."""
    with socket.create_server((HOST, 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(application(folder), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(_END_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a list of wheels on this machine.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--host", default=HOST, help="address to listen at; default: this machine's own")
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    uvicorn.run(application(given.folder), host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
