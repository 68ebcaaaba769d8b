"""Downloads small documents and files of a run, which are resumed where a download ended.

Redirects are followed to the same host, or from https to https: no link makes a client connect to plain addresses of
its own network.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Self
from urllib.parse import urljoin, urlsplit

from requests.utils import requote_uri

from client.api.errors import DownloadError
from core.excerpt import QUOTE, excerpt, shortened
from core.http_client import Fault, HttpAnswer, HttpClient, HttpFault
from core.storage import moving
from core.swarm.bandwidth import Line, Way

_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_QUOTE = 300
"""Characters of an address."""
_LATER = "Try again later; what was downloaded is kept."
_ASK = "Ask the run's organiser."


class WebClient:
    """A session with servers of runs; a context manager that closes it."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    @classmethod
    def through(cls, line: Line) -> Self:
        """Make a session under this client's name, through a line that counts the bytes and keeps the cap."""
        agent = f"idlebrush/{version('idlebrush')}"
        return cls(HttpClient(agent=agent, on_bytes=partial(line.data.block, Way.DOWN)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def document(self, address: str, limit: int) -> bytes:
        """Return the bytes at an address; raise DownloadError if there are more than ``limit``."""
        with self._opened(address, {}) as answer:
            return answer.body(limit)

    def part(self, address: str, first: int, end: int) -> bytes | None:
        """Return bytes ``first`` to ``end - 1`` of a file, or None where the server sends only the whole file.

        Raise DownloadError if it sends a different part.
        """
        with self._opened(address, {"Range": f"bytes={first}-{end - 1}"}) as answer:
            if answer.status == HTTPStatus.OK:
                return None
            if not answer.headers.get("Content-Range", "").startswith(f"bytes {first}-{end - 1}/"):
                raise DownloadError(
                    f"{_host(address)} sent a different part of {address} than requested.", _ASK
                )
            return answer.body(end - first)

    def complete(self, address: str, part: Path, size: int, arrived: Callable[[int], None]) -> None:
        """Download the rest of a file, or all of it where the server cannot resume.

        Args:
            address: URL of the whole file.
            part: File on this disk, which may hold the first bytes already.
            size: Bytes of the whole file.
            arrived: Called with the bytes that ``part`` has, after each piece.

        Raises:
            DownloadError: the rest cannot be had, or the server has another file.
        """
        have = part.stat().st_size if part.exists() else 0
        if have > size:
            moving.remove(part)
            have = 0
        if have < size:
            self._append(address, part, have, size, arrived)

    def _append(self, address: str, part: Path, have: int, size: int, arrived: Callable[[int], None]) -> None:
        headers = {"Range": f"bytes={have}-"} if have else {}
        with self._opened(address, headers) as answer:
            have = _start(answer, address, have, size)
            with part.open("r+b" if have else "wb") as stream:
                stream.seek(have)
                for piece in answer.pieces():
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
    def _opened(self, address: str, headers: dict[str, str]) -> Iterator[HttpAnswer]:
        """Give the answer after redirects; its status is 200 or 206. Raise DownloadError for any other."""
        for _ in range(_MAX_REDIRECTS + 1):
            with _in_words(address), self._client.open("GET", address, headers=headers) as answer:
                if answer.status not in _REDIRECTS:
                    _check(answer, address)
                    yield answer
                    return
                address = _next(address, answer.headers.get("Location", ""))
        raise DownloadError(f"{address} redirects too often.", _ASK)


def may_redirect(source: str, target: str) -> bool:
    """Return true if a redirect may be followed."""
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
        target = requote_uri(urljoin(address, location))  # messages for people contain it
    except ValueError:  # brackets around what is no address
        target = location
    if not may_redirect(address, target):
        quoted = shortened(target, _QUOTE)
        raise DownloadError(
            f"{address} redirects to {quoted!r}, which is another server or less secure.", _ASK
        )
    return target


def _check(answer: HttpAnswer, address: str) -> None:
    if answer.status not in (200, 206):
        raise DownloadError(
            f"{_host(address)} answered {_in_short(answer.status)} for {address}.",
            "Check the address, or try again later.",
        )


def _in_short(status: int) -> str:
    """Return the status with its standard name: the server's own words for it may be anything."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _start(answer: HttpAnswer, address: str, have: int, size: int) -> int:
    """Return the byte of the file at which the answer begins: the one that was asked for, or 0."""
    if answer.status == 200:
        length = answer.headers.get("Content-Length")
        if length is not None and length != str(size):
            raise DownloadError(
                f"{address} has {excerpt(length, QUOTE)} bytes where the run's file has {size}.", _ASK
            )
        return 0
    if answer.headers.get("Content-Range") != f"bytes {have}-{size - 1}/{size}":
        raise DownloadError(f"{_host(address)} sent a different part of {address} than requested.", _ASK)
    return have


def _host(address: str) -> str:
    return urlsplit(address).netloc


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    """Raise DownloadError in place of a fault."""
    try:
        yield
    except HttpFault as error:
        raise DownloadError(*_words_of(error.fault, address)) from error


def _words_of(fault: Fault, address: str) -> tuple[str, str]:
    """Return what happened, and the remedy."""
    match fault:
        case Fault.ADDRESS:
            return f"{shortened(address, _QUOTE)!r} is not a valid web address.", "Check the address."
        case Fault.CERTIFICATE:
            return (
                f"The certificate of {_host(address)} is not valid.",
                "Check this computer's date and the address. If both are right, do not join.",
            )
        case Fault.SILENCE:
            return f"{_host(address)} does not answer.", _LATER
        case Fault.CONNECTION | Fault.PROXY:
            return (
                f"{_host(address)} cannot be reached.",
                "Check the address and your connection to the Internet.",
            )
        case Fault.ENCODED:
            return f"{_host(address)} sends {address} in an encoding that was not asked for.", _ASK
        case Fault.TOO_LARGE:
            return f"{address} gives more bytes than are accepted.", _ASK
        case Fault.TOO_SLOW:
            return f"{address} takes too long.", "Try again later."
        case Fault.BROKEN:
            return f"The connection to {_host(address)} broke.", _LATER
