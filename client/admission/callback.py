"""Listens at the loopback address to which a browser returns after a sign-in (RFC 8252, section 7.3).

Any program of this computer, and any page in the volunteer's browser, can connect there. Requests without the state
of this sign-in are refused and end nothing. Only `client.task`'s process loads this.
"""

import hmac
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlsplit

PATH = "/callback"
_PATIENCE_SECONDS: Final = 5.0
"""Seconds that a connected client may take to send its request."""
_MOST_KNOCKING: Final = 16
_LONGEST = 4096
_STYLE = """
:root { color-scheme: light dark; --paper: #faf9f6; --ink: #16181d; --quiet: #55585f; --stroke: #d65a3c; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #101218; --ink: #eceef2; --quiet: #a6abb6; }
}
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 0 1.5rem;
  background: var(--paper); color: var(--ink); font: 1.125rem/1.6 system-ui, sans-serif; }
h1 { margin: 0 0 .5rem; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; }
h1::after { content: ""; display: block; width: 4rem; height: .3rem; margin-top: .75rem;
  border-radius: 1rem; background: var(--stroke); }
p { margin: 0; color: var(--quiet); }
"""
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Idlebrush</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style>
<main><h1>{heading}</h1><p>{text}</p></main></html>
"""
_STYLE_DIGEST = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_STYLE_DIGEST}'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_DONE = _PAGE.format(
    style=_STYLE, heading="Thank you", text="You can close this page. Idlebrush continues by itself."
)
_WRONG = _PAGE.format(
    style=_STYLE,
    heading="Idlebrush does not wait for this sign-in",
    text="Start the sign-in again in Idlebrush.",
)


class Callback:
    """Waits for the one answer that carries the state."""

    def __init__(self, address: str, state: str) -> None:
        self.address = address
        """Address to which the browser has to be redirected."""
        self._state = state
        self._answer: dict[str, str] = {}
        self._came = threading.Event()

    def wait(self, seconds: float) -> dict[str, str] | None:
        """Return the parameters that the browser brought, such as a ``code`` or an ``error``.

        Return None if it did not come within so many seconds.
        """
        return self._answer if self._came.wait(seconds) else None

    def take(self, query: str) -> bool:
        """Accept a query as the answer if it carries the state; only the first one counts.

        `wait` goes on until `answered` is called.
        """
        given = {name: values[0] for name, values in parse_qs(query).items() if len(values) == 1}
        if not hmac.compare_digest(given.get("state", "").encode(), self._state.encode()):
            return False
        self._answer = self._answer or given
        return True

    def answered(self) -> None:
        """End `wait`: the browser has its page. Before, the end of this process would cut the page off."""
        self._came.set()


@contextmanager
def listening(state: str) -> Iterator[Callback]:
    """Serve a callback on a free port of this computer's loopback interface until the context ends."""
    server = _CallbackServer(("127.0.0.1", 0), _CallbackHandler)
    server.callback = Callback(f"http://127.0.0.1:{server.server_address[1]}{PATH}", state)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield server.callback
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _CallbackServer(ThreadingHTTPServer):
    daemon_threads = True
    callback: Callback

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._places = threading.Semaphore(_MOST_KNOCKING)

    def verify_request(self, request: object, client_address: object) -> bool:
        """Refuse connections beyond the limit."""
        return self._places.acquire(blocking=False)

    def process_request_thread(self, request: object, client_address: object) -> None:
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self._places.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect midway."""


class _CallbackHandler(BaseHTTPRequestHandler):
    timeout = _PATIENCE_SECONDS
    server: _CallbackServer

    def do_GET(self) -> None:
        target = urlsplit(self.path[:_LONGEST])
        is_answer = target.path == PATH and self.server.callback.take(target.query)
        try:
            self._send_page(is_answer)
        finally:  # a browser that has gone does not keep the sign-in waiting
            if is_answer:
                self.server.callback.answered()

    def _send_page(self, is_answer: bool) -> None:
        page = (_DONE if is_answer else _WRONG).encode()
        self.send_response(200 if is_answer else 400)
        for name, value in {**_HEADERS, "Content-Length": str(len(page))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Log nothing: what is asked for here holds the code."""
