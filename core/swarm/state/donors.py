"""Takes a state from several donors at once, each piece checked by itself; what has come stays when a donor fails."""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import torch
from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.swarm.admission.set_aside import UsersSetAside
from core.swarm.state.assignments import PieceAssignments
from core.swarm.state.beginning import Beginning
from core.swarm.state.offers import StateOffers
from core.swarm.state.pieces import DonorLied, PieceBuffer, StateOutline, joined, pieces_in
from core.swarm.state.questions import DonorBusy, ask_pieces
from core.swarm.state.state import DonorFailed, StateSchema
from core.swarm.state.vouching import StateVoices
from core.swarm.wire.streams import PeerLost
from core.swarm.wire.voices import Voter
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

_AT_ONCE = 4
"""Donors that give pieces at a time."""
_PAUSE_SECONDS = 1.0
"""Seconds before a donor that gives to others is asked again."""
_LOOK_SECONDS = 0.1
_AGAIN_SECONDS, _MORE_DIALS = 5.0, 3
"""Seconds until a donor is asked again that could not be reached, and how often: routers are opened meanwhile."""
_PIECE_SECONDS, _PIECE_FACTOR = 60.0, 3.0
"""Seconds within which a donor must give a piece, 140 kbit/s for 1 MiB, or that multiple of the silence that the
run's rules allow it: one that gives byte after byte is never silent."""
_KEPT_SECONDS = 600.0
"""Seconds for which the pieces of an unfinished download are kept."""
_LIED_SECONDS, _FAILED_SECONDS = 600.0, 30.0
"""Seconds, at first, for which no peer of a user is asked of whom one lied, or all are asked last as one failed."""
_MOST_REFUSED = 64
_NO_VOICES = StateVoices()
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


class StateDownloads:
    """A peer's downloads, one at a time."""

    def __init__(
        self,
        schema: StateSchema,
        stub_of: Callable[[PeerID], Any],
        beginning: Beginning | None = None,
        *,
        piece_seconds: float = _PIECE_SECONDS,
        again_seconds: float = _AGAIN_SECONDS,
        kept_seconds: float = _KEPT_SECONDS,
        rate: Callable[[], float] = lambda: math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without any piece of a state.

        Args:
            schema: names, shapes and types of a state's tensors.
            stub_of: gives the RPC stub of a peer.
            beginning: the beginning of this peer's generation, by which states are refused; None refuses none.
            piece_seconds: the least seconds within which a donor must give a piece.
            again_seconds: seconds after which a donor is asked again that could not be reached.
            kept_seconds: seconds for which the pieces of an unfinished download are kept.
            rate: gives the bytes a second that may come at present; infinite without a cap.
            clock: gives monotonic seconds.
        """
        self._schema, self._stub_of, self._beginning = schema, stub_of, beginning
        self._piece_seconds, self._again_seconds, self._rate = piece_seconds, again_seconds, rate
        self._kept_seconds = kept_seconds
        self._size = sum(item.bytes for item in schema)
        self._lock = asyncio.Lock()
        self._clock, self._liars, self._failing = clock, UsersSetAside(clock), UsersSetAside(clock)
        """Users of whom a donor lied, and those of whom one failed."""
        self._voices = _NO_VOICES
        """The swarm's word in the present download."""
        self._only: bytes | None = None
        """Root of the one state that the present download takes; None takes any."""
        self._named = set[bytes]()
        """Roots that several users named while a donor offered them in the present download, and none lied."""
        self.arrived = 0
        """Number of pieces that came, in all downloads."""
        self._buffer: PieceBuffer | None = None
        """The pieces of a download that did not end."""
        self._vouched: set[bytes] = set()
        """Roots that others vouch for, or did when their download began: that goes on."""
        self._forgetting: asyncio.TimerHandle | None = None
        self._last: tuple[frozenset[Voter], bytes | None] = frozenset(), None
        """Users whose peers gave the last state, and its root."""
        self._refused = deque[bytes](maxlen=_MOST_REFUSED)
        """Roots of states that turned out not to be the swarm's."""

    async def download(
        self,
        donors: Sequence[PeerID],
        *,
        chunk_seconds: float,
        voices: StateVoices = _NO_VOICES,
        only: bytes | None = None,
    ) -> tuple[StateOutline, torch.Tensor]:
        """Return the outline and the bytes of the state that is vouched for best among those that donors offer.

        Several donors are asked at once, each for pieces that are missing yet. A download that failed goes on with
        the pieces that came, where a donor still has that state.

        Args:
            donors: peers to ask; those of users of whom one lied lately are left out, and where one failed lately
                its user's come last.
            chunk_seconds: seconds for which a donor may be silent.
            voices: what the swarm's records say of states.
            only: root of the one state that is taken, whatever is begun; None takes any.

        Returns:
            The outline, and the bytes as a uint8 tensor of shape (bytes,).

        Raises:
            StateUnavailable: no donor gave such a state; DonorsBusy if some were giving theirs to other peers.
        """
        async with self._lock:
            self._keep_partial(False)
            self._voices, self._only, self._named = voices, only, set()
            begun = self._buffer.outline.root if self._buffer else _most_named(voices)
            offers = StateOffers(
                self._stub_of, only or begun, pieces=pieces_in(self._size), silence_seconds=chunk_seconds
            )
            asked = [donor for donor in donors if not self._liars.has(self._user_of(donor))]
            asked.sort(key=lambda donor: self._failing.has(self._user_of(donor)))
            try:
                return await self._first_of(offers, asked)
            finally:
                self._note_failures(offers)
                self._vouched &= {self._buffer.outline.root} if self._buffer else set()
                self._keep_partial(self._buffer is not None)

    async def describe(self, donor: PeerID, *, chunk_seconds: float) -> StateOutline:
        """Return the outline of the state that ``donor`` offers, which it then keeps for some time.

        It may be silent for ``chunk_seconds``. Raises StateUnavailable if it offers none.
        """
        offers = StateOffers(self._stub_of, b"", pieces=pieces_in(self._size), silence_seconds=chunk_seconds)
        await offers.collect([donor], lambda: True)
        if donor not in offers.outlines:
            raise StateUnavailable(
                f"A donor offers no state ({offers.complaints.get(donor, 'it is silent')})."
            )
        return offers.outlines[donor]

    def distrust(self, users: Sequence[Voter], *, givers: bool) -> None:
        """Ask no peer of ``users`` for a while; with ``givers`` no peer of those that gave the last state either.

        That state is then not taken again, whoever offers it.
        """
        given, root = self._last
        if givers and root is not None:
            self._refused.append(root)
        for user in {*users, *(given if givers else ())}:
            self._liars.add(user, _LIED_SECONDS)

    def _user_of(self, donor: PeerID) -> Voter:
        return self._voices.voter(donor.to_bytes())

    def _keep_partial(self, keeps: bool) -> None:
        """Forget the pieces of an unfinished download some time from now if ``keeps``, else not."""
        if self._forgetting is not None:
            self._forgetting.cancel()
        later = asyncio.get_running_loop().call_later
        self._forgetting = later(self._kept_seconds, self._forget) if keeps else None

    def _forget(self) -> None:
        self._buffer = self._forgetting = None
        self._vouched.clear()

    async def _first_of(
        self, offers: StateOffers, donors: Sequence[PeerID]
    ) -> tuple[StateOutline, torch.Tensor]:
        """Return the best state that donors give whole; the donors are asked by a few."""
        rest = list(donors)
        while rest:
            asked, rest = rest[:_AT_ONCE], rest[_AT_ONCE:]
            await offers.collect(asked, partial(self._has_best, offers))
            while roots := self._ranked(offers):
                found = await self._fetch(offers, roots[0], offers.silent_of(asked), rest)
                if found is not None:
                    return found
            rest = offers.silent_of(rest)
        reasons = "; ".join(f"{donor}: {why}" for donor, why in offers.complaints.items())
        error = DonorsBusy if offers.busy else StateUnavailable
        raise error(f"No peer gave the swarm's state ({reasons or 'none is known'}).")

    def _note_failures(self, offers: StateOffers) -> None:
        """Ask peers of the users last for a while of whom a donor failed in a download."""
        for user in {self._user_of(donor) for donor in offers.complaints.keys() - offers.busy}:
            self._failing.add(user, _FAILED_SECONDS)

    def _ranked(self, offers: StateOffers) -> list[bytes]:
        """Return the roots that may be taken, best first.

        Once several users have named one that a donor offered, no state of a single user is taken in its place: its
        donors may be busy, or be kept so. Where a donor of it lied, its offers do not count.
        """
        offered, voices = offers.roots, self._voices
        self._named |= voices.named_by_several(offered) - set(self._refused)
        self._vouched |= voices.vouched_beside(offered)
        begun = {self._buffer.outline.root} & self._vouched if self._buffer else set()
        allowed = self._named | begun if self._named else set(offered.values())
        allowed -= set(self._refused)
        if self._only is not None:
            allowed &= {self._only}
        roots = [root for root in voices.ranked(offered) if root in allowed]
        return sorted(roots, key=lambda root: root not in begun)

    def _has_best(self, offers: StateOffers) -> bool:
        """Return true if a donor offers the state that is begun, or the one that most peers but itself vouch for."""
        begun = {self._buffer.outline.root} & self._vouched if self._buffer else set()
        best = self._voices.best_vouched(offers.roots, self._voices.progress)
        return not (begun | best).isdisjoint(offers.roots.values())

    # --- pieces -------------------------------------------------------------------------------------------------

    async def _fetch(
        self, offers: StateOffers, root: bytes, silent: Sequence[PeerID], reserve: Sequence[PeerID]
    ) -> tuple[StateOutline, torch.Tensor] | None:
        """Return the state with this ``root``; None if its donors failed, who then offer it no more.

        Donors that were ``silent`` so far give pieces once they offer that state, those of the ``reserve`` when
        others fail.
        """
        donors = offers.donors_of(root)
        outline, offers.wanted = offers.outlines[donors[0]], root
        buffer, began = self._buffer_of(outline), self._clock()
        _log.info(
            "State download begins: epoch %d, %d of %d pieces are missing, %d peers offer it: %s.",
            outline.epoch,
            len(buffer.missing),
            outline.pieces,
            len(donors),
            ", ".join(map(str, donors)),
        )
        work = PieceAssignments(buffer, donors, rate=self._rate, clock=self._clock)
        await self._collect(offers, work, [*donors, *silent], reserve)
        if buffer.missing:
            offers.drop(root, "it gave no more pieces")
            return None
        self._buffer = None
        for donor in work.given:
            self._failing.forgive(self._user_of(donor))
        self._last = frozenset(map(self._user_of, work.given or donors)), root
        if why := await asyncio.to_thread(self._fault, buffer):
            _log.warning("The state of epoch %d is refused: %s", outline.epoch, why)
            self._named.discard(root)
            offers.drop(root, why)
            return None
        _log.info(
            "State of epoch %d downloaded: %d bytes in %.1f s; pieces: %s.",
            outline.epoch,
            self._size,
            self._clock() - began,
            ", ".join(f"{count} from {donor}" for donor, count in work.given.items()) or "none",
        )
        return outline, buffer.flat

    def _buffer_of(self, outline: StateOutline) -> PieceBuffer:
        """Return the buffer of the state with this ``outline``, with the pieces that came in an earlier download."""
        if self._buffer is None or self._buffer.outline.root != outline.root:
            self._buffer = None  # its memory is free before more is taken
            self._buffer = PieceBuffer(outline, self._size)
        return self._buffer

    async def _collect(
        self, offers: StateOffers, work: PieceAssignments, donors: Sequence[PeerID], reserve: Sequence[PeerID]
    ) -> None:
        """Take the missing pieces from ``donors``, and from the ``reserve`` when some fail."""
        waiting = (donor for donor in reserve if donor not in offers.complaints)
        unreached = [donor for donor in offers.unreached if donor not in donors]
        running = {asyncio.create_task(self._take_from(offers, donor, work)) for donor in donors}
        running |= {asyncio.create_task(self._take_later(offers, donor, work)) for donor in unreached}
        try:
            while running and work.buffer.missing:
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for _ in done:
                    if (donor := next(waiting, None)) is not None:
                        running.add(asyncio.create_task(self._take_from(offers, donor, work)))
        finally:
            await end_tasks(running)  # the slow ones, whose pieces came from others

    async def _take_from(self, offers: StateOffers, donor: PeerID, work: PieceAssignments) -> None:
        """Take pieces from ``donor`` until none is missing or it fails."""
        try:
            if not self._liars.has(self._user_of(donor)) and await offers.has(
                donor, work.buffer.outline.root
            ):
                await self._take_pieces(offers, donor, work)
        except DonorLied as error:
            self._named.discard(work.buffer.outline.root)
            seconds = self._liars.add(self._user_of(donor), _LIED_SECONDS)
            offers.complain(donor, f"{error.what} No peer of its user is asked for {seconds:.0f} s.")
        except (DonorFailed, PeerLost) as error:
            offers.complain(donor, str(error) or type(error).__name__)
        except DonorBusy:
            offers.note_busy(donor)
        finally:
            work.leave(donor)

    async def _take_later(self, offers: StateOffers, donor: PeerID, work: PieceAssignments) -> None:
        """Take pieces from ``donor``, which could not be reached at first: its router may be open for us by now."""
        for _ in range(_MORE_DIALS):
            await asyncio.sleep(self._again_seconds)
            offers.unreached.pop(donor, None)
            await self._take_from(offers, donor, work)
            if donor not in offers.unreached:
                return

    async def _take_pieces(self, offers: StateOffers, donor: PeerID, work: PieceAssignments) -> None:
        """Take pieces from ``donor``; one that is busy is asked again for as long as it might be silent."""
        busy_since: float | None = None
        piece_seconds = max(self._piece_seconds, _PIECE_FACTOR * offers.silence_seconds)
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
                    pace=work.pace(donor),
                    silence_seconds=offers.silence_seconds,
                    piece_seconds=piece_seconds,
                ):
                    busy_since = None
                    if work.buffer.put(index, data):
                        work.arrived(donor, index)
                        self.arrived += 1
            except DonorBusy:
                busy_since = busy_since or self._clock()
                if self._clock() - busy_since >= offers.silence_seconds:
                    raise
                work.leave(donor)  # and comes back with the next question
                await asyncio.sleep(_PAUSE_SECONDS)

    def _fault(self, buffer: PieceBuffer) -> str | None:
        """Return why the whole state is not acceptable, in words; None if it is."""
        try:
            state = joined(buffer.flat, self._schema, buffer.outline)
        except DonorFailed as error:
            return error.what
        return self._beginning.refusal(state) if self._beginning is not None else None


def _most_named(voices: StateVoices) -> bytes:
    """Return the root that most records of progress name; empty if they name none."""
    return voices.progress[0].root if voices.progress else b""


async def bounded(download: Coroutine[Any, Any, _Found], seconds: float) -> _Found:
    """Return what ``download`` returns; it is cancelled after ``seconds``, and frees its place for the next.

    Raises StateUnavailable then.
    """
    try:
        async with asyncio.timeout(seconds):
            return await download
    except TimeoutError as error:
        raise StateUnavailable(f"The peers did not give the swarm's state within {seconds:.0f} s.") from error
