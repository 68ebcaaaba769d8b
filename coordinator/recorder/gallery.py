"""Collects the frames of the time-lapse from the peers that drew them, and keeps only its pixels and texts.

No person looks at a frame before it is shown. So the gallery takes the frame of the peer that has contributed longest
among those that offer one, and never a newcomer's.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

from hivemind.p2p import PeerID
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Frame, KnownPeer, Total, User
from core.data.images import BrokenImageError
from core.generation.frames import repainted
from core.storage.files import sha256_of, write_atomically
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import FrameRecord
from core.swarm.wire.streams import PeerLost

_log = logging.getLogger(__name__)

_ATTEMPTS = 3
"""Attempts to fetch one peer's frame."""
_REMEMBERED = 4096
"""Number of frames whose failed fetches are remembered."""
_DENSITY = 512
"""Frames over a run's length, at most: its 10,000 epochs are shown by one in 20. A peer that announces a frame for
every epoch, past or present, cannot fill the disk: a run of a million epochs has some 4,500."""


_EARNED = 10
"""Epochs in which a peer must have taken part before its frame is shown, or half of a younger run's."""


class Gallery:
    """The frames of one generation: files in a folder, and rows of the table that name them."""

    def __init__(self, folder: Path, database: Database, generation: int, texts: int = 0) -> None:
        """Prepare to collect the frames of a generation.

        Args:
            folder: Folder of the frames.
            database: Database that names them.
            generation: Number of the generation.
            texts: Texts in a frame, where the run's model writes; else 0.

        Raises:
            DatabaseError: The known frames cannot be read.
        """
        self._folder, self._database, self._generation = folder, database, generation
        self._texts = texts
        self._failures: Counter[bytes] = Counter()
        with database.reading() as session:
            known = session.scalars(select(Frame.epoch).where(Frame.generation == generation))
            self._last = max(known, default=None)

    async def collect(
        self,
        announced: Collection[FrameRecord],
        fetch: Callable[[FrameRecord], Awaitable[bytes]],
        *,
        newest: int,
    ) -> None:
        """Fetch frames that are due, up to the epoch ``newest``; one a peer does not give is tried again twice.

        Raises DatabaseError, and OSError where the folder cannot be written to.
        """
        for record in await asyncio.to_thread(self._earned, announced, newest):
            due = is_due(record.epoch, self._last, newest)
            if not due or self._failures[record.frame] >= _ATTEMPTS:
                continue
            try:
                painted = await asyncio.to_thread(repainted, await fetch(record), self._texts)
            except (PeerLost, MalformedPart, BrokenImageError) as error:
                self._note_failure(record.frame)
                _log.warning("A frame of epoch %d could not be downloaded: %s", record.epoch, error)
                continue
            await asyncio.to_thread(self._hang, record, painted)

    def _earned(self, announced: Collection[FrameRecord], newest: int) -> list[FrameRecord]:
        """Return the frames of trusted peers in order.

        Within an epoch, the frame of the peer with a part in most epochs comes first.
        """
        peers = {record.peer_id: PeerID(record.peer_id).to_base58() for record in announced}
        parts = (
            select(KnownPeer.peer_id, Total.epochs)
            .join(User, User.id == KnownPeer.user_id)
            .join(Total, Total.user_id == User.id)
            .where(KnownPeer.peer_id.in_(peers.values()), User.banned.is_(None))
        )
        with self._database.reading() as session:
            epochs = {row.peer_id: row.epochs for row in session.execute(parts)}
        had = {peer: epochs.get(name, 0) for peer, name in peers.items()}
        trusted = [record for record in announced if had[record.peer_id] >= min(_EARNED, newest // 2)]
        return sorted(trusted, key=lambda record: (record.epoch, -had[record.peer_id]))

    def _note_failure(self, frame: bytes) -> None:
        if len(self._failures) >= _REMEMBERED:
            self._failures.clear()
        self._failures[frame] += 1

    def _hang(self, record: FrameRecord, painted: bytes) -> None:
        """Write the frame's file first and its row afterwards, so that a row always has a file."""
        file = self._folder / f"g{self._generation}-epoch-{record.epoch:07d}.webp"
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(file, painted)
        row = Frame(
            generation=self._generation,
            epoch=record.epoch,
            sha256=sha256_of(file),
            size=len(painted),
            file=file.name,
            peer_id=PeerID(record.peer_id).to_base58(),
        )
        self._database.retrying(lambda session: session.merge(row))
        self._last = record.epoch


def is_due(epoch: int, last: int | None, newest: int) -> bool:
    """Return true if a frame of that epoch is due after the last one, while the run is at the epoch ``newest``."""
    return epoch <= newest and (last is None or epoch - last >= max(1, epoch // _DENSITY))
