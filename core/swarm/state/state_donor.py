"""The giving side of a state: keeps copies of the last states that were asked for, and gives pieces of them.

A late peer on a slow line takes longer than an epoch. So a copy stays for as long as it is asked for.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgpack
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.projection import projected
from core.swarm.admission.reader_places import NoPlace, ReaderPlaces
from core.swarm.bandwidth import StreamPace
from core.swarm.projections.budget import ProjectionBudget
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.pieces import PIECE_BYTES, StateOutline, digests_of
from core.swarm.state.replica import Place
from core.swarm.state.state import SECTION_BYTES, DonorFailed, SwarmState, sections_of
from core.swarm.state.trainer_questions import FromTrainer, Sections, TrainerQuestions
from core.swarm.wire.bits import unpack_indices
from core.swarm.wire.frames import PACE

_log = logging.getLogger(__name__)

MOST_INDICES = 16
"""Most pieces that one question asks for."""
_CHUNK_BYTES = 1 << 16
"""Bytes in one message: on the slowest line each arrives before it counts as a silence."""
_LEAST_CHUNK_BYTES = 1 << 10
MOST_READERS, MOST_READERS_OF_SERVER = 4, 64
"""Peers to which a trainer gives pieces at a time, as more would only make all of them slow; and those to which the
coordinator's publisher gives them: a home takes 20 Mbit/s, and a server has a hundred or a thousand."""
_MOST_COPIES = 2
_KEPT_SECONDS = 120.0
"""Seconds after the last question for a copy until its memory is freed: a late peer may lose its connection."""
_BETWEEN_SECONDS = 15.0
"""Seconds without a question after which a copy may be dropped for a newer one, where states are large."""
_BETWEEN_LEAST, _BETWEEN_FACTOR = 5.0, 20.0
"""Seconds of that pause where states are small, and seconds that it has more for each second that the copy took.

Both together are longer than an asking peer waits for further donors before it asks for pieces.
"""
_PIECE_SECONDS = 300.0
"""Seconds within which a reader must take a piece: 28 kbit/s; one that reads nothing holds no answer for ever."""
_LEAST_AGE_FACTOR = 2.0
"""Age up to which a copy is given in place of a newer state, as a multiple of the seconds that the copy took."""
_TRAINER_SECONDS = 30.0
"""Seconds that the trainer may be silent, as a frozen one is; no asking peer waits longer."""


class DonorRefusal(StrEnum):
    """The reason for which a donor gives nothing."""

    BUSY = "busy"  # it gives to others, or its trainer is frozen: it is worth asking again
    GONE = "gone"  # it does not have that state any more


@dataclass
class _Copy:
    outline: StateOutline
    sections: Sections
    cost: float
    """Seconds that it took to make."""
    taken_at: float
    asked_at: float
    readers: int = 0

    @property
    def pause(self) -> float:
        """Seconds without a question after which the copy may be dropped for a newer one."""
        return min(_BETWEEN_SECONDS, _BETWEEN_LEAST + _BETWEEN_FACTOR * self.cost)

    def piece(self, index: int) -> memoryview:
        section, start = divmod(index * PIECE_BYTES, SECTION_BYTES)
        return self.sections[section].numpy().data[start : start + PIECE_BYTES]


class StateDonor:
    """Gives this peer's state: ``current`` runs in the trainer's process, everything else in the averager's."""

    def __init__(
        self,
        *,
        trainer_seconds: float = _TRAINER_SECONDS,
        kept_seconds: float = _KEPT_SECONDS,
        piece_seconds: float = _PIECE_SECONDS,
        most_readers: int = MOST_READERS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without a state to give; `provider` has to be set before there is one, and `place` may be.

        Args:
            trainer_seconds: seconds within which the trainer must give its state.
            kept_seconds: seconds after the last question until a copy is dropped.
            piece_seconds: seconds within which a reader must take a piece.
            most_readers: peers that are given pieces at a time.
            clock: gives monotonic seconds.
        """
        self.provider: Callable[[], SwarmState] | None = None
        self.place: Callable[[], Place | None] = lambda: None
        """Gives the place of that state without a copy of it; None where it is not known."""
        self._questions = TrainerQuestions(trainer_seconds)
        self._kept_seconds, self._clock = kept_seconds, clock
        self._piece_seconds, self._places = piece_seconds, ReaderPlaces(most_readers, clock)
        self._projections = ProjectionBudget(clock)
        self._lock = threading.Lock()
        self._copies: dict[bytes, _Copy] = {}
        self._taking: asyncio.Task[_Copy | None] | None = None
        self._cleaning: asyncio.TimerHandle | None = None

    # --- in the trainer's process -------------------------------------------------------------------------------

    def current(self) -> tuple[dict[str, Any], list[torch.Tensor], None]:
        """Return epoch and head of the trainer's state now, sections of its bytes, copied, and None.

        The sections are flat uint8 tensors, each of shape (bytes,). Where a projection of the state is asked for, it
        comes instead, with the seconds that it took, and there are no sections. Raises DonorFailed if there is no
        state to give yet.
        """
        if self.provider is None:
            raise DonorFailed("This peer has no state to give yet.")
        if self._questions.releasing:
            return {}, [], None
        with self._lock:
            if (asked := self._questions.sums) is not None:
                began, sums = self._clock(), self._sums(self.provider, asked)
                return {"sums": sums.fields(), "seconds": self._clock() - began}, [], None
            state = self.provider()
            found, tensors = {"epoch": state.epoch, "head": state.head}, dict(state.tensors)
            del state  # the tensors are freed as they are copied
            return found, sections_of(tensors), None

    def _sums(self, provider: Callable[[], SwarmState], asked: SumsQuestion) -> StateSums:
        """Return the projection that is ``asked`` for; the state is not copied for a question about another place."""
        place = self.place()
        if place is not None and (place.epoch, place.head) != (asked.epoch, asked.head):
            return StateSums(place.epoch, place.head, None)
        state = provider()
        is_there = (state.epoch, state.head) == (asked.epoch, asked.head)
        return StateSums(state.epoch, state.head, projected(state.tensors, asked.seed) if is_there else None)

    # --- in the averager's process ------------------------------------------------------------------------------

    async def describe(self, wanted: bytes, state: FromTrainer) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Yield the outline of a state that is kept from now on, or a refusal.

        Args:
            wanted: root of the state that is wanted; if there is no copy of it, the newest state is given.
            state: fetches from the trainer its packed epoch and head, and the sections of its state: flat uint8
                tensors of shape (bytes,).
        """
        copy = self._copies.get(wanted) or await self._newest(state)
        if copy is None:
            yield _refusal(DonorRefusal.BUSY)
            return
        self._note_question(copy)
        yield averaging_pb2.DownloadData(tensor_part=runtime_pb2.Tensor(buffer=copy.outline.pack()))

    async def give(
        self, request: averaging_pb2.AveragingData, reader: PeerID, holder: bytes = b""
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Yield the pieces that ``request`` names, lossless, in chunks; or a refusal.

        The task that iterates is cancelled if it takes too long over a piece, as one is whose reader never reads,
        or if the same reader asks again; earlier if it has taken nothing for long while another one asks.

        Args:
            request: its group id is the root of the state; its tensor's buffer holds the indices of pieces, and its
                weight the bytes a second that the reader wants at most; 0 is as fast as can be.
            reader: the peer that asks.
            holder: name of its user, of whose peers one is given something at a time; empty in an open run.
        """
        copy = self._copies.get(request.group_id)
        if copy is None:
            yield _refusal(DonorRefusal.GONE)
            return
        try:
            place = self._places.take(holder or bytes(reader.to_bytes()), reader)
        except NoPlace:
            yield _refusal(DonorRefusal.BUSY)
            return
        copy.readers += 1
        pace = StreamPace(request.weight)
        PACE.set(pace)  # for the caller's task, which writes what is yielded
        # A second's worth at most: a reader that hears nothing for long takes its donor for lost.
        chunk_bytes = int(min(_CHUNK_BYTES, max(pace.rate, _LEAST_CHUNK_BYTES)))
        try:
            with place:
                for index in _asked_pieces(request, copy):
                    with place.reading(self._piece_seconds, "a piece of the state"):
                        for chunk in _chunks(copy.piece(index), chunk_bytes):
                            yield chunk
                            place.note_read()
                    self._note_question(copy)
        finally:
            copy.readers -= 1

    async def project(self, asked: SumsQuestion, state: FromTrainer, holder: bytes) -> StateSums | None:
        """Return the projection of the trainer's state that is ``asked`` for; None if the trainer is to be spared.

        ``state`` is as for `describe`, and ``holder`` the name of the user of the peer that asks.
        """
        if not self._projections.take(holder):
            return None
        given = await self._questions.ask(state, asked)
        if given is None:
            self._projections.give_back(holder)
            return None
        found = msgpack.unpackb(given[0])
        self._projections.spend(found["seconds"])
        return StateSums.of_fields(found["sums"])

    async def _newest(self, state: FromTrainer) -> _Copy | None:
        """Return a copy of the trainer's state, or the newest one if no more can be made; None if there is none."""
        newest = max(self._copies.values(), key=lambda copy: copy.taken_at, default=None)
        if newest is not None and self._clock() - newest.taken_at < _LEAST_AGE_FACTOR * newest.cost:
            return newest
        if self._taking is None and not self._make_room():
            return newest
        if self._taking is None:
            self._taking = asyncio.create_task(self._take(state))
            self._taking.add_done_callback(self._taken)
        return await asyncio.shield(self._taking) or newest

    def _make_room(self) -> bool:
        """Return true if there is room for another copy; one that no peer seems to read is dropped for it."""
        unused = self._unused(lambda copy: copy.pause)
        if len(self._copies) >= _MOST_COPIES and unused:
            del self._copies[min(unused, key=lambda copy: copy.asked_at).outline.root]
        return len(self._copies) < _MOST_COPIES

    def _unused(self, seconds: Callable[[_Copy], float]) -> list[_Copy]:
        """Return the copies that were not asked for during the ``seconds`` that count for each."""
        now = self._clock()
        return [
            copy
            for copy in self._copies.values()
            if not copy.readers and now - copy.asked_at >= seconds(copy)
        ]

    async def _take(self, state: FromTrainer) -> _Copy | None:
        began = self._clock()
        given = await self._questions.ask(state)
        if given is None:
            return None
        packed, sections, _ = given
        found = msgpack.unpackb(packed)
        digests = await asyncio.to_thread(digests_of, sections)
        outline, now = StateOutline(found["epoch"], found["head"], digests), self._clock()
        copy = self._copies.setdefault(outline.root, _Copy(outline, sections, now - began, now, now))
        copy.taken_at = now
        _log.info(
            "A copy of the state of epoch %d is kept for late peers: %d pieces.",
            outline.epoch,
            outline.pieces,
        )
        return copy

    def _taken(self, task: "asyncio.Task[_Copy | None]") -> None:
        self._taking = None
        if not task.cancelled():
            task.exception()  # marks it as seen: those that asked may be gone

    def _note_question(self, copy: _Copy) -> None:
        copy.asked_at = self._clock()
        if self._cleaning is None:
            self._cleaning = asyncio.get_running_loop().call_later(self._kept_seconds, self._clean)

    def _clean(self) -> None:
        """Drop the copies that were not asked for long enough, and come back while there are others."""
        self._cleaning = None
        for copy in self._unused(lambda copy: self._kept_seconds):
            del self._copies[copy.outline.root]
        if self._copies:
            self._cleaning = asyncio.get_running_loop().call_later(self._kept_seconds, self._clean)


def _chunks(piece: memoryview, chunk_bytes: int) -> Iterator[averaging_pb2.DownloadData]:
    for start in range(0, len(piece), chunk_bytes):
        chunk = runtime_pb2.Tensor(buffer=bytes(piece[start : start + chunk_bytes]))
        yield averaging_pb2.DownloadData(tensor_part=chunk)


def _asked_pieces(request: averaging_pb2.AveragingData, copy: _Copy) -> list[int]:
    asked = unpack_indices(request.tensor_part.buffer, MOST_INDICES)
    return [index for index in asked if index < copy.outline.pieces]


def _refusal(reason: DonorRefusal) -> averaging_pb2.DownloadData:
    return averaging_pb2.DownloadData(metadata=str(reason).encode())
