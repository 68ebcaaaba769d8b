"""Collects the frames of the time-lapse from the peers that drew them, and keeps of each its pixels alone."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from hivemind.p2p import PeerID
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Frame
from core.data.pixels import BrokenImageError
from core.files import sha256_of, write_atomically
from core.generation.frames import repainted
from core.swarm.encoding import MalformedPart
from core.swarm.records import FrameRecord
from core.swarm.streams import PeerLost

_log = logging.getLogger(__name__)

_ATTEMPTS = 3
"""At one peer's frame."""


class Gallery:
    """The frames of one generation: files in a folder, and rows of the table that name them."""

    def __init__(self, folder: Path, database: Database, generation: int) -> None:
        """Raises DatabaseError."""
        self._folder, self._database, self._generation = folder, database, generation
        self._failures: Counter[bytes] = Counter()
        with database.reading() as session:
            known = session.scalars(select(Frame.epoch).where(Frame.generation == generation))
            self._have = set(known)

    async def collect(
        self,
        told: Iterable[FrameRecord],
        fetch: Callable[[FrameRecord], Awaitable[bytes]],
        *,
        newest: int,
    ) -> None:
        """Fetch frames that we lack, up to the epoch ``newest``; one a peer does not give is tried again twice.

        Raises DatabaseError, and OSError where the folder cannot be written to.
        """
        for record in told:
            if (
                record.epoch > newest
                or record.epoch in self._have
                or self._failures[record.frame] >= _ATTEMPTS
            ):
                continue
            try:
                painted = await asyncio.to_thread(repainted, await fetch(record))
            except (PeerLost, MalformedPart, BrokenImageError) as error:
                self._failures[record.frame] += 1
                _log.warning("A frame of epoch %d is not to be had: %s", record.epoch, error)
                continue
            await asyncio.to_thread(self._hang, record, painted)

    def _hang(self, record: FrameRecord, painted: bytes) -> None:
        """The file first: a row always has one."""
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
        self._have.add(record.epoch)
