"""Fetches over HTTP what somebody else's server gives: bounded in size and time, resumed, never surprised.

Redirects are followed to the same host, or from https to https: nobody's link makes a client knock at plain
addresses of its own network. Passwords of ~/.netrc are sent to nobody.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Self
from urllib.parse import urljoin, urlsplit

import requests

from client.api.errors import DownloadError
from client.excerpt import QUOTE, excerpt, shortened
from core.swarm.bandwidth import Line, Way

_CONNECT_SECONDS = 10.0
_PIECE = 1 << 16
_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_QUOTE = 300
"""Characters of an address."""
_LATER = "Try again later; what was downloaded is kept."
_ASK = "Ask the run's organiser."


@dataclass(frozen=True)
class TimeLimits:
    """Seconds."""

    silence: float = 30.0
    """Without a byte."""
    document: float = 60.0
    """For a whole small document."""


class Web:
    """A session with the web."""

    def __init__(
        self,
        agent: str,
        limits: TimeLimits = TimeLimits(),
        clock: Callable[[], float] = time.monotonic,
        passed: Callable[[int], None] = lambda size: None,
    ) -> None:
        """``passed`` is told of bytes that have come, and may hold up those that follow."""
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": agent, "Accept-Encoding": "identity"})
        self._session.auth = _no_password
        self._limits = limits
        self._clock = clock
        self._passed = passed

    @classmethod
    def through(cls, line: Line) -> Self:
        """As this client fetches: under its own name, and through a line that counts and holds back what comes."""
        return cls(f"idlebrush/{version('idlebrush')}", passed=partial(line.data.block, Way.DOWN))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def document(self, address: str, limit: int) -> bytes:
        """The bytes at an address; DownloadError if there are more than ``limit``, or it takes too long."""
        deadline = self._clock() + self._limits.document
        data = bytearray()
        with self._opened(address, {}) as response:
            for piece in self._pieces(response, address):
                data += piece
                if len(data) > limit:
                    raise DownloadError(f"{address} gives more than {limit} bytes.", _ASK)
                if self._clock() > deadline:
                    raise DownloadError(f"{address} takes too long.", "Try again later.")
        return bytes(data)

    def complete(self, address: str, part: Path, size: int, arrived: Callable[[int], None]) -> None:
        """Bring a file to ``size`` bytes: resumed from what ``part`` has, where the server can.

        Args:
            arrived: is told how many bytes the file has, after each piece.
        """
        have = part.stat().st_size if part.exists() else 0
        if have > size:
            part.unlink()
            have = 0
        if have < size:
            self._append(address, part, have, size, arrived)

    def _append(self, address: str, part: Path, have: int, size: int, arrived: Callable[[int], None]) -> None:
        headers = {"Range": f"bytes={have}-"} if have else {}
        with self._opened(address, headers) as response:
            have = _start(response, address, have, size)
            with part.open("r+b" if have else "wb") as stream:
                stream.seek(have)
                for piece in self._pieces(response, address):
                    have += len(piece)
                    if have > size:
                        raise DownloadError(
                            f"{address} gives more than the {size} bytes of the run's file.", _ASK
                        )
                    stream.write(piece)
                    stream.flush()  # so that even a killed download can be resumed
                    arrived(have)
        if have < size:
            raise DownloadError(
                f"The connection to {_host(address)} ended after {have} of {size} bytes.", _LATER
            )

    @contextmanager
    def _opened(self, address: str, headers: dict[str, str]) -> Iterator[requests.Response]:
        """The answer, after redirects; its status is 200 or 206."""
        for _ in range(_MAX_REDIRECTS + 1):
            with self._asked(address, headers) as response:
                if response.status_code not in _REDIRECTS:
                    _check(response, address)
                    yield response
                    return
                address = _next(address, response.headers.get("Location", ""))
        raise DownloadError(f"{address} redirects too often.", _ASK)

    def _asked(self, address: str, headers: dict[str, str]) -> requests.Response:
        timeout = (_CONNECT_SECONDS, self._limits.silence)
        with _in_words(address):
            return self._session.get(
                address, headers=headers, timeout=timeout, stream=True, allow_redirects=False
            )

    def _pieces(self, response: requests.Response, address: str) -> Iterator[bytes]:
        """What arrives, as it arrives."""
        with _in_words(address):
            while piece := response.raw.read1(_PIECE):
                self._passed(len(piece))
                yield piece


def _no_password(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Takes the place of requests' own look into ~/.netrc."""
    return request


def may_redirect(source: str, target: str) -> bool:
    """Whether a redirect leads where one may follow it."""
    try:
        one, other = urlsplit(source), urlsplit(target)
        ports = one.port, other.port
    except ValueError:  # of a port or an address that cannot be
        return False
    if other.scheme not in ("http", "https") or (one.scheme == "https" and other.scheme != "https"):
        return False
    if one.scheme == "https":
        return True
    return one.hostname == other.hostname and (ports[0] == ports[1] or other.scheme == "https")


def _next(address: str, location: str) -> str:
    try:
        target = requests.utils.requote_uri(urljoin(address, location))  # it stands in what people are told
    except ValueError:  # brackets around what is no address
        target = location
    if not may_redirect(address, target):
        quoted = shortened(target, _QUOTE)
        raise DownloadError(
            f"{address} redirects to {quoted!r}, which is another server or less secure.", _ASK
        )
    return target


def _check(response: requests.Response, address: str) -> None:
    if response.status_code not in (200, 206):
        raise DownloadError(
            f"{_host(address)} answered {_in_short(response.status_code)} for {address}.",
            "Check the address, or try again later.",
        )
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise DownloadError(f"{_host(address)} sends {address} in an encoding that was not asked for.", _ASK)


def _in_short(status: int) -> str:
    """The status with its name by the standard: the server's own words for it may be anything."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _start(response: requests.Response, address: str, have: int, size: int) -> int:
    """From which byte on the answer is: the asked one, or the first."""
    if response.status_code == 200:
        length = response.headers.get("Content-Length")
        if length is not None and length != str(size):
            raise DownloadError(
                f"{address} has {excerpt(length, QUOTE)} bytes where the run's file has {size}.", _ASK
            )
        return 0
    if response.headers.get("Content-Range") != f"bytes {have}-{size - 1}/{size}":
        raise DownloadError(f"{_host(address)} sends another part of {address} than was asked for.", _ASK)
    return have


def _host(address: str) -> str:
    return urlsplit(address).netloc


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    """Have what requests and urllib3 raise say what happened."""
    from urllib3.exceptions import HTTPError

    try:
        yield
    except requests.exceptions.SSLError as error:
        raise DownloadError(
            f"{_host(address)} cannot prove that it is itself.",
            "Check the date of this computer and the address; do not go on otherwise.",
        ) from error
    except requests.exceptions.Timeout as error:
        raise DownloadError(f"{_host(address)} does not answer.", _LATER) from error
    except requests.exceptions.ConnectionError as error:
        raise DownloadError(
            f"{_host(address)} cannot be reached.", "Check the address and your connection to the Internet."
        ) from error
    except (requests.exceptions.RequestException, ValueError) as error:
        raise DownloadError(
            f"{address!r} cannot be fetched: {excerpt(str(error))}.", "Check the address."
        ) from error
    except (HTTPError, OSError) as error:
        raise DownloadError(f"The connection to {_host(address)} broke.", _LATER) from error
