"""A server of files in parts, on loopback, that misbehaves as it is told to."""

import socket
import ssl
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback_server import served


@dataclass(frozen=True)
class AnswerFault:
    """A way in which an answer differs from the correct one."""

    status: int = 206
    headers: dict[str, str] = field(default_factory=dict)
    after: int | None = None
    """Bytes of the body that come; then the connection ends, or stalls."""
    stalls: bool = False
    sized: bool = True
    """True if the answer states its length."""


class ShardServer(ThreadingHTTPServer):
    """Serves files by name; each answer has the next of ``faults``, while there are any."""

    def __init__(self, files: Mapping[str, bytes], secure: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _ShardHandler)
        self.daemon_threads = False  # closing waits for them
        self._scheme = "https" if secure else "http"
        self.socket = secure.wrap_socket(self.socket, server_side=True) if secure else self.socket
        self.files = files
        self.faults: deque[AnswerFault] = deque()
        self.asked: list[str] = []
        """The ranges of the requests so far."""
        self.sent = 0
        """Bytes of the bodies that were sent."""
        self.stalled, self.released = threading.Event(), threading.Event()
        self._connections: list[Any] = []

    def url(self, name: str) -> str:
        return f"{self._scheme}://127.0.0.1:{self.server_port}/{name}"

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.append(request)
        super().process_request(request, client_address)

    def hang_up(self) -> None:
        """End all connections: one whose client went away while it took no more would try on for minutes."""
        for connection in self._connections:
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what tests are about."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def next_fault(self) -> AnswerFault:
        return self.faults.popleft() if self.faults else AnswerFault()


class _ShardHandler(BaseHTTPRequestHandler):
    server: ShardServer

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.server.asked.append(asked)
        content = self.server.files.get(self.path[1:])
        fault = AnswerFault(status=404) if content is None else self.server.next_fault()
        first, last = (int(number) for number in asked.removeprefix("bytes=").split("-"))
        body = content[first : last + 1] if content and fault.status == 206 else b""
        self.send_response(fault.status)
        sizes = {"Content-Length": str(len(body))} if fault.sized else {}
        for name, value in {**sizes, **fault.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.server.sent += len(body[: fault.after])
        self.wfile.write(body[: fault.after])
        if fault.stalls:
            self.wfile.flush()
            self.server.stalled.set()
            self.server.released.wait()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def shard_server(files: Mapping[str, bytes], secure: ssl.SSLContext | None = None) -> Iterator[ShardServer]:
    """``secure`` has the certificate of one that is spoken to over TLS."""
    server = ShardServer(files, secure)
    with served(server):
        try:
            yield server
        finally:
            server.released.set()
            server.hang_up()
