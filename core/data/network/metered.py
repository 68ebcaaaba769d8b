"""What this process fetches from the Hub passes the peer's line: counted, and no faster than its cap."""

from collections.abc import Iterator

import httpx2
import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.utils._http import default_client_factory

from core.swarm.bandwidth import Tap, Way

_SILENCE_SECONDS = 30.0
"""A connection that says nothing for so long is given up; huggingface_hub would wait for ever."""


class MeteredStream(httpx2.SyncByteStream):
    """A response's bytes; what is not read yet fills the connection's buffers, and those hold the server back."""

    def __init__(self, stream: httpx2.SyncByteStream, tap: Tap) -> None:
        self._stream, self._tap = stream, tap

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._tap.block(Way.DOWN, len(chunk))
            yield chunk

    def close(self) -> None:
        self._stream.close()


def meter_hub(tap: Tap) -> None:
    """Let all that huggingface_hub, and ``datasets`` through it, reads in this process from now on pass a tap.

    Files in the Hub's deduplicated storage come by HTTP then: hf_xet has connections of its own, past any tap.
    """
    constants.HF_HUB_DISABLE_XET = True

    def meter(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = MeteredStream(response.stream, tap)

    def client() -> httpx2.Client:
        made = default_client_factory()
        made.timeout = httpx2.Timeout(_SILENCE_SECONDS)
        made.event_hooks = {**made.event_hooks, "response": [*made.event_hooks["response"], meter]}
        return made

    huggingface_hub.set_client_factory(client)
