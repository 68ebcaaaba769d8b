"""Fetches parts of files over HTTP as if the network never failed: cut off or refused for now, it goes on later."""

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import httpx2
from huggingface_hub import get_session
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils._headers import build_hf_headers
from huggingface_hub.utils._http import hf_raise_for_status

from core.data.listing import RefusedError
from core.data.network.answers import FOR_NOW, asked_for
from core.data.network.persistence import Outage
from core.data.network.valve import Valve
from core.errors import DataError

T = TypeVar("T")

_SILENCE_SECONDS = 30.0
"""A connection that says nothing for so long is given up."""
_REFUSED = frozenset({401, 403})
_WHOLE_SET = frozenset({"RepoNotFound", "RevisionNotFound", "GatedRepo"})
"""What the Hub says in ``X-Error-Code`` where it is not about one file."""


class Fetcher:
    """Reads from servers, for one thread."""

    def __init__(self, valve: Valve | None = None, notify: Callable[[str], None] = lambda text: None) -> None:
        self._valve = valve or Valve()
        self._outage = Outage(self._valve, notify)

    def fetch(self, url: str, first: int, end: int) -> bytes:
        """Bytes ``first`` to ``end - 1`` of a file.

        Raises:
            DataError: the server has no such file or no such part of it; RefusedError, it hands nothing out.
            Ended: by the valve.
        """
        got = bytearray()
        try:
            self.persist(lambda: self._read_on(url, first, end, got))
        except httpx2.HTTPError as error:
            raise DataError(f"{url} cannot be fetched: {error}.", "Tell the run's organiser.") from error
        return bytes(got)

    def persist(self, attempt: Callable[[], T]) -> T:
        """What an attempt returns that the network does not prevent.

        Raises what it raises otherwise (httpx2.HTTPError, as huggingface_hub's errors are), and Ended.
        """
        while True:
            self._valve.wait()
            interruptions = self._valve.interruptions
            wait = None
            try:
                found = attempt()
            except httpx2.TransportError as error:
                reason = str(error) or type(error).__name__
            except HfHubHTTPError as error:
                if error.response.status_code not in FOR_NOW:
                    raise
                reason = f"the server answers {error.response.status_code}"
                wait = asked_for(error.response.headers)
            else:
                self._outage.over()
                return found
            if self._valve.interruptions == interruptions:
                self._outage.failed(reason, wait)

    def _read_on(self, url: str, first: int, end: int, got: bytearray) -> None:
        """Ask for what is missing, and add what comes to what was got before."""
        headers = {
            **build_hf_headers(),
            "Range": f"bytes={first + len(got)}-{end - 1}",
            "Accept-Encoding": "identity",
        }
        with (
            get_session().stream("GET", url, headers=headers, timeout=_SILENCE_SECONDS) as response,
            self._valve.reading(lambda: _cut(response)),
        ):
            _check(response, url, first + len(got), end)
            for chunk in response.iter_raw():
                missing = end - first - len(got)
                got += chunk[:missing]
                self._outage.over()
                if len(chunk) > missing:
                    break
        if len(got) < end - first:
            raise httpx2.RemoteProtocolError("the answer ends early")


def _check(response: httpx2.Response, url: str, first: int, end: int) -> None:
    """DataError or huggingface_hub's error unless the answer is the part of the file that was asked for."""
    status, remedy = response.status_code, "Tell the run's organiser: the data may have been removed."
    # A file's place is told by the Hub, and its bytes come from elsewhere: only the former knows of permissions.
    refused = status in _REFUSED and not response.history
    if refused or response.headers.get("X-Error-Code") in _WHOLE_SET:
        raise RefusedError(
            f"The run's data is not handed out ({status}): {url}.",
            "Sign in with an account that may read it.",
        )
    if status in (404, 410, 416):
        raise DataError(f"There is no such file, or no such part of it: {url}.", remedy)
    hf_raise_for_status(response)
    part = f"bytes {first}-"
    if status != httpx2.codes.PARTIAL_CONTENT or not response.headers.get("Content-Range", part).startswith(
        part
    ):
        raise DataError(f"The server does not hand out parts of {url} as it is asked to.", remedy)
    if int(response.headers.get("Content-Length", end - first)) < end - first:
        raise DataError(f"{url} is shorter than its data set says.", remedy)


def _cut(response: httpx2.Response) -> None:
    """End a connection under a thread that waits for it; closing the socket alone would not wake it."""
    stream = response.extensions["network_stream"]
    with suppress(OSError):  # it has ended by itself
        # That of ssl.SSLSocket would stop decrypting: what had arrived would be read on as if it were the data.
        socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)
