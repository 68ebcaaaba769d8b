"""An averager that gives other peers what they lack: committed rounds, a whole state, frames of the time-lapse."""

from collections.abc import Callable, Sequence
from pathlib import Path

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import torch
from hivemind.p2p import P2PContext
from hivemind.proto import averaging_pb2
from hivemind.proto.p2pd_pb2 import RPCError

from core.swarm.admission.averager import AdmittingAverager
from core.swarm.admission.reader_places import NoPlace, ReaderPlaces
from core.swarm.averaging.ending import SharedPipe
from core.swarm.bandwidth import StreamPace
from core.swarm.projections.asking import packed_in_messages
from core.swarm.projections.sums import BUSY, SumsQuestion
from core.swarm.rounds.committed import CommittedRounds
from core.swarm.state.offered_frames import OfferedFrames
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState
from core.swarm.state.state_donor import StateDonor
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.frames import PACE

_MOST_READERS, _MOST_READERS_OF_AUXILIARY = 16, 64
"""Peers to which a peer gives parts of rounds at a time."""
_MESSAGE_SECONDS = 300.0
"""Seconds within which a reader must take a part: 28 kbit/s for one of 1 MiB."""


class ServingAverager(AdmittingAverager):
    """An averager that also serves state; other peers call its ``rpc_`` methods in the averager's process."""

    def __init__(self, *, auxiliary: bool, donor: StateDonor | None = None, **options: Any) -> None:
        """Serve nothing yet; an ``auxiliary`` peer keeps more rounds for others.

        ``donor`` gives this peer's state away; None is one with the usual bounds. ``options`` are hivemind's.
        """
        super().__init__(allow_state_sharing=False, auxiliary=auxiliary, **options)
        self._outer_pipe: Any = SharedPipe(self._outer_pipe)
        self._kept_rounds, self._donor, self._offered_frames = (
            CommittedRounds(for_others=auxiliary),
            donor or StateDonor(),
            OfferedFrames(),
        )
        self._committed_readers = ReaderPlaces(_MOST_READERS_OF_AUXILIARY if auxiliary else _MOST_READERS)

    # --- called by the trainer ----------------------------------------------------------------------------------

    def serve_state(
        self, provider: Callable[[], SwarmState], place: Callable[[], Place | None] = lambda: None
    ) -> None:
        """Give this peer's state to peers that ask.

        Args:
            provider: gives a copy of the state; called on a thread of this process.
            place: gives its place without a copy, on that thread; None where it is not known.
        """
        self._donor.provider, self._donor.place = provider, place
        self.allow_state_sharing = not self.client_mode

    def get_current_state(self) -> tuple[Any, Sequence[torch.Tensor], None]:
        """Return metadata and flat uint8 sections, each of shape (bytes,), of the trainer's state, and None.

        hivemind calls this hook on a thread of the trainer's process for each download.
        """
        return self._donor.current()

    def offer_frame(self, sha256: str, file: Path) -> None:
        """Give the time-lapse frame in ``file`` to peers that ask for it by its digest ``sha256`` (hex)."""
        self._outer_pipe.send(("_offer_frame", [], {"digest": bytes.fromhex(sha256), "file": file}))

    # --- inside the averager's process --------------------------------------------------------------------------

    async def _offer_frame(self, *, digest: bytes, file: Path) -> None:
        self._offered_frames.offer(digest, file)

    async def _declare_for_download_periodically(self) -> None:
        """Do nothing: hivemind would announce donors under its own key; ours are found by their progress records."""

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_fetch_committed(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Give parts of a round to a peer that lacks them.

        ``request`` holds the id of the round's group, the wanted indices, and as its weight the bytes a second that
        the peer wants at most (0: as fast as can be); ``context`` names the peer that asks.
        """
        try:
            # a place for each peer: two computers of a user that get none would download whole states instead
            place = self._committed_readers.take(bytes(context.remote_id.to_bytes()), context.remote_id)
        except NoPlace as error:
            yield cast(Any, RPCError(message=str(error)))
            return
        PACE.set(StreamPace(request.weight))
        with place:
            for message in self._kept_rounds.serve(request):
                with place.reading(_MESSAGE_SECONDS, "a part of a round"):
                    yield message
                place.note_read()

    async def rpc_fetch_summary(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Give the summary of a committed round: its contributors and its loss.

        ``request`` holds the round's root as its group id; ``context`` is not used.
        """
        for message in self._kept_rounds.summarise(request.group_id):
            yield message

    async def rpc_fetch_contributors(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Give the contributors of a group that combined with others in a committed round.

        ``request`` holds the group's id; ``context`` is not used.
        """
        yield self._kept_rounds.name_contributors(request.group_id)

    async def rpc_fetch_frame(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Give a frame of the time-lapse that this peer has announced.

        ``request`` holds the file's SHA-256 as its group id; ``context`` is not used.
        """
        async for message in self._offered_frames.serve(request.group_id):
            yield message

    async def rpc_describe_state(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Give a late or stale peer the list of the pieces of this peer's whole state; nothing if it shares none.

        ``request`` holds the root of the state that is wanted as its group id; ``context`` is not used.
        """
        if not self.allow_state_sharing:
            return
        wanted = request.group_id
        async for message in self._donor.describe(wanted, self._get_current_state_from_host_process):
            yield message

    async def rpc_fetch_pieces(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Give pieces of a state that was described.

        ``request`` holds the root of the state as its group id, and the wanted indices; ``context`` names the
        peer that asks.
        """
        peer = context.remote_id
        async for message in self._donor.give(request, peer, self._holder_of(peer)):
            yield message

    async def rpc_project_state(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Give sums of this peer's state by the caller's seed, from which it tells whether its own is like it.

        ``request`` holds the packed question as its group id; ``context`` names the peer that asks.
        """
        if not self.allow_state_sharing:
            return
        try:
            asked = SumsQuestion.unpack(request.group_id)
        except MalformedPart as error:
            yield cast(Any, RPCError(message=str(error)))
            return
        holder = self._holder_of(context.remote_id)
        answer = await self._donor.project(asked, self._get_current_state_from_host_process, holder)
        if answer is None:
            yield averaging_pb2.DownloadData(metadata=BUSY)
            return
        for message in packed_in_messages(answer):
            yield message

    async def rpc_download_state(
        self, request: averaging_pb2.DownloadRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Give nothing: hivemind's own way has no digests. ``request`` and ``context`` are not used."""
        nothing: Sequence[averaging_pb2.DownloadData] = ()
        for message in nothing:
            yield message
