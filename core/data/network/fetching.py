"""Fetches parts of files over HTTP, and tries again after a cut connection or a refusal that may pass."""

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeVar

import httpx2
from huggingface_hub import get_session
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils._headers import build_hf_headers
from huggingface_hub.utils._http import hf_raise_for_status, parse_ratelimit_headers

from core.data.listing import RefusedError
from core.errors import DataError
from core.network.pause_token import PauseToken
from core.network.persistence import FOR_NOW, Outage, retry_after


def asked_for(headers: Mapping[str, str]) -> float | None:
    """Return the seconds for which a server asks to be left alone, by its response ``headers``; None if it does not.

    They come from the Hub's ``RateLimit`` or from ``Retry-After``, which is ignored if it is a date.
    """
    limit = parse_ratelimit_headers(headers)
    if limit and limit.remaining == 0:
        return float(limit.reset_in_seconds)
    return retry_after(headers)


T = TypeVar("T")

_SILENCE_SECONDS = 30.0
"""Seconds of silence after which a connection is given up."""
_REFUSED = frozenset({401, 403})
_WHOLE_SET = frozenset({"RepoNotFound", "RevisionNotFound", "GatedRepo"})
"""Values of the Hub's ``X-Error-Code`` that concern more than one file."""


class Fetcher:
    """Reads from servers, for one thread."""

    def __init__(
        self, pause_token: PauseToken | None = None, notify: Callable[[str], None] = lambda text: None
    ) -> None:
        """Prepare to read; no connection is made yet.

        Args:
            pause_token: Pauses and ends the reading; None: nothing does.
            notify: Called by the reading thread with a sentence for the user when the network prevents reading for
                long, and when it no longer does.
        """
        self._pause_token = pause_token or PauseToken()
        self._outage = Outage(self._pause_token, notify, "training data")

    def fetch(self, url: str, first: int, end: int) -> bytes:
        """Return the bytes ``first`` to ``end - 1`` of the file at ``url``.

        Raises:
            RefusedError: the server does not hand out the data set as a whole.
            DataError: the server has no such file or no such part of it, or cannot be used.
            Ended: by the pause token.
        """
        got = bytearray()
        try:
            self.persist(lambda: self._read_on(url, first, end, got))
        except httpx2.HTTPError as error:
            raise DataError(f"{url} cannot be fetched: {error}.", "Tell the run's organiser.") from error
        return bytes(got)

    def persist(self, attempt: Callable[[], T]) -> T:
        """Return the result of ``attempt``, which is called again as long as the network prevents it.

        Raises:
            httpx2.HTTPError: by the attempt, for a fault that does not pass, as huggingface_hub's errors are.
            Ended: by the pause token.
        """
        while True:
            self._pause_token.wait()
            interruptions = self._pause_token.interruptions
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
            if self._pause_token.interruptions == interruptions:
                self._outage.failed(reason, wait)

    def _read_on(self, url: str, first: int, end: int, got: bytearray) -> None:
        """Ask for the bytes that are missing, and append them to ``got``."""
        headers = {
            **build_hf_headers(),
            "Range": f"bytes={first + len(got)}-{end - 1}",
            "Accept-Encoding": "identity",
        }
        with (
            get_session().stream("GET", url, headers=headers, timeout=_SILENCE_SECONDS) as response,
            self._pause_token.reading(lambda: _cut(response)),
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
    """Check that the answer is the requested part of the file; raises DataError or huggingface_hub's error if not."""
    status, remedy = response.status_code, "Tell the run's organiser: the data may have been removed."
    # A file's place is told by the Hub, and its bytes come from elsewhere: only the former knows of permissions.
    refused = status in _REFUSED and not response.history
    if refused or response.headers.get("X-Error-Code") in _WHOLE_SET:
        raise RefusedError(
            f"Access to the run's data was denied ({status}): {url}.",
            "Sign in with an account that may read it.",
        )
    if status in (404, 410, 416):
        raise DataError(f"There is no such file, or no such part of it: {url}.", remedy)
    hf_raise_for_status(response)
    part = f"bytes {first}-"
    if status != httpx2.codes.PARTIAL_CONTENT or not response.headers.get("Content-Range", part).startswith(
        part
    ):
        raise DataError(f"The server does not answer range requests for {url} as it should.", remedy)
    if int(response.headers.get("Content-Length", end - first)) < end - first:
        raise DataError(f"{url} is shorter than its data set says.", remedy)


def _cut(response: httpx2.Response) -> None:
    """End a connection under a thread that waits for it; closing the socket alone would not wake the thread."""
    stream = response.extensions["network_stream"]
    with suppress(OSError):  # it has ended by itself
        # That of ssl.SSLSocket would stop decrypting: what had arrived would be read on as if it were the data.
        socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)
