"""Calls to one HTTP origin and no other: in limited time, with bounded answers, and following no redirect.

Nothing that the other side says is quoted in an error: it might quote a token. Plain HTTP is for this
computer alone. The daemon never loads this: its errands do.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

import requests
from pydantic import BaseModel, SecretStr, ValidationError
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError

from client.api.errors import ClientError, HubError

LARGEST = 256 * 1024
"""Bytes of an answer; more is none that we asked for."""
_CONNECT_SECONDS = 10.0
_READ_SECONDS = 20.0
_WHOLE_SECONDS = 40.0
_CHUNK = 8 * 1024
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_AGAIN = "Try again later."

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Site:
    """What an origin is to the volunteer, for errors in their words."""

    error: type[ClientError]
    name: str
    """Of what gave its address."""
    remedy: str
    """What to do where that address cannot be right."""


HUB = Site(HubError, "HF_ENDPOINT", "Set it to an address such as https://huggingface.co, or unset it.")


@dataclass(frozen=True)
class Reply:
    origin: str
    status: int
    body: bytes
    retry_after: float = 0.0
    """Seconds that the other side asks to wait for."""
    site: Site = HUB

    @property
    def fine(self) -> bool:
        return 200 <= self.status < 300

    @property
    def inconclusive(self) -> bool:
        """Whether asking again later may be answered otherwise."""
        return self.status >= 500 or self.status == HTTPStatus.TOO_MANY_REQUESTS

    def read(self, kind: type[M]) -> M:
        """The body as that kind; the site's error where it is none."""
        if model := self.read_if(kind):
            return model
        raise self.site.error(
            f"{self.origin} answered what this version of Idlebrush does not understand.", _AGAIN
        )

    def read_if(self, kind: type[M]) -> M | None:
        try:
            return kind.model_validate_json(self.body)
        except ValidationError:
            return None

    def refusal(self) -> ClientError:
        """What to raise for an answer that is neither fine nor foreseen."""
        error = self.site.error
        if self.status == HTTPStatus.TOO_MANY_REQUESTS:
            wait = f"in {math.ceil(self.retry_after)} seconds" if self.retry_after else "in some minutes"
            return error(f"{self.origin} has too many requests from here.", f"Try again {wait}.")
        if self.status >= 500:
            return error(f"{self.origin} has a fault of its own (status {self.status}).", _AGAIN)
        if 300 <= self.status < 400:
            what = f"{self.origin} sends elsewhere, where Idlebrush does not follow with your sign-in."
            return error(
                what, f"See that {self.site.name} is right, and that no sign-in page of a network answers."
            )
        return error(f"{self.origin} did not do what was asked (status {self.status}).", _AGAIN)


class Bearer(AuthBase):
    """The one authorization of a request, or none; without it requests would look into ~/.netrc."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        return request


class HttpOrigin:
    """An address such as ``https://huggingface.co``, and what is below it."""

    def __init__(
        self,
        address: str,
        clock: Callable[[], float] = time.monotonic,
        site: Site = HUB,
        passed: Callable[[int], None] = lambda size: None,
    ) -> None:
        """``passed`` is told of bytes of answers as they come, and may hold up those that follow."""
        self.address = address
        self._passed = passed
        self._site = site
        self._parts = _checked(address, site)
        self._clock = clock
        self._session = requests.Session()
        self._session.trust_env = self._parts.hostname not in _LOOPBACK  # no proxy between us and ourselves

    def get(self, path: str, token: SecretStr | None = None) -> Reply:
        return self._exchange("GET", path, token=token)

    def post(self, path: str, form: Mapping[str, str]) -> Reply:
        return self._exchange("POST", path, form=form)

    def send(
        self, method: str, path: str, json: Mapping[str, Any] | None = None, token: SecretStr | None = None
    ) -> Reply:
        return self._exchange(method, path, token=token, json=json)

    def path_of(self, url: str) -> str | None:
        """The path of a URL that belongs to this origin; None for any other."""
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
        deadline = self._clock() + _WHOLE_SECONDS
        try:
            with self._session.request(
                method,
                self.address + path,
                data=form,
                json=json,
                auth=Bearer(token),
                headers={"Accept": "application/json", "Accept-Encoding": "identity"},
                timeout=(_CONNECT_SECONDS, _READ_SECONDS),
                allow_redirects=False,
                stream=True,
            ) as response:
                body = self._read(response, deadline)
                wait = _retry_after(response)
                return Reply(self.address, response.status_code, body, wait, self._site)
        except (requests.RequestException, HTTPError) as error:
            failure = self._failure(error)
        raise failure  # without the original, which may quote what was sent

    def _read(self, response: requests.Response, deadline: float) -> bytes:
        body = bytearray()
        while chunk := response.raw.read1(_CHUNK, decode_content=True):  # what there is: a drip is noticed
            body += chunk
            self._passed(len(chunk))
            if len(body) > LARGEST:
                raise self._site.error(f"{self.address} sent more than Idlebrush takes.", _AGAIN)
            if self._clock() > deadline:
                raise self._site.error(f"{self.address} answers too slowly.", _AGAIN)
        return bytes(body)

    def _failure(self, error: requests.RequestException | HTTPError) -> ClientError:
        kind = self._site.error
        if isinstance(error, requests.exceptions.SSLError):
            what = f"The connection to {self.address} is not secure: its certificate was not accepted."
            return kind(
                what, "See that this computer's clock is right and no sign-in page of a network waits."
            )
        if isinstance(error, requests.Timeout):
            return kind(f"{self.address} does not answer.", f"See that you are online. {_AGAIN}")
        if isinstance(error, requests.exceptions.ProxyError):
            what = f"The proxy on the way to {self.address} does not let this computer through."
            return kind(what, "See that the environment's HTTPS_PROXY is right.")
        if isinstance(error, requests.ConnectionError):
            return kind(f"{self.address} cannot be reached.", "See that this computer is online.")
        return kind(f"{self.address} gave no proper answer ({type(error).__name__}).", _AGAIN)


def _checked(address: str, site: Site) -> SplitResult:
    try:
        parts = urlsplit(address)
        secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        proper = bool(parts.hostname) and not (parts.username or parts.path or parts.query or parts.fragment)
    except ValueError:
        secure = proper = False
    if not (secure and proper):
        raise site.error(f"{site.name} is {address!r}, where a token cannot be sent safely.", site.remedy)
    return parts


def _retry_after(response: requests.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value[:6]) if value.isascii() and value.isdigit() else 0.0
