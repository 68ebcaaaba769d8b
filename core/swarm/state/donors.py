"""Gives this peer's state to late peers, and takes a state from the first donor that gives it whole."""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import msgpack
import torch
from hivemind.compression import CompressionInfo, NoCompression
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils.streaming import split_for_streaming

from core.errors import SwarmError
from core.swarm.state.beginning import Beginning
from core.swarm.state.state import DonorFailed, StateReader, StateSchema, SwarmState
from core.swarm.wire.streams import PeerLost, messages

_log = logging.getLogger(__name__)

_MAX_DOWNLOADS = 2
"""Downloads served at a time: more would only make all of them slow."""
_TRAINER_SECONDS = 30.0
"""Seconds that the trainer may be silent, as a frozen one is; no asking peer waits longer."""


class StateUnavailable(SwarmError):
    """No donor gave its state."""

    def __init__(self, what: str) -> None:
        """Make the error with ``what``, a sentence that says why no donor gave its state; the remedy is fixed."""
        super().__init__(
            what, "Check the connection; if it persists, the organiser can publish a checkpoint."
        )

    def __reduce__(self) -> tuple[type["StateUnavailable"], tuple[str]]:
        return type(self), (self.what,)


class DonorsBusy(StateUnavailable):
    """No donor gave its state, and some were giving it to others: they are worth asking again."""


class _Busy(SwarmError):
    """A donor ended its answer before it began."""


class StateDonor:
    """The giving side: ``current`` runs in the trainer's process, ``serve`` in the averager's."""

    def __init__(self, trainer_seconds: float = _TRAINER_SECONDS) -> None:
        """Have no state to give until ``provider`` is set.

        A download ends empty if the trainer does not give its state within ``trainer_seconds``.
        """
        self.provider: Callable[[], SwarmState] | None = None
        self._trainer_seconds, self._lock = trainer_seconds, threading.Lock()
        self._serving = 0

    def current(self) -> tuple[dict[str, Any], list[torch.Tensor], None]:
        """Return metadata and sections of the trainer's state now, copied, and None.

        The sections are flat uint8 tensors, each of shape (bytes,). Raises DonorFailed if there is no state
        to give yet.
        """
        if self.provider is None:
            raise DonorFailed("This peer has no state to give yet.")
        with self._lock:
            state = self.provider()
            return state.metadata(), state.sections(), None

    async def serve(
        self, state: Callable[[], Awaitable[tuple[bytes, Sequence[torch.Tensor], Any]]]
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Yield the state, lossless, in chunks; nothing while enough peers are served, or if the trainer is frozen.

        ``state`` fetches from the trainer the packed metadata and the sections, flat uint8 tensors of shape
        (bytes,).
        """
        if self._serving >= _MAX_DOWNLOADS:
            return
        self._serving += 1
        try:
            try:
                metadata, sections, _ = await asyncio.wait_for(state(), self._trainer_seconds)
            except TimeoutError:
                return
            yield averaging_pb2.DownloadData(metadata=metadata)
            for number, section in enumerate(sections):
                message = NoCompression().compress(section, CompressionInfo.from_tensor(section, key=number))
                for chunk in split_for_streaming(message):
                    yield averaging_pb2.DownloadData(tensor_part=chunk)
        finally:
            self._serving -= 1


async def download(
    donors: Sequence[PeerID],
    schema: StateSchema,
    *,
    stub_of: Callable[[PeerID], Any],
    chunk_seconds: float,
    beginning: Beginning | None = None,
) -> tuple[dict[str, Any], torch.Tensor]:
    """Return metadata and bytes of a state, from the first donor that gives an acceptable one.

    Each donor is asked once.

    Args:
        donors: peers to ask, in this order.
        schema: names, shapes and types of the state's tensors.
        stub_of: gives the RPC stub of a peer.
        chunk_seconds: seconds for which a donor may be silent.
        beginning: the beginning of this peer's generation, by which states are refused; None refuses none.

    Returns:
        The epoch, head and digest of the state, and its bytes as a uint8 tensor of shape (bytes,).

    Raises:
        StateUnavailable: no donor gave such a state; DonorsBusy if some were giving theirs to other peers.
    """
    complaints, unavailable = [], StateUnavailable
    for donor in donors:
        _log.info("State download from peer %s begins.", donor)
        began = time.monotonic()
        try:
            found, values = await _download_from(donor, schema, stub_of, chunk_seconds, beginning)
            seconds = time.monotonic() - began
            _log.info(
                "State of epoch %d downloaded: %d bytes in %.1f s.", found["epoch"], len(values), seconds
            )
            return found, values
        except _Busy as error:
            unavailable = DonorsBusy
            complaints.append(f"{donor}: {error.what}")
        except (DonorFailed, PeerLost, ValueError, msgpack.UnpackException) as error:
            complaints.append(f"{donor}: {str(error) or type(error).__name__}")
        _log.warning("State download failed: %s", complaints[-1])
    raise unavailable(f"No peer gave the swarm's state ({'; '.join(complaints) or 'none is known'}).")


async def _download_from(
    donor: PeerID,
    schema: StateSchema,
    stub_of: Callable[[PeerID], Any],
    chunk_seconds: float,
    beginning: Beginning | None,
) -> tuple[dict[str, Any], torch.Tensor]:
    reader = StateReader(schema)
    call = stub_of(donor).rpc_download_state(averaging_pb2.DownloadRequest())
    async for message in messages(call, silence_seconds=chunk_seconds):
        if message.metadata:
            reader.metadata(msgpack.unpackb(message.metadata))
        else:
            reader.chunk(message.tensor_part.buffer)
    if not reader.began:
        raise _Busy("it gives its state to others", "Another peer is asked for the state.")
    state = reader.finish()
    if beginning is not None and (why := beginning.refusal(state)):
        raise DonorFailed(f"A donor's state is refused: {why}.")
    return {"epoch": state.epoch, "head": state.head, "digest": state.metadata()["digest"]}, reader.flat
