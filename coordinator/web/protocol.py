"""HTTP/1.1 with limits for unknown clients: a request must arrive whole, in time, with a bounded head."""

import asyncio
import socket
import sys
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 32 << 10
WHOLE_SECONDS = 30.0
"""Seconds that a connection may stay without a complete, unanswered request: idle, or sending one slowly."""
_UNREAD_MILLISECONDS = 30_000
"""Milliseconds after which a connection is closed if the other side reads nothing of its response."""
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedRequests(HttpToolsProtocol):
    """uvicorn's protocol, which waits forever for the rest of a request and keeps its whole head."""

    whole_seconds = WHOLE_SECONDS
    unread_milliseconds = _UNREAD_MILLISECONDS
    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connection = cast(socket.socket | None, transport.get_extra_info("socket"))
        if connection is not None:
            # asyncio leaves it out where a listening socket names no protocol, and answers take 40 ms longer.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if connection is not None and sys.platform == "linux":
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self.unread_milliseconds)
        self._await_whole()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._in_head or self.transport.is_closing():
            return
        self._head_bytes += len(data)
        if self._head_bytes > MOST_HEAD_BYTES:
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        self._await_whole()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self._await_whole()

    def _await_whole(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.whole_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        cast(Any, self.transport).abort()
