"""What the daemon has to do with its run's coordinator: admission, the newest manifest, the leaderboard."""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from client.account.errands import CarriedOut
from client.admission.admission import Admission, Gate
from client.admission.errands import (
    AskBoard,
    BoardFound,
    FetchSuccessor,
    FramesKept,
    HideName,
    KeepFrames,
    KeepReceipts,
    OpenPage,
    PageOpened,
    ReceiptsKept,
)
from client.admission.membership import Membership
from client.admission.memberships import Memberships
from client.admission.succession import Succession
from client.admission.told_epochs import ToldEpochs
from client.api.board import Board, BoardQuery, BoardRow
from client.api.connection import COORDINATOR_SECONDS
from client.api.errors import ClientError, JoinError
from client.api.messages import Traffic
from client.api.snapshot import MembershipView, StandingView
from client.joining.run_card import RunCard

_log = logging.getLogger(__name__)
_SECONDS = COORDINATOR_SECONDS - 30.0
"""For one answer; before that, the keyring may have to be read."""
LOOK_AT_BOARD_EVERY = timedelta(hours=1)
"""About: not all of a run's clients look at the same time."""
_SPREAD = 0.4
_FRAMES_SECONDS = 3_600.0
"""For hundreds of pictures on a slow line."""


class Coordination:
    """With one coordinator, for one run; from `open` to `close`."""

    def __init__(
        self,
        card: RunCard,
        folder: Path,
        memberships: Memberships,
        changed: Callable[[], None],
        renewed: Callable[[], None],
        now: Callable[[], datetime],
        draw: Callable[[], float] = random.random,
    ) -> None:
        """``changed`` is called after each change, ``renewed`` once a newer manifest is in the run's folder."""
        self._card, self._memberships, self._changed, self._now = card, memberships, changed, now
        self.admission: Admission | None = None
        if card.gate is not None:
            identity = memberships.places.identity(card.digest)
            gate = Gate(card.digest, card.coordinator or "", card.gate, identity)
            self.admission = Admission(gate, memberships, self._on_change, now)
        self.succession = Succession(memberships.errands, _successor(card, folder), renewed, now)
        self.standing: StandingView | None = None
        self.told_epochs = ToldEpochs(memberships.errands, card.coordinator, now)
        self._wanted, self._draw = False, draw
        self._looked, self._rest = now() - LOOK_AT_BOARD_EVERY, timedelta()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        if self.admission is not None:
            self._spawn(self.admission.run())
        self._spawn(self.succession.run())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, self.told_epochs.close(), return_exceptions=True)

    # --- training -----------------------------------------------------------------------------------------------

    @property
    def may_start(self) -> bool:
        """Whether a trainer that is started now will be admitted, and to the run as it is."""
        return not self.succession.is_superseded and (self.admission is None or self.token is not None)

    @property
    def token(self) -> SecretStr | None:
        return self.admission.token if self.admission else None

    @property
    def problem(self) -> ClientError | None:
        """What needs the volunteer."""
        return self.admission.problem if self.admission else None

    @property
    def waits_for(self) -> str:
        """What training waits for, in a sentence; empty: for nothing."""
        if self.succession.is_superseded:
            trouble = self.succession.trouble
            return (
                trouble.what if trouble else "the run goes on from an earlier checkpoint, which is fetched."
            )
        if self.admission is None or self.token is not None:
            return ""
        trouble = self.admission.trouble
        return trouble.what if trouble else "the run's coordinator is asked for admission."

    def want(self, wanted: bool) -> None:
        """Whether training is wanted now."""
        self._wanted = wanted
        if self.admission is not None:
            self.admission.want(wanted)

    def refused(self) -> None:
        """The swarm did not take the token: it ran out in a sleep, the gate is another one, or they are excluded."""
        self.succession.lost()
        if self.admission is not None:
            self.admission.refused()

    def again(self) -> None:
        """The volunteer has signed in, or asks to try again."""
        if self.admission is not None:
            self.admission.again()

    # --- what the volunteer sees --------------------------------------------------------------------------------

    @property
    def membership_view(self) -> MembershipView | None:
        return self.admission.view if self.admission else None

    def look_at_board(self) -> None:
        """Have the own place on it looked up while training goes on, if that was not done lately."""
        now = self._now()
        if self._wanted and self.token and not timedelta() <= now - self._looked < self._rest:
            self._looked = now
            self._rest = LOOK_AT_BOARD_EVERY * (1 + _SPREAD * (self._draw() - 0.5))
            self._spawn(self._look())

    async def board(self, query: BoardQuery) -> Board:
        """As the coordinator shows it, with the own row where it is known whose that is."""
        membership = await self._membership() if self.admission and not self.problem else None
        errand = AskBoard(coordinator=self._address, membership=membership, query=query)
        board = (await self._memberships.errands.run(errand, BoardFound, _SECONDS)).board
        if board.own is not None and (query.by, query.since) == ("samples", "all"):
            self._note(board.own, board.total)
        return board

    async def page(self) -> str:
        """A link, good once, to the volunteer's own page."""
        errand = OpenPage(coordinator=self._address, membership=await self._membership())
        opened = await self._memberships.errands.run(errand, PageOpened, _SECONDS)
        return opened.address.get_secret_value()

    async def hide_name(self, hidden: bool) -> None:
        membership = await self._membership()
        errand = HideName(coordinator=self._address, membership=membership, hidden=hidden)
        await self._memberships.errands.run(errand, CarriedOut, _SECONDS)

    async def keep_receipts(self, folder: Path) -> int:
        """How many signed receipts there are, all of them in the folder now."""
        membership = await self._membership()
        errand = KeepReceipts(
            coordinator=self._address, membership=membership, gate=self._card.gate or "", folder=folder
        )
        return (await self._memberships.errands.run(errand, ReceiptsKept, _SECONDS)).count

    async def keep_frames(
        self,
        folder: Path,
        own: Path,
        download: int | None,
        may_fetch: int | None,
        book: Callable[[Traffic], None],
    ) -> FramesKept:
        """Have those of the run's time-lapse that are missing fetched, within these bytes a second and in all."""
        errand = KeepFrames(
            coordinator=self._address, folder=folder, own=own, download=download, may_fetch=may_fetch
        )
        return await self._memberships.errands.run(errand, FramesKept, _FRAMES_SECONDS, passed=book)

    @property
    def _address(self) -> str:
        if self._card.coordinator is None:
            raise JoinError(
                "This run has no coordinator.", "Its organiser shows no board and keeps no books."
            )
        return self._card.coordinator

    async def _membership(self) -> Membership:
        if self.admission is None:
            raise no_gate()
        return await self.admission.membership()

    async def _look(self) -> None:
        try:
            await self.board(BoardQuery(limit=1))
        except ClientError as error:
            _log.info("The leaderboard cannot be seen: %s", error)

    def _note(self, own: BoardRow, total: int) -> None:
        self.standing = StandingView(rank=own.rank, of=total, samples=own.samples, looked=self._now())
        self._changed()

    def _on_change(self) -> None:
        self._changed()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("A part of the daemon ended by an error that it did not expect.", exc_info=error)


def no_gate() -> JoinError:
    return JoinError(
        "This run has no gate: whoever likes trains it, and nobody signs in.",
        "`idlebrush stats` shows what this computer gave to it.",
    )


def _successor(card: RunCard, folder: Path) -> FetchSuccessor | None:
    if card.coordinator is None:
        return None
    return FetchSuccessor(coordinator=card.coordinator, folder=folder, fingerprint=card.fingerprint)
