"""Takes a state from several donors at once, each piece checked by itself; what has come stays when a donor fails."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import torch
from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.swarm.state.assignments import PieceAssignments
from core.swarm.state.beginning import Beginning
from core.swarm.state.pieces import DonorLied, PieceBuffer, StateOutline, joined, pieces_in
from core.swarm.state.questions import DonorBusy, ask_outline, ask_pieces
from core.swarm.state.state import DonorFailed, StateSchema
from core.swarm.state.vouching import VouchedState, donors_of, other_voices, ranked
from core.swarm.wire.streams import PeerLost

_log = logging.getLogger(__name__)

_AT_ONCE = 4
"""Donors that give pieces at a time."""
_GRACE_SECONDS = 3.0
"""Seconds for which further donors are waited for, once one offers the state that most others vouch for."""
_PAUSE_SECONDS = 1.0
"""Seconds before a donor that gives to others is asked again."""
_LOOK_SECONDS = 0.1
_PIECE_SECONDS, _PIECE_FACTOR = 60.0, 3.0
"""Seconds within which a donor must give a piece, 140 kbit/s for 1 MiB, or that multiple of the silence that the
run's rules allow it: one that gives byte after byte is never silent."""
_KEPT_SECONDS = 600.0
"""Seconds for which the pieces of an unfinished download are kept."""
_MOST_LIARS = 1024
_Found = TypeVar("_Found")


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


@dataclass
class _Download:
    """One call for a state: the donors that were asked, and what became of them."""

    wanted: bytes
    silence_seconds: float
    offers: dict[PeerID, StateOutline] = field(default_factory=dict)
    complaints: dict[PeerID, str] = field(default_factory=dict)
    busy: set[PeerID] = field(default_factory=set)

    @property
    def roots(self) -> dict[bytes, bytes]:
        """The root that each donor (its id) offers."""
        return {donor.to_bytes(): outline.root for donor, outline in self.offers.items()}


class StateDownloads:
    """A peer's downloads, one at a time."""

    def __init__(
        self,
        schema: StateSchema,
        stub_of: Callable[[PeerID], Any],
        beginning: Beginning | None = None,
        *,
        piece_seconds: float = _PIECE_SECONDS,
    ) -> None:
        """Have nothing of any state yet.

        Args:
            schema: names, shapes and types of a state's tensors.
            stub_of: gives the RPC stub of a peer.
            beginning: the beginning of this peer's generation, by which states are refused; None refuses none.
            piece_seconds: the least seconds within which a donor must give a piece.
        """
        self._schema, self._stub_of, self._beginning = schema, stub_of, beginning
        self._piece_seconds = piece_seconds
        self._size = sum(item.bytes for item in schema)
        self._lock, self._liars = asyncio.Lock(), dict[PeerID, None]()
        self.arrived = 0
        """Number of pieces that came, in all downloads."""
        self._buffer: PieceBuffer | None = None
        """The pieces of a download that did not end."""
        self._vouched: set[bytes] = set()
        """Roots that others vouch for, or did when their download began: that goes on."""
        self._forgetting: asyncio.TimerHandle | None = None

    async def download(
        self,
        donors: Sequence[PeerID],
        *,
        chunk_seconds: float,
        progress: Sequence[VouchedState] = (),
        commits: Sequence[VouchedState] = (),
    ) -> tuple[StateOutline, torch.Tensor]:
        """Return the outline and the bytes of the state that is vouched for best among those that donors offer.

        Several donors are asked at once, each for pieces that are missing yet. A download that failed goes on with
        the pieces that came, where a donor still has that state.

        Args:
            donors: peers to ask; those that lied before are left out.
            chunk_seconds: seconds for which a donor may be silent.
            progress: the states that the swarm's records of progress name.
            commits: the states that commits name.

        Returns:
            The outline, and the bytes as a uint8 tensor of shape (bytes,).

        Raises:
            StateUnavailable: no donor gave such a state; DonorsBusy if some were giving theirs to other peers.
        """
        async with self._lock:
            self._keep_partial(False)
            wanted = self._buffer.outline.root if self._buffer else progress[0].root if progress else b""
            call = _Download(wanted, chunk_seconds)
            asked = [donor for donor in donors if donor not in self._liars]
            try:
                return await self._first_of(call, asked, progress, commits)
            finally:
                self._vouched &= {self._buffer.outline.root} if self._buffer else set()
                self._keep_partial(self._buffer is not None)

    def _keep_partial(self, keeps: bool) -> None:
        """Forget the pieces of an unfinished download some time from now if ``keeps``, else not."""
        if self._forgetting is not None:
            self._forgetting.cancel()
        later = asyncio.get_running_loop().call_later
        self._forgetting = later(_KEPT_SECONDS, self._forget) if keeps else None

    def _forget(self) -> None:
        self._buffer = self._forgetting = None
        self._vouched.clear()

    async def _first_of(
        self,
        call: _Download,
        donors: Sequence[PeerID],
        progress: Sequence[VouchedState],
        commits: Sequence[VouchedState],
    ) -> tuple[StateOutline, torch.Tensor]:
        """Return the best state that donors give whole; the donors are asked by a few."""
        rest = list(donors)
        while rest:
            asked, rest = rest[:_AT_ONCE], rest[_AT_ONCE:]
            await self._ask(call, asked, progress)
            while roots := self._ranked(call, progress, commits):
                silent = [
                    donor for donor in asked if donor not in (call.offers.keys() | call.complaints.keys())
                ]
                found = await self._fetch(call, roots[0], silent, rest)
                if found is not None:
                    return found
            rest = [donor for donor in rest if donor not in call.complaints]
        reasons = "; ".join(f"{donor}: {why}" for donor, why in call.complaints.items())
        error = DonorsBusy if call.busy else StateUnavailable
        raise error(f"No peer gave the swarm's state ({reasons or 'none is known'}).")

    def _ranked(
        self, call: _Download, progress: Sequence[VouchedState], commits: Sequence[VouchedState]
    ) -> list[bytes]:
        offers = call.roots
        roots = ranked(offers, progress, commits)
        self._vouched |= {
            state.root
            for state in (*progress, *commits)
            if other_voices(state.peers, donors_of(state.root, offers))
        }
        begun = self._buffer.outline.root if self._buffer else None
        return sorted(roots, key=lambda root: root != begun or root not in self._vouched)

    # --- offers -------------------------------------------------------------------------------------------------

    async def _ask(self, call: _Download, donors: Sequence[PeerID], vouched: Sequence[VouchedState]) -> None:
        """Collect the outlines that ``donors`` offer; slow ones are not waited for once the best one is there."""
        asking = {asyncio.create_task(self._offer(call, donor)) for donor in donors}
        deadline: float | None = None
        try:
            while asking:
                seconds = None if deadline is None else deadline - time.monotonic()
                if seconds is not None and seconds <= 0:
                    break
                _, asking = await asyncio.wait(asking, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                if deadline is None and self._has_best(call, vouched):
                    deadline = time.monotonic() + _GRACE_SECONDS
        finally:
            await _end(asking)

    def _has_best(self, call: _Download, vouched: Sequence[VouchedState]) -> bool:
        """Return true if a donor offers the state that is begun, or the one that most peers but itself vouch for."""
        offers = call.roots
        begun = {self._buffer.outline.root} & self._vouched if self._buffer else set()
        most = max((len(state.peers) for state in vouched), default=0)
        best = {
            state.root
            for state in vouched
            if len(state.peers) == most and other_voices(state.peers, donors_of(state.root, offers))
        }
        return not (begun | best).isdisjoint(offers.values())

    async def _offer(self, call: _Download, donor: PeerID) -> StateOutline | None:
        """Return what ``donor`` offers, noted in ``call``; None if it offers nothing."""
        try:
            outline = await ask_outline(
                self._stub_of(donor),
                call.wanted,
                pieces=pieces_in(self._size),
                silence_seconds=call.silence_seconds,
            )
        except DonorBusy:
            self._note_busy(call, donor)
        except (DonorFailed, PeerLost) as error:
            self._complain(call, donor, str(error) or type(error).__name__)
        else:
            call.offers[donor] = outline
            return outline
        return None

    def _complain(self, call: _Download, donor: PeerID, why: str) -> None:
        call.offers.pop(donor, None)
        call.complaints[donor] = why
        _log.warning("State download failed: %s: %s", donor, why)

    def _note_busy(self, call: _Download, donor: PeerID) -> None:
        self._complain(call, donor, "it gives its state to others")
        call.busy.add(donor)

    # --- pieces -------------------------------------------------------------------------------------------------

    async def _fetch(
        self, call: _Download, root: bytes, silent: Sequence[PeerID], reserve: Sequence[PeerID]
    ) -> tuple[StateOutline, torch.Tensor] | None:
        """Return the state with this ``root``; None if its donors failed, who then offer it no more.

        Donors that were ``silent`` so far give pieces once they offer that state, those of the ``reserve`` when
        others fail.
        """
        donors = [donor for donor, outline in call.offers.items() if outline.root == root]
        outline, call.wanted = call.offers[donors[0]], root
        if self._buffer is None or self._buffer.outline.root != root:
            self._buffer = None  # its memory is free before more is taken
            self._buffer = PieceBuffer(outline, self._size)
        buffer, began = self._buffer, time.monotonic()
        _log.info(
            "State download begins: epoch %d, %d of %d pieces are missing, %d peers offer it: %s.",
            outline.epoch,
            len(buffer.missing),
            outline.pieces,
            len(donors),
            ", ".join(map(str, donors)),
        )
        given = await self._collect(call, buffer, [*donors, *silent], reserve)
        if buffer.missing:
            self._drop_offers(call, root, "it gave no more pieces")
            return None
        self._buffer = None
        if why := await asyncio.to_thread(self._fault, buffer):
            _log.warning("The state of epoch %d is refused: %s", outline.epoch, why)
            self._drop_offers(call, root, why)
            return None
        _log.info(
            "State of epoch %d downloaded: %d bytes in %.1f s; pieces: %s.",
            outline.epoch,
            self._size,
            time.monotonic() - began,
            ", ".join(f"{count} from {donor}" for donor, count in given.items()) or "none",
        )
        return outline, buffer.flat

    def _drop_offers(self, call: _Download, root: bytes, why: str) -> None:
        for donor in [donor for donor, outline in call.offers.items() if outline.root == root]:
            self._complain(call, donor, why)

    async def _collect(
        self, call: _Download, buffer: PieceBuffer, donors: Sequence[PeerID], reserve: Sequence[PeerID]
    ) -> Mapping[PeerID, int]:
        """Fill ``buffer`` from ``donors``, and from the ``reserve`` when some fail; return the pieces of each."""
        work, waiting = PieceAssignments(buffer), iter(reserve)
        running = {asyncio.create_task(self._take_from(call, donor, work)) for donor in donors}
        try:
            while running and buffer.missing:
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for _ in done:
                    if (donor := next(waiting, None)) is not None:
                        running.add(asyncio.create_task(self._take_from(call, donor, work)))
        finally:
            await _end(running)  # the slow ones, whose pieces came from others
        return work.given

    async def _take_from(self, call: _Download, donor: PeerID, work: PieceAssignments) -> None:
        """Take pieces from ``donor`` until none is missing or it fails."""
        try:
            if donor not in self._liars and await self._offers(call, donor, work.buffer.outline.root):
                await self._take_pieces(call, donor, work)
        except DonorLied as error:
            self._note_liar(donor)
            self._complain(call, donor, f"{error.what} It is not asked again.")
        except (DonorFailed, PeerLost) as error:
            self._complain(call, donor, str(error) or type(error).__name__)
        except DonorBusy:
            self._note_busy(call, donor)
        finally:
            work.release(donor)

    async def _offers(self, call: _Download, donor: PeerID, root: bytes) -> bool:
        """Return true if ``donor`` offers the state with this ``root``; it is asked if it was not yet."""
        outline = call.offers.get(donor) or await self._offer(call, donor)
        return outline is not None and outline.root == root

    async def _take_pieces(self, call: _Download, donor: PeerID, work: PieceAssignments) -> None:
        """Take pieces from ``donor``; one that is busy is asked again for as long as it might be silent."""
        busy_since: float | None = None
        piece_seconds = max(self._piece_seconds, _PIECE_FACTOR * call.silence_seconds)
        while work.buffer.missing:
            indices = work.assign(donor)
            if not indices:  # all are asked for elsewhere, and may come
                await asyncio.sleep(_LOOK_SECONDS)
                continue
            try:
                async for index, data in ask_pieces(
                    self._stub_of(donor),
                    indices,
                    work.buffer,
                    silence_seconds=call.silence_seconds,
                    piece_seconds=piece_seconds,
                ):
                    busy_since = None
                    if work.buffer.put(index, data):
                        work.arrived(donor, index)
                        self.arrived += 1
            except DonorBusy:
                busy_since = busy_since or time.monotonic()
                if time.monotonic() - busy_since >= call.silence_seconds:
                    raise
                work.release(donor)
                await asyncio.sleep(_PAUSE_SECONDS)

    def _note_liar(self, donor: PeerID) -> None:
        self._liars[donor] = None
        while len(self._liars) > _MOST_LIARS:
            del self._liars[next(iter(self._liars))]

    def _fault(self, buffer: PieceBuffer) -> str | None:
        """Return why the whole state is not acceptable, in words; None if it is."""
        try:
            state = joined(buffer.flat, self._schema, buffer.outline)
        except DonorFailed as error:
            return error.what
        return self._beginning.refusal(state) if self._beginning is not None else None


async def bounded(download: Coroutine[Any, Any, _Found], seconds: float) -> _Found:
    """Return what ``download`` returns; it is cancelled after ``seconds``, and frees its place for the next.

    Raises StateUnavailable then.
    """
    try:
        async with asyncio.timeout(seconds):
            return await download
    except TimeoutError as error:
        raise StateUnavailable(f"The peers did not give the swarm's state within {seconds:.0f} s.") from error


async def _end(tasks: "set[asyncio.Task[Any]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
