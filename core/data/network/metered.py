"""Counts the bytes that this process fetches from the Hub, and holds them to the cap of the peer's line."""

from collections.abc import Iterator

import httpx2
import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.utils._http import default_client_factory

from core.swarm.bandwidth import ProcessLimiter, Way

_SILENCE_SECONDS = 30.0
"""Seconds of silence after which a connection is given up; huggingface_hub would wait for ever."""


class MeteredStream(httpx2.SyncByteStream):
    """Bytes of a response, no faster than a limiter lets them pass.

    Bytes that are not read yet fill the connection's buffers, and full buffers hold the server back.
    """

    def __init__(self, stream: httpx2.SyncByteStream, limiter: ProcessLimiter) -> None:
        """Wrap ``stream``, the body of a response.

        ``limiter`` counts each chunk as downloaded, and blocks the reader for as long as the cap demands.
        """
        self._stream, self._limiter = stream, limiter

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._limiter.block(Way.DOWN, len(chunk))
            yield chunk

    def close(self) -> None:
        """Close the response's own stream."""
        self._stream.close()


def meter_hub(limiter: ProcessLimiter) -> None:
    """Let ``limiter`` count and limit all that huggingface_hub reads in this process from now on.

    That includes what ``datasets`` reads through it. Files in the Hub's deduplicated storage then come by
    HTTP, because hf_xet has connections of its own that no limiter reaches.
    """
    constants.HF_HUB_DISABLE_XET = True

    def meter(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = MeteredStream(response.stream, limiter)

    def client() -> httpx2.Client:
        made = default_client_factory()
        made.timeout = httpx2.Timeout(_SILENCE_SECONDS)
        made.event_hooks = {**made.event_hooks, "response": [*made.event_hooks["response"], meter]}
        return made

    huggingface_hub.set_client_factory(client)
