"""Asks the Hub: in limited time, for answers of bounded size, and following nobody elsewhere."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

import requests
from pydantic import TypeAdapter, ValidationError
from urllib3.exceptions import HTTPError

from coordinator.errors import HubAway

T = TypeVar("T")

_LARGEST = 1 << 20
_CHUNK = 16 * 1024
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 5.0
WHOLE_SECONDS = 10.0


@dataclass(frozen=True)
class Fetched(Generic[T]):
    value: T
    following: str | None
    """Address of the next page, on the same origin."""


def fetch(
    address: str,
    kind: TypeAdapter[T],
    *,
    token: str | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Fetched[T]:
    """What lies at that address, read as JSON of that kind; HubAway, which quotes nothing of it, otherwise."""

    def authorize(request: requests.PreparedRequest) -> requests.PreparedRequest:
        # Without an authorization of ours requests would look into ~/.netrc for one.
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        return request

    deadline = clock() + WHOLE_SECONDS
    try:
        with requests.get(
            address,
            auth=authorize,
            headers={"Accept": "application/json"},
            timeout=(_CONNECT_SECONDS, _READ_SECONDS),
            allow_redirects=False,
            stream=True,
        ) as response:
            response.raise_for_status()
            value = kind.validate_json(_body(response, lambda: clock() > deadline))
            return Fetched(value, _following(response, address))
    except (requests.RequestException, HTTPError, ValidationError, ValueError):
        failure = HubAway(f"{origin(address)} does not answer as it should.", "Try again in some minutes.")
    raise failure  # without the original, which may quote what was sent


def origin(address: str) -> str:
    """Scheme and host of a web address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _body(response: requests.Response, is_late: Callable[[], bool]) -> bytes:
    if response.status_code != requests.codes.ok:
        raise ValueError("it is elsewhere")
    body = bytearray()
    while chunk := response.raw.read1(_CHUNK, decode_content=True):  # what there is: a drip is noticed
        body += chunk
        if len(body) > _LARGEST or is_late():
            raise ValueError("it is too much, or too slow")
    return bytes(body)


def _following(response: requests.Response, address: str) -> str | None:
    """The next page by the Link header (RFC 8288); a token of ours goes to nobody else."""
    link = response.links.get("next", {}).get("url")
    return link if link and origin(link) == origin(address) else None
