"""Downloads documents and files from web servers; a file is resumed where an earlier download ended.

By default, redirects are followed to the same host, or from https to https: no link makes a client connect to plain
addresses of its own network.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import Self
from urllib.parse import urljoin, urlsplit

from requests.utils import requote_uri

from client.api.errors import DownloadError, DownloadInterrupted
from client.fetching.part_file import PartFile
from core.excerpt import QUOTE, excerpt, shortened
from core.http_client import Fault, HttpAnswer, HttpClient, HttpFault
from core.network.pause_token import PauseToken
from core.network.persistence import FOR_NOW, retry_after
from core.swarm.bandwidth import Line, Way

_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_QUOTE = 300
"""Characters of an address."""
LATER = "Try again later; what was downloaded is kept."


@dataclass(frozen=True)
class Wording:
    """Words of a download's errors for what is downloaded."""

    file: str
    """The file as it ought to be, such as "the run's file"."""
    ask: str
    """Sentence that says whom to ask about a server that sends something else."""
    refrain: str
    """Advice for an invalid certificate, such as "do not join"."""


@dataclass(frozen=True)
class SpeedFloor:
    """Speed below which a server is given up, and asked again or replaced by another."""

    rate: float = 2_000.0
    """Least speed in bytes a second; a tenth of the slowest lines of today."""
    seconds: float = 60.0
    """Seconds of waiting for the server over which the speed is averaged; a cap of ours is no waiting."""


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


def metered_client(line: Line, token: PauseToken) -> HttpClient:
    """Return a client under this program's name, through a line that counts the bytes and keeps the cap.

    Args:
        line: Counts and caps; its cap may change at any time.
        token: Ends the waiting for the cap.
    """

    def passed(size: int) -> None:
        for piece in line.data.pieces(Way.DOWN, size):
            line.data.block(Way.DOWN, piece, token.sleep)

    return HttpClient(agent=f"idlebrush/{version('idlebrush')}", on_bytes=passed)


class WebClient:
    """A session with web servers; a context manager that closes it."""

    def __init__(
        self,
        client: HttpClient,
        wording: Wording,
        *,
        token: PauseToken | None = None,
        floor: SpeedFloor = SpeedFloor(),
        may_follow: Callable[[str, str], bool] = may_redirect,
    ) -> None:
        """Make a session.

        Args:
            client: Client to send requests with.
            wording: Words for errors.
            token: Pauses and ends downloads of files; None: nothing does.
            floor: Least speed of a file.
            may_follow: Returns true if a redirect from one address to another may be followed.
        """
        self._client, self._wording, self._floor, self._may_follow = client, wording, floor, may_follow
        self._token = token or PauseToken()

    @classmethod
    def through(
        cls,
        line: Line,
        wording: Wording,
        token: PauseToken | None = None,
        may_follow: Callable[[str, str], bool] = may_redirect,
    ) -> Self:
        """Make a session under this client's name, through a line that counts the bytes and keeps the cap.

        The cap may change at any time; `__init__` explains the other parameters.
        """
        token = token or PauseToken()
        return cls(metered_client(line, token), wording, token=token, may_follow=may_follow)

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
                raise self._another_part(address)
            return answer.body(end - first)

    def complete(self, address: str, part: PartFile, arrived: Callable[[int], None]) -> None:
        """Download the rest of a file, or all of it where the server cannot resume.

        Args:
            address: URL of the whole file.
            part: The bytes that are here; those that arrive are appended.
            arrived: Called with the bytes that are here, after each piece.

        Raises:
            DownloadInterrupted: the rest may be had later.
            DownloadError: the rest cannot be had, or the server has another file.
            OSError: by the disk.
            Ended: by the pause token.
        """
        if part.is_complete:
            return
        headers = {"Range": f"bytes={part.have}-"} if part.have else {}
        with self._opened(address, headers) as answer, self._token.reading(answer.abort):
            self._start(answer, address, part)
            with part.growing() as append:
                self._read(answer, address, part, append, arrived)
        if not part.is_complete:
            raise DownloadInterrupted(
                f"The connection to {_host(address)} ended after {part.have} of {part.size} bytes.", LATER
            )

    def _read(
        self,
        answer: HttpAnswer,
        address: str,
        part: PartFile,
        append: Callable[[bytes], None],
        arrived: Callable[[int], None],
    ) -> None:
        waited, before = 0.0, part.have
        for piece in answer.pieces():
            if part.have + len(piece) > part.size:
                raise DownloadError(
                    f"{address} gives more than the {part.size} bytes of {self._wording.file}.",
                    self._wording.ask,
                )
            append(piece)
            arrived(part.have)
            if answer.waited - waited >= self._floor.seconds:
                self._check_speed(address, (part.have - before) / (answer.waited - waited))
                waited, before = answer.waited, part.have

    def _check_speed(self, address: str, rate: float) -> None:
        if rate < self._floor.rate:
            raise DownloadInterrupted(
                f"{_host(address)} sends only {rate:.0f} bytes a second, which is too slow to wait for.",
                LATER,
            )

    def _start(self, answer: HttpAnswer, address: str, part: PartFile) -> None:
        """Check that the answer begins where the part ends; throw the part away if the whole file comes."""
        if answer.status == HTTPStatus.OK:
            length = answer.headers.get("Content-Length")
            if length is not None and length != str(part.size):
                raise DownloadError(
                    f"{address} has {excerpt(length, QUOTE)} bytes where {self._wording.file} has {part.size}.",
                    self._wording.ask,
                )
            part.restart()
        elif answer.headers.get("Content-Range") != f"bytes {part.have}-{part.size - 1}/{part.size}":
            raise self._another_part(address)

    @contextmanager
    def _opened(self, address: str, headers: dict[str, str]) -> Iterator[HttpAnswer]:
        """Give the answer after redirects; its status is 200 or 206. Raise DownloadError for any other."""
        for _ in range(_MAX_REDIRECTS + 1):
            with self._in_words(address), self._client.open("GET", address, headers=headers) as answer:
                if answer.status not in _REDIRECTS:
                    _check(answer, address)
                    yield answer
                    return
                address = self._next(address, answer.headers.get("Location", ""))
        raise DownloadError(f"{address} redirects too often.", self._wording.ask)

    def _next(self, address: str, location: str) -> str:
        try:
            target = requote_uri(urljoin(address, location))  # messages for people contain it
        except ValueError:  # brackets around what is no address
            target = location
        if not self._may_follow(address, target):
            quoted = shortened(target, _QUOTE)
            raise DownloadError(
                f"{address} redirects to {quoted!r}, which is another server or less secure.",
                self._wording.ask,
            )
        return target

    def _another_part(self, address: str) -> DownloadError:
        return DownloadError(
            f"{_host(address)} sent a different part of {address} than requested.", self._wording.ask
        )

    @contextmanager
    def _in_words(self, address: str) -> Iterator[None]:
        """Raise DownloadError in place of a fault."""
        try:
            yield
        except HttpFault as error:
            kind = DownloadInterrupted if error.fault in _PASSING else DownloadError
            raise kind(*_words_of(error.fault, address, self._wording)) from error


def _check(answer: HttpAnswer, address: str) -> None:
    if answer.status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        return
    what = f"{_host(address)} answered {_in_short(answer.status)} for {address}."
    remedy = "Check the address, or try again later."
    if answer.status not in FOR_NOW:
        raise DownloadError(what, remedy)
    interrupted = DownloadInterrupted(what, remedy)
    interrupted.seconds = retry_after(answer.headers)
    raise interrupted


def _in_short(status: int) -> str:
    """Return the status with its standard name: the server's own words for it may be anything."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _host(address: str) -> str:
    return urlsplit(address).netloc


_PASSING = frozenset({Fault.SILENCE, Fault.CONNECTION, Fault.PROXY, Fault.TOO_SLOW, Fault.BROKEN})
"""Faults of the network, after which the same request may succeed."""


def _words_of(fault: Fault, address: str, wording: Wording) -> tuple[str, str]:
    """Return what happened, and the remedy."""
    match fault:
        case Fault.ADDRESS:
            return f"{shortened(address, _QUOTE)!r} is not a valid web address.", "Check the address."
        case Fault.CERTIFICATE:
            return (
                f"The certificate of {_host(address)} is not valid.",
                f"Check this computer's date and the address. If both are right, {wording.refrain}.",
            )
        case Fault.SILENCE:
            return f"{_host(address)} does not answer.", LATER
        case Fault.CONNECTION | Fault.PROXY:
            return (
                f"{_host(address)} cannot be reached.",
                "Check the address and your connection to the Internet.",
            )
        case Fault.ENCODED:
            return f"{_host(address)} sends {address} in an encoding that was not asked for.", wording.ask
        case Fault.TOO_LARGE:
            return f"{address} gives more bytes than are accepted.", wording.ask
        case Fault.TOO_SLOW:
            return f"{address} takes too long.", "Try again later."
        case Fault.BROKEN:
            return f"The connection to {_host(address)} broke.", LATER
