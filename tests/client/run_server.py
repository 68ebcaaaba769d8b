"""A web server on loopback that gives a folder's files, and misbehaves as it is told."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from tests.loopback_server import served

Deed = Callable[["Handler", bytes], None]
"""Answers a request for a file of those bytes."""


class RunServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.deeds: dict[str, list[Deed]] = {}
        """Actions that replace the serving of a file, by path; each is used once."""
        self.asked: list[tuple[str, str | None]] = []
        """Requested paths and ranges."""
        self.secrets: list[str | None] = []
        """Authorization headers of the requests."""
        self.ending = threading.Event()

    def address(self, path: str = "run.toml") -> str:
        return f"http://127.0.0.1:{self.server_port}/{path}"

    def instead(self, path: str, *deeds: Deed) -> None:
        self.deeds[f"/{path}"] = list(deeds)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: RunServer

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Range"]))
        self.server.secrets.append(self.headers["Authorization"])
        file = self.server.folder / unquote(self.path).lstrip("/")
        data = file.read_bytes() if file.is_file() else b""
        deeds = self.server.deeds.get(self.path)
        (deeds.pop(0) if deeds else serve if file.is_file() else missing)(self, data)

    do_HEAD = do_GET  # noqa: N815 - the standard library's name

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        pass


def serve(handler: Handler, data: bytes) -> None:
    """Answer as a correct server does, including requests for ranges."""
    asked = handler.headers["Range"]
    if asked is None:
        return handler.answer(200, data)
    first, _, last = asked.removeprefix("bytes=").partition("-")
    start, end = int(first), int(last or len(data) - 1) + 1
    return handler.answer(206, data[start:end], Content_Range=f"bytes {start}-{end - 1}/{len(data)}")


def without_ranges(handler: Handler, data: bytes) -> None:
    handler.answer(200, data)


def missing(handler: Handler, data: bytes) -> None:
    handler.answer(404)


def broken_off(after: int) -> Deed:
    """Promise the whole file, give so many bytes, and hang up."""

    def deed(handler: Handler, data: bytes) -> None:
        handler.answer(200, data[:after], Content_Length=str(len(data)))
        handler.close_connection = True

    return deed


def stalled(after: int) -> Deed:
    """Promise the whole file, give so many bytes, and say nothing more."""

    def deed(handler: Handler, data: bytes) -> None:
        handler.answer(200, data[:after], Content_Length=str(len(data)))
        handler.wfile.flush()
        silent(handler, data)

    return deed


def other(change: Callable[[bytes], bytes]) -> Deed:
    """Give other bytes."""
    return lambda handler, data: handler.answer(200, change(data))


def endless(handler: Handler, data: bytes) -> None:
    """Never come to an end, and name no length."""
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    try:
        while not handler.server.ending.is_set():
            handler.wfile.write(b"#" * 65_536)
    except OSError:
        pass  # the client has had enough


def silent(handler: Handler, data: bytes) -> None:
    """Take the request and say nothing."""
    handler.server.ending.wait()
    handler.close_connection = True


def drip(handler: Handler, data: bytes) -> None:
    """A byte now and then."""
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    try:
        while not handler.server.ending.wait(0.02):
            handler.wfile.write(b"#")
    except OSError:
        pass  # the client has had enough


def to(address: str) -> Deed:
    """Redirect."""
    return lambda handler, data: handler.answer(302, Location=address)


@contextmanager
def serving(folder: Path) -> Iterator[RunServer]:
    server = RunServer(folder)
    with served(server):
        try:
            yield server
        finally:
            server.ending.set()
