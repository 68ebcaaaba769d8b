"""HTTP requests to servers of others: bounded in size and time, no redirect followed, no password of ~/.netrc sent.

Nothing that a server says stands in a fault, which might quote a token. The daemon never loads this module: it takes
requests along, so only the daemon's children do.
"""

import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import requests
from pydantic import SecretStr
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, LocationParseError, ReadTimeoutError

T = TypeVar("T")

_PIECE_BYTES = 1 << 16
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Fault(Enum):
    """Ways in which a request fails without an answer that can be used."""

    ADDRESS = auto()
    """The address is not a valid web address."""
    CERTIFICATE = auto()
    """The certificate of the server was not accepted."""
    SILENCE = auto()
    """The server does not answer in time."""
    PROXY = auto()
    """A proxy on the way refuses the connection."""
    CONNECTION = auto()
    """No connection can be made."""
    BROKEN = auto()
    """The connection ended early, or the answer is not HTTP."""
    ENCODED = auto()
    """The answer has a content encoding that was not asked for."""
    TOO_LARGE = auto()
    """The answer has more bytes than are accepted."""
    TOO_SLOW = auto()
    """The whole answer takes longer than is accepted."""


class HttpFault(Exception):
    """A failed request; callers raise an error of their own package in its place."""

    def __init__(self, fault: Fault) -> None:
        """Name the way ``fault`` in which the request failed."""
        super().__init__(fault.name)
        self.fault = fault


@dataclass(frozen=True)
class HttpLimits:
    """Time limits of a request, in seconds."""

    connect: float = 10.0
    """Seconds until a connection is made."""
    silence: float = 30.0
    """Seconds without a byte of the answer."""
    whole: float = 60.0
    """Seconds from the request to the end of an answer that is read into memory."""


class HttpAnswer:
    """An answer whose body is still to be read."""

    def __init__(
        self,
        response: requests.Response,
        deadline: float,
        clock: Callable[[], float],
        on_bytes: Callable[[int], None],
    ) -> None:
        """Wrap the library's response; `HttpClient.open` closes it.

        Args:
            response: Response whose body was not read yet.
            deadline: Time of the clock at which the time for the whole answer is over, for `body`.
            clock: Monotonic time in seconds.
            on_bytes: Called with the number of bytes of each piece that arrived; it may block.
        """
        self._response, self._deadline, self._clock, self._on_bytes = response, deadline, clock, on_bytes
        self.waited = 0.0
        """Seconds of waiting for pieces of the body; what `on_bytes` takes is no part of it."""
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        """Headers of the answer; names are compared without regard to case."""

    @property
    def following(self) -> str | None:
        """Address of the next page by the Link header (RFC 8288); None if there is none."""
        return self._response.links.get("next", {}).get("url")

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it arrives.

        Raises HttpFault if the connection fails, or if the answer has a content encoding.
        """
        if self.headers.get("Content-Encoding", "identity") != "identity":
            raise HttpFault(Fault.ENCODED)
        while piece := self._next():
            self._on_bytes(len(piece))
            yield piece

    def body(self, limit: int) -> bytes:
        """Return the whole body.

        Raises HttpFault as `pieces` does, and if the body has more than ``limit`` bytes or takes too long.
        """
        body = bytearray()
        for piece in self.pieces():
            body += piece
            if len(body) > limit:
                raise HttpFault(Fault.TOO_LARGE)
            if self._clock() > self._deadline:
                raise HttpFault(Fault.TOO_SLOW)
        return bytes(body)

    def abort(self) -> None:
        """End the connection under another thread that waits for its bytes; that thread's reading fails."""
        # urllib3 has no other way to the socket once http.client has let it go. Its own shutdown() would stop
        # decrypting, so what has arrived would be read on as if it were the body.
        shutdown = getattr(self._response.raw, "_sock_shutdown", None)
        connection = getattr(shutdown, "__self__", None)
        if isinstance(connection, socket.socket):
            with suppress(OSError):  # it has ended by itself
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            if sys.platform == "win32":  # where a thread that waits for bytes does not notice that
                socket.close(connection.detach())

    def _next(self) -> bytes:
        # What has arrived: a slow drip is noticed.
        began = self._clock()
        try:
            return _guarded(lambda: bytes(self._response.raw.read1(_PIECE_BYTES)))
        finally:
            self.waited += self._clock() - began


class HttpClient:
    """A session of requests; a context manager that closes it."""

    def __init__(
        self,
        limits: HttpLimits = HttpLimits(),
        *,
        agent: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_bytes: Callable[[int], None] = lambda size: None,
    ) -> None:
        """Make a session.

        Args:
            limits: Time limits of each request.
            agent: Name of the program for servers; None: that of the library.
            clock: Monotonic time in seconds.
            on_bytes: Called with the number of bytes that arrived; it may block to slow the rest down.
        """
        self._limits, self._clock, self._on_bytes = limits, clock, on_bytes
        self._session = requests.Session()
        self._session.headers["Accept-Encoding"] = "identity"
        if agent:
            self._session.headers["User-Agent"] = agent

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    @contextmanager
    def open(
        self,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        token: SecretStr | None = None,
        form: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
    ) -> Iterator[HttpAnswer]:
        """Send a request and yield its answer, whatever the status; a redirect is an answer as well.

        Args:
            method: GET, POST and so on.
            address: URL.
            headers: Headers beside those of the session.
            token: Bearer token, sent to this address alone.
            form: Fields of an HTML form to send.
            json: Object to send as JSON.

        Raises:
            HttpFault: The address is invalid, or no answer came.
        """
        deadline, host = self._clock() + self._limits.whole, _host(address)
        if not host:
            raise HttpFault(Fault.ADDRESS)
        # No proxy stands between this computer and itself, whatever the environment says.
        self._session.trust_env = host not in _LOOPBACK
        with _guarded(
            lambda: self._session.request(
                method,
                address,
                headers=dict(headers or {}),
                data=form,
                json=json,
                auth=_Bearer(token),
                timeout=(self._limits.connect, self._limits.silence),
                allow_redirects=False,
                stream=True,
            )
        ) as response:
            yield HttpAnswer(response, deadline, self._clock, self._on_bytes)


class _Bearer(AuthBase):
    """The authorization of one request, or none; without it requests would look into ~/.netrc."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        return request


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _guarded(request: Callable[[], T]) -> T:
    """Raise HttpFault in place of the libraries' errors, without them: they may quote what was sent."""
    try:
        return request()
    except (requests.RequestException, HTTPError, OSError, ValueError) as error:
        fault = HttpFault(_fault_of(error))
    raise fault


def _fault_of(error: Exception) -> Fault:
    kinds: tuple[tuple[type[Exception] | tuple[type[Exception], ...], Fault], ...] = (
        (requests.exceptions.SSLError, Fault.CERTIFICATE),
        ((requests.Timeout, ReadTimeoutError), Fault.SILENCE),
        (requests.exceptions.ProxyError, Fault.PROXY),
        (requests.ConnectionError, Fault.CONNECTION),
        ((requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema), Fault.ADDRESS),
        ((requests.exceptions.MissingSchema, LocationParseError, UnicodeError), Fault.ADDRESS),
    )
    return next((fault for kind, fault in kinds if isinstance(error, kind)), Fault.BROKEN)
