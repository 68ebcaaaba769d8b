"""An averager that gives other peers what they lack: committed rounds, a whole state, frames of the time-lapse."""

from collections.abc import Callable, Sequence
from pathlib import Path

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator  # noqa: UP035

import torch
from hivemind.p2p import P2PContext
from hivemind.proto import averaging_pb2

from core.swarm.admission.averager import AdmittingAverager
from core.swarm.committed import CommittedRounds
from core.swarm.donors import StateDonor
from core.swarm.offered_frames import OfferedFrames
from core.swarm.state import SwarmState


class ServingAverager(AdmittingAverager):
    """Its ``rpc_`` methods are what others call, in the averager's process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_state_sharing=False, **options)
        self._kept_rounds, self._donor, self._offered_frames = (
            CommittedRounds(),
            StateDonor(),
            OfferedFrames(),
        )

    # --- called by the trainer ----------------------------------------------------------------------------------

    def serve_state(self, provider: Callable[[], SwarmState]) -> None:
        """Give this peer's state to those who ask; ``provider`` is called on a thread of this process."""
        self._donor.provider = provider
        self.allow_state_sharing = not self.client_mode

    def get_current_state(self) -> tuple[Any, Sequence[torch.Tensor], None]:
        """hivemind's hook: called on a thread of the trainer's process for each download."""
        return self._donor.current()

    def offer_frame(self, sha256: str, file: Path) -> None:
        """Give a frame of the time-lapse to those who ask for it by its digest (hex)."""
        self._outer_pipe.send(("_offer_frame", [], {"digest": bytes.fromhex(sha256), "file": file}))

    # --- inside the averager's process --------------------------------------------------------------------------

    async def _offer_frame(self, *, digest: bytes, file: Path) -> None:
        self._offered_frames.offer(digest, file)

    async def _declare_for_download_periodically(self) -> None:
        """hivemind would announce donors under a key of its own; ours are found by their progress records."""

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_fetch_committed(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """A peer lacks parts of a round that was committed."""
        for message in self._kept_rounds.serve(request):
            yield message

    async def rpc_fetch_summary(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Somebody follows the run: who contributed to a committed round, and its loss."""
        for message in self._kept_rounds.summarise(request.group_id):
            yield message

    async def rpc_fetch_frame(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Somebody collects the frames of the time-lapse that this peer has told of."""
        async for message in self._offered_frames.serve(request.group_id):
            yield message

    async def rpc_download_state(
        self, request: averaging_pb2.DownloadRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """A late or stale peer takes our whole state."""
        if not self.allow_state_sharing:
            return
        async for message in self._donor.serve(self._get_current_state_from_host_process):
            yield message
