"""Calls one HTTP origin and no other, and words answers and failures for a volunteer.

No error quotes what the other side sends: it might quote a token. Plain HTTP is for this computer alone.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from pydantic import BaseModel, SecretStr, ValidationError

from client.api.errors import ClientError, HubError
from core.http_client import Fault, HttpAnswer, HttpClient, HttpFault, HttpLimits

LARGEST = 256 * 1024
"""Largest answer that is accepted, in bytes."""
_LIMITS = HttpLimits(connect=10.0, silence=20.0, whole=40.0)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_AGAIN = "Try again later."

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class OriginRole:
    """Role of an origin, for error messages."""

    error: type[ClientError]
    name: str
    """Name of the setting that gave the address."""
    remedy: str
    """Remedy where the address cannot be right."""


HUB = OriginRole(HubError, "HF_ENDPOINT", "Set it to an address such as https://huggingface.co, or unset it.")


@dataclass(frozen=True)
class Reply:
    """An answer of an origin, read into memory."""

    origin: str
    status: int
    body: bytes
    retry_after: float = 0.0
    """Seconds that the other side asks to wait for."""
    site: OriginRole = HUB

    @property
    def fine(self) -> bool:
        return 200 <= self.status < 300

    @property
    def inconclusive(self) -> bool:
        """True if the same request may be answered otherwise later."""
        return self.status >= 500 or self.status == HTTPStatus.TOO_MANY_REQUESTS

    def read(self, kind: type[M]) -> M:
        """Return the body as a validated object; raise the site's error if it is not valid."""
        if model := self.read_if(kind):
            return model
        raise self.site.error(
            f"{self.origin} sent an answer that this version of Idlebrush does not understand.", _AGAIN
        )

    def read_if(self, kind: type[M]) -> M | None:
        """Return the body as a validated object, or None if it is not valid."""
        try:
            return kind.model_validate_json(self.body)
        except ValidationError:
            return None

    def refusal(self) -> ClientError:
        """Return the error to raise for an answer that is neither a success nor foreseen."""
        error = self.site.error
        if self.status == HTTPStatus.TOO_MANY_REQUESTS:
            wait = f"in {math.ceil(self.retry_after)} seconds" if self.retry_after else "in some minutes"
            return error(
                f"{self.origin} has received too many requests from this computer.", f"Try again {wait}."
            )
        if self.status >= 500:
            return error(f"{self.origin} reports an internal error (status {self.status}).", _AGAIN)
        if 300 <= self.status < 400:
            what = f"{self.origin} redirects to another address. Idlebrush does not send your sign-in there."
            return error(
                what,
                f"Check that {self.site.name} is right, and that this network does not require a sign-in on a "
                "web page.",
            )
        return error(f"{self.origin} refused the request (status {self.status}).", _AGAIN)


class HttpOrigin:
    """A web address such as ``https://huggingface.co``, and all paths below it."""

    def __init__(
        self,
        address: str,
        clock: Callable[[], float] = time.monotonic,
        site: OriginRole = HUB,
        passed: Callable[[int], None] = lambda size: None,
    ) -> None:
        """Check the address; nothing is sent yet.

        Args:
            address: Scheme and host, with https or on this computer.
            clock: Monotonic time in seconds.
            site: Words for errors.
            passed: Called with the number of bytes of an answer that arrived; it may block to slow the rest down.

        Raises:
            ClientError: a token cannot be sent safely to the address; the site's kind of error.
        """
        self.address = address
        self._site = site
        self._parts = _checked(address, site)
        self._client = HttpClient(_LIMITS, clock=clock, on_bytes=passed)

    def get(self, path: str, token: SecretStr | None = None) -> Reply:
        """Get a path; raise the site's kind of error where no answer comes."""
        return self._exchange("GET", path, token=token)

    def post(self, path: str, form: Mapping[str, str]) -> Reply:
        """Post the fields of a form; raise the site's kind of error where no answer comes."""
        return self._exchange("POST", path, form=form)

    def send(
        self, method: str, path: str, json: Mapping[str, Any] | None = None, token: SecretStr | None = None
    ) -> Reply:
        """Send JSON by any method; raise the site's kind of error where no answer comes."""
        return self._exchange(method, path, token=token, json=json)

    def path_of(self, url: str) -> str | None:
        """Return the path of a URL that belongs to this origin, or None for any other."""
        try:
            parts = urlsplit(url)
        except ValueError:  # no URL at all
            return None
        same = (parts.scheme, parts.netloc) == (self._parts.scheme, self._parts.netloc)
        return parts.path if same else None

    def _exchange(
        self,
        method: str,
        path: str,
        token: SecretStr | None = None,
        form: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
    ) -> Reply:
        try:
            with self._client.open(
                method,
                self.address + path,
                headers={"Accept": "application/json"},
                token=token,
                form=form,
                json=json,
            ) as answer:
                body, wait = answer.body(LARGEST), _retry_after(answer)
                return Reply(self.address, answer.status, body, wait, self._site)
        except HttpFault as error:
            what, remedy = _in_words(error.fault, self.address)
            raise self._site.error(what, remedy) from error


def _in_words(fault: Fault, address: str) -> tuple[str, str]:
    """Return what happened, and the remedy."""
    match fault:
        case Fault.CERTIFICATE:
            return (
                f"The connection to {address} is not secure: its certificate was not accepted.",
                "Check this computer's clock, and that this network does not require a sign-in on a web page.",
            )
        case Fault.SILENCE:
            return f"{address} does not answer.", f"Check that this computer is online. {_AGAIN}"
        case Fault.PROXY:
            return (
                f"The proxy for {address} does not let this computer through.",
                "Check the variable HTTPS_PROXY.",
            )
        case Fault.CONNECTION:
            return f"{address} cannot be reached.", "Check that this computer is online."
        case Fault.TOO_LARGE:
            return f"{address} sent more than Idlebrush accepts.", _AGAIN
        case Fault.TOO_SLOW:
            return f"{address} answers too slowly.", _AGAIN
    return f"{address} sent no valid answer.", _AGAIN


def _checked(address: str, site: OriginRole) -> SplitResult:
    try:
        parts = urlsplit(address)
        secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        proper = bool(parts.hostname) and not (parts.username or parts.path or parts.query or parts.fragment)
    except ValueError:
        secure = proper = False
    if not (secure and proper):
        raise site.error(f"{site.name} is {address!r}. A token cannot be sent there safely.", site.remedy)
    return parts


def _retry_after(answer: HttpAnswer) -> float:
    value = answer.headers.get("Retry-After", "")
    return float(value[:6]) if value.isascii() and value.isdigit() else 0.0
